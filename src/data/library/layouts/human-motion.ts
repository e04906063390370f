import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { badInput, StudioError } from '../../../core/errors.ts';
import { clipFileTypeOf } from '../../../formats/clip-registry.ts';
import { HUMAN_REMEDY } from '../../../protocol/clip-endings.ts';

/** Number of files to examine. */
const SAMPLES = 3;

/** Refuses a folder of human motion, such as AMASS. Its files have the same name endings as clips.
 *  @throws bad_input if the first clip files all contain human motion */
export async function refuseHumanMotion(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => clipFileTypeOf(name) !== null && !name.startsWith('.')).sort();
  const problems: string[] = [];
  for (const name of names.slice(0, SAMPLES)) {
    const problem = await humanProblem(path.join(folder, name));
    if (problem === null) return;
    problems.push(problem);
  }
  const [first] = problems;
  if (first !== undefined)
    throw badInput(`source: no file in ${folder} is a clip of a robot. The first file: ${first}`);
}

/** Returns why a file is refused as human motion; null for any other file. */
async function humanProblem(file: string): Promise<string | null> {
  try {
    await clipFileTypeOf(file)?.facts(file);
    return null;
  } catch (error) {
    if (error instanceof StudioError) return error.message.endsWith(HUMAN_REMEDY) ? error.message : null;
    // The name belongs to a folder or a broken link. The import reports it.
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return null;
    throw error;
  }
}
