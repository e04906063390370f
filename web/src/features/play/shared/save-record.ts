/** Has the browser save what the service kept of an environment: the last minute of all its channels. */
export function saveRecord(env: number, format: 'npz' | 'csv'): void {
  const link = document.createElement('a');
  link.href = `api/play/record?env=${env}&format=${format}`;
  link.download = `env-${env}.${format}`;
  link.click();
}
