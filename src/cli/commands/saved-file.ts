import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
export function saveFile(flag: string, file: string, content: ArrayBuffer | string): void {
  const part = `${file}.${randomUUID()}.part`;
  try {
    writeFileSync(part, typeof content === 'string' ? content : new Uint8Array(content));
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw new CommandError(`${flag}: cannot write ${file}: ${messageOf(error)}`);
  }
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}
