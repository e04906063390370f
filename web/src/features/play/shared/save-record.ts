/** Downloads the record of an environment: all channels of the last minute. */
export function saveRecord(env: number, format: 'npz' | 'csv'): void {
  const link = document.createElement('a');
  link.href = `api/play/record?env=${env}&format=${format}`;
  link.download = `env-${env}.${format}`;
  link.click();
}
