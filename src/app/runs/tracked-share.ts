import { StudioError } from '../../core/errors.ts';
import { readParamsKeys, valueAt } from '../../runs/params/params-file.ts';
import { RUN_FILES, type RunRecord } from '../../runs/store/run-record.ts';

/** Returns the share of its episodes that a run tracks, 0..1; 0 without a score. An episode of a training's evaluation goes
 *  on where its clip ends, from another frame. So at most the mean length of the clips counts: otherwise, a run on clips of
 *  one second seems to track ten. */
export async function trackedShare({ folder, training: { score } }: RunRecord): Promise<number> {
  if (score === null) return 0;
  const longest = score.by === 'training' ? await meanClipS(folder) : Number.POSITIVE_INFINITY;
  return Math.min(score.tracked_s, longest) / score.horizon_s;
}

/** Returns the mean duration of the clips of a run, s; Infinity if its files do not state it. */
async function meanClipS(folder: string): Promise<number> {
  const keys = ['total_frames', 'fps', 'num_clips'] as const;
  const library = await readParamsKeys(folder, RUN_FILES.library, ...keys).catch((error: unknown) => {
    if (error instanceof StudioError) return null;
    throw error;
  });
  const [frames, fps, clips] = keys.map((key) => Number(valueAt(library, key))) as [number, number, number];
  const seconds = frames / fps / clips;
  return seconds > 0 ? seconds : Number.POSITIVE_INFINITY;
}
