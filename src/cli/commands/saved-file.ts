import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { messageOf } from '../../core/errors.ts';
import { UsageError } from '../parse-flags.ts';
import { CommandError } from './command.ts';

/** Checks that a file can be written, before a command starts long work.
 *  @throws UsageError if its folder does not exist, or if the path is a folder */
export function checkSavedFile(flag: string, file: string): void {
  const folder = path.dirname(path.resolve(file));
  if (!isFolder(folder)) throw new UsageError(`${flag}: the folder ${folder} does not exist. Create it first.`);
  if (file === '' || isFolder(file))
    throw new UsageError(`${flag}: must be a file, got the folder ${JSON.stringify(file)}`);
}

/** Writes a file that appears when it is complete. @throws CommandError with the reason */
export function saveText(flag: string, file: string, content: string): void {
  const part = partOf(file);
  try {
    writeFileSync(part, content);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw new CommandError(`${flag}: cannot write ${file}: ${messageOf(error)}`);
  }
}

/** Writes the body of a reply, however large it is, into a file that appears when it is complete.
 *  @throws CommandError with the reason */
export async function saveReply(flag: string, file: string, { body }: Response): Promise<void> {
  const part = partOf(file);
  try {
    // Opened before the pipeline: a stream that opens the file itself may do so after a failed pipeline has ended.
    const handle = await open(part, 'wx');
    await pipeline(Readable.fromWeb(body as ReadableStream), handle.createWriteStream());
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw new CommandError(`${flag}: cannot write ${file}: ${failureOf(error)}`);
  }
}

/** Errors of the file name a system call, those of the connection do not. */
function failureOf(error: unknown): string {
  const { syscall, cause } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) return messageOf(error);
  return `the connection broke (${messageOf(cause ?? error)}). The service still has the file: download it there.`;
}

function partOf(file: string): string {
  return `${file}.${randomUUID()}.part`;
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}
