import path from 'node:path';
import { badInput, messageOf, StudioError } from '../core/errors.ts';
import { AdaptiveSampling, type SavedLevels } from '../mdp/command/adaptive-sampling.ts';
import type { ReferenceStateInitConfig } from '../mdp/task-config.ts';
import type { MotionLibrary } from '../motion/library/motion-library.ts';
import { FAILURE_LEVELS_FILE, readFailureLevels } from '../runs/checkpoint/failure-levels-file.ts';
import type { TrainingOrder } from './training-order.ts';

/** Whether a training saves its failure levels and restores them when it is resumed. */
export function persistsLevels({ sampling_mode: mode, persist_failure_levels: persist }: ReferenceStateInitConfig) {
  return persist && mode === 'adaptive';
}

/** Returns the failure levels of the run that a training resumes, if the training has the same sections of clips.
 *  @param report receives one line: what was restored, or the reason why not
 *  @returns null if the training does not restore levels or if nothing fits */
export async function resumedLevels(
  { resume, config }: TrainingOrder,
  library: MotionLibrary,
  report: (text: string) => void,
): Promise<SavedLevels | null> {
  const { rsi } = config.commands.motion;
  if (resume === null || !persistsLevels(rsi)) return null;
  const file = path.join(path.dirname(resume), FAILURE_LEVELS_FILE);
  try {
    const saved = await readFailureLevels(file);
    const own = new AdaptiveSampling(rsi, library.clips, library.fps).table();
    if (saved.binWidthS !== own.settings.bin_width_s || !sameSections(saved, own))
      throw badInput('the clips of the run have other sections');
    report(`Loading failure levels from: ${file}`);
    return saved;
  } catch (error) {
    // A training learns its failure levels again, so missing levels, as in older runs, are not an error.
    if (!(error instanceof StudioError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    report(`Failure levels are not restored from ${file}: ${messageOf(error)}`);
    return null;
  }
}

function sameSections(a: SavedLevels, b: SavedLevels): boolean {
  return a.clips === b.clips && a.bins === b.bins && a.valid.every((valid, k) => valid === b.valid[k]);
}
