import { StudioError } from '../errors.ts';

/** Describes a system error of the source file in words. Returns any other error unchanged. */
export function sourceError(error: unknown, file: string): unknown {
  const text = SYSTEM_TEXT[(error as NodeJS.ErrnoException).code ?? ''];
  return text === undefined ? error : new StudioError('bad_input', `source: ${file} ${text}`, { cause: error });
}

const SYSTEM_TEXT: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist on the machine of the service',
  ENOTDIR: 'does not exist on the machine of the service',
  EACCES: 'cannot be read by the service: change its permissions',
  EPERM: 'cannot be read by the service: change its permissions',
  ELOOP: 'is a link to a missing target',
  ENAMETOOLONG: 'is too long a path for this system',
  EIO: 'cannot be read: its disk has errors',
};
