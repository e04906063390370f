import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { convertToNpz } from './convert-to-npz.ts';
import { nameOfPart, recordingPath } from './recording-files.ts';

/** Converts the npz recordings that a killed service left unfinished. A file that cannot be converted is kept. @returns
 *  the names of the recordings @throws the first error, after all files were tried */
export function finishRecordings(folder: string): string[] {
  const done: string[] = [];
  let problem: unknown = null;
  for (const file of readdirSync(folder)) {
    const name = nameOfPart(file);
    if (name === null) continue;
    try {
      const part = path.join(folder, file);
      convertToNpz(part, recordingPath(folder, name, 'npz'), null);
      rmSync(part);
      done.push(name);
    } catch (error) {
      problem ??= error;
    }
  }
  if (problem !== null) throw problem;
  return done;
}
