import type { Evaluation } from '../../protocol/schemas/evaluation.ts';
import type { EpisodeResult } from '../episode-result.ts';

/** The episodes of one checkpoint under one condition. */
export interface EpisodeGroup {
  readonly checkpoint: string;
  readonly condition: string;
  /** episodes ordered by clip and start */
  readonly episodes: readonly EpisodeResult[];
}

/** All data of a report. */
export interface ReportData {
  readonly evaluation: Evaluation;
  /** names of the clips; `clip` of an episode is an index into it */
  readonly clips: readonly string[];
  readonly groups: readonly EpisodeGroup[];
}

/** Returns the display name of a checkpoint. */
export function checkpointTitle(checkpoint: string): string {
  return checkpoint === '' ? 'zero action' : checkpoint;
}
