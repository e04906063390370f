import type { Evaluation, ListedEvaluation } from '../../protocol/schemas/evaluation.ts';
import type { Difference } from '../../protocol/schemas/evaluation-comparison.ts';
import { compareEvaluations } from '../compare/compare-evaluations.ts';
import { readEpisodes } from '../evaluation-folder.ts';
import { failedStretches, type Stretch, type StretchOptions } from '../failed-stretches.ts';
import { readEvaluation } from '../scan-evaluations.ts';
import { evaluationReport, type ReportFormat } from './evaluation-report.ts';
import type { ReportData } from './report-data.ts';

/** An evaluation on disk. This object is sent between threads. */
export interface StoredEvaluation {
  readonly folder: string;
  readonly evaluation: ListedEvaluation;
}

/** Reads and formats an evaluation. Call it in a thread of the pool. @returns the report as UTF-8 */
export function formatStored(stored: StoredEvaluation, format: ReportFormat): Uint8Array {
  return Buffer.from(evaluationReport(readData(stored), format));
}

/** Reads and compares two evaluations. Call it in a thread of the pool.
 *  @throws bad_input as {@link compareEvaluations} */
export function compareStored(
  a: StoredEvaluation & { readonly checkpoint: string | null },
  b: StoredEvaluation & { readonly checkpoint: string | null },
): Difference[] {
  const side = (field: string, stored: typeof a) => ({
    field,
    data: readData(stored),
    ...(stored.checkpoint === null ? {} : { checkpoint: stored.checkpoint }),
  });
  return compareEvaluations(side('a', a), side('b', b));
}

/** Reads an evaluation and returns the stretches around its failures. Call it in a thread of the pool. */
export function stretchesOfStored(stored: StoredEvaluation, options: StretchOptions): Stretch[] {
  return failedStretches(readData(stored), options);
}

/** Returns an evaluation with its episodes. Without results, all tables are empty. */
function readData({ folder, evaluation: listed }: StoredEvaluation): ReportData {
  const evaluation: Evaluation = { ...listed, ...readEvaluation(folder) };
  const { checkpoints, conditions, starts } = evaluation.protocol;
  const episodes = evaluation.clips.length === 0 ? null : readEpisodes(folder);
  // Rows and episodes are ordered by checkpoint, condition, clip and start.
  const count = evaluation.clips.length / (checkpoints.length * conditions.length);
  const clips = evaluation.clips.slice(0, count).map(({ clip }) => clip);
  if (episodes?.length !== evaluation.clips.length * starts || episodes.length === 0)
    return { evaluation, clips, groups: [] };
  const groups = checkpoints.flatMap((checkpoint, c) =>
    conditions.map(({ name: condition }, k) => {
      const first = (c * conditions.length + k) * count * starts;
      const own = episodes.slice(first, first + count * starts);
      return {
        checkpoint,
        condition,
        episodes: own.map((episode, at) => ({ ...episode, clip: Math.floor(at / starts) })),
      };
    }),
  );
  return { evaluation, clips, groups };
}
