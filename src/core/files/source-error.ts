import { StudioError } from '../errors.ts';

/** Describes a system error of the source file in words. Returns any other error unchanged. */
export function sourceError(error: unknown, file: string): unknown {
  const text = SYSTEM_TEXT[(error as NodeJS.ErrnoException).code ?? ''];
  return text === undefined ? error : new StudioError('bad_input', `source: ${file} ${text}`, { cause: error });
}

const SYSTEM_TEXT: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist on the machine that the service runs on',
  ENOTDIR: 'does not exist on the machine that the service runs on',
  EACCES: 'cannot be read by the service: change its permissions',
  EPERM: 'cannot be read by the service: change its permissions',
  ELOOP: 'is a link that leads nowhere',
  ENAMETOOLONG: 'is too long for a path',
  EIO: 'cannot be read: its disk has errors',
};
