import { readParamsKeys, valueAt } from '../../runs/params/params-file.ts';
import { RUN_FILES, type RunRecord } from '../../runs/store/run-record.ts';

/** Returns the share of its episodes that a run tracks, 0..1; 0 without a score. Where its clip ends, an episode of a
 *  training's evaluation continues from another frame. At most the mean length of the clips counts: otherwise, a run on
 *  clips of one second would seem to track ten. */
export async function trackedShare({ folder, training: { score } }: RunRecord): Promise<number> {
  if (score === null) return 0;
  const longest = score.by === 'training' ? await meanClipS(folder) : Number.POSITIVE_INFINITY;
  return Math.min(score.tracked_s, longest) / score.horizon_s;
}

/** Returns the mean duration of the clips of a run, s; Infinity if its files do not state it, or cannot be read. */
async function meanClipS(folder: string): Promise<number> {
  const keys = ['total_frames', 'fps', 'num_clips'] as const;
  // One damaged run of many must not fail the launch of another.
  const library = await readParamsKeys(folder, RUN_FILES.library, ...keys).catch(() => null);
  const [frames, fps, clips] = keys.map((key) => Number(valueAt(library, key))) as [number, number, number];
  const seconds = frames / fps / clips;
  return seconds > 0 ? seconds : Number.POSITIVE_INFINITY;
}
