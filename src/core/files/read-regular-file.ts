import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';

/** Without `O_NONBLOCK`, opening a pipe without a writer blocks the thread forever. */
const NEVER_WAIT = constants.O_NONBLOCK | constants.O_NOCTTY;
/** Permissions of a created file, before the umask. */
const MODE = 0o666;

/** Thrown if a link, folder, pipe or device is found in place of a file. */
export class IrregularFileError extends Error {
  override readonly name = 'IrregularFileError';
  /** 'EISDIR' for a folder, as in system errors; otherwise undefined */
  readonly code: 'EISDIR' | undefined;
  constructor(what: string, code?: 'EISDIR') {
    super(`is ${what}, expected a regular file`);
    this.code = code;
  }
}

/** Thrown if a file is larger than its reader accepts. */
export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError';
  readonly bytes: number;
  constructor(bytes: number, limit: number) {
    super(`is ${bytes} bytes large, the limit is ${limit}`);
    this.bytes = bytes;
  }
}

export interface RegularFileOptions {
  /** Follow a link to a regular file. False by default: links are refused, so that files outside are not read or
   *  written. */
  readonly followLinks?: boolean;
}

/** Opens a file from an untrusted source, for reading or with `flags`. Never waits for the other end of a pipe.
 *  @param flags of open(2), `O_RDONLY` by default
 *  @throws Error for a link, folder, pipe or device; ENOENT and others as the system reports them */
export async function openRegularFile(
  file: string,
  { followLinks = false }: RegularFileOptions = {},
  flags: number = constants.O_RDONLY,
): Promise<FileHandle> {
  // Check before opening, because merely opening some devices starts them.
  const found = await (followLinks ? stat(file) : lstat(file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && (flags & constants.O_CREAT) !== 0) return null;
    throw error;
  });
  if (found) refuseIrregular(found);
  const handle = await open(file, openFlags(flags, followLinks), MODE);
  try {
    refuseIrregular(await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Synchronous {@link openRegularFile}. @returns a file descriptor, which the caller closes */
export function openRegularFileSync(
  file: string,
  { followLinks = false }: RegularFileOptions = {},
  flags: number = constants.O_RDONLY,
): number {
  const found = (followLinks ? statSync : lstatSync)(file, { throwIfNoEntry: (flags & constants.O_CREAT) === 0 });
  if (found) refuseIrregular(found);
  const descriptor = openSync(file, openFlags(flags, followLinks), MODE);
  try {
    refuseIrregular(fstatSync(descriptor));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Reads a whole small file from an untrusted source.
 *  @throws Error for a link, folder, pipe or device, and for a larger file; ENOENT and others as the system reports
 *  them */
export async function readRegularFile(file: string, maxBytes: number, options?: RegularFileOptions): Promise<Buffer> {
  const handle = await openRegularFile(file, options);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw new FileTooLargeError(size, maxBytes);
    const bytes = Buffer.allocUnsafe(size + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) return bytes.subarray(0, length);
      length += bytesRead;
    }
    throw new Error('changed while it was read');
  } finally {
    await handle.close();
  }
}

/** Synchronous {@link readRegularFile}. */
export function readRegularFileSync(file: string, maxBytes: number, options?: RegularFileOptions): Buffer {
  const descriptor = openRegularFileSync(file, options);
  try {
    const { size } = fstatSync(descriptor);
    if (size > maxBytes) throw new FileTooLargeError(size, maxBytes);
    const bytes = Buffer.allocUnsafe(size + 1);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, length);
      if (read === 0) return bytes.subarray(0, length);
      length += read;
    }
    throw new Error('changed while it was read');
  } finally {
    closeSync(descriptor);
  }
}

function openFlags(flags: number, followLinks: boolean): number {
  return flags | NEVER_WAIT | (followLinks ? 0 : constants.O_NOFOLLOW);
}

function refuseIrregular(stats: Stats): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new IrregularFileError('a folder', 'EISDIR');
  throw new IrregularFileError(stats.isSymbolicLink() ? 'a link' : stats.isFIFO() ? 'a pipe' : 'a device or socket');
}
