import { StudioError } from '../../core/errors.ts';

/** Returns an error with the reason why listening failed, and the remedy. @param error of `listen`, or null if the
 *  engine gave no reason */
export function listenError(error: NodeJS.ErrnoException | null, host: string, port: number): StudioError {
  const where = `${host}:${port}`;
  const cause = { cause: error };
  switch (error?.code) {
    case 'EADDRINUSE':
      return new StudioError(
        'unavailable',
        `${where} is used by another program. Choose another port with --port.`,
        cause,
      );
    case 'EACCES':
      return new StudioError(
        'unavailable',
        `listening on ${where} is not permitted. Choose a --port above 1023.`,
        cause,
      );
    case 'EADDRNOTAVAIL':
      return new StudioError(
        'unavailable',
        `${host} is not an address of this machine. Choose another address with --host.`,
        cause,
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StudioError(
        'unavailable',
        `the host name ${host} cannot be resolved. Choose another with --host.`,
        cause,
      );
    default:
      return new StudioError('unavailable', `cannot listen on ${where}${error ? `: ${error.message}` : ''}`, cause);
  }
}
