import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { orMeant } from '../../core/nearest.ts';
import type { Evaluation } from '../../protocol/schemas/evaluation.ts';
import type { Difference } from '../../protocol/schemas/evaluation-comparison.ts';
import { checkpointTitle, type ReportData } from '../report/report-data.ts';
import { pairedDifferences } from './paired-bootstrap.ts';

/** One side of a comparison. */
export interface ComparedSide {
  /** field of the request: `a` or `b` */
  readonly field: string;
  readonly data: ReportData;
  /** name of the checkpoint; absent: the first checkpoint of the evaluation */
  readonly checkpoint?: string;
}

/** Settings that must be equal in both evaluations, so that their episodes form pairs. */
const SHARED = ['motion', 'starts', 'seed', 'horizon_s', 'control_hz', 'conditions'] as const;

/** Returns the differences b − a of every metric under every condition, with 95 % intervals over clips and starts.
 *  @throws bad_input if an evaluation is not done or has no such checkpoint, or if the episodes differ */
export function compareEvaluations(a: ComparedSide, b: ComparedSide): Difference[] {
  for (const side of [a, b]) refuseUnfinished(side.field, side.data.evaluation);
  const different = differentFields(a.data, b.data);
  if (different.length > 0)
    throw badInput(
      `b: ${quoteName(b.data.evaluation.name)} differs from ${quoteName(a.data.evaluation.name)} in ${different.join(', ')}: evaluate both with the same settings`,
    );
  const [ofA, ofB] = [checkpointOf(a), checkpointOf(b)];
  const { conditions, control_hz: hz } = a.data.evaluation.protocol;
  return conditions.flatMap(({ name: condition }) =>
    pairedDifferences(episodesOf(a, ofA, condition), episodesOf(b, ofB, condition), hz).map(
      ({ metric, ...figures }) => ({
        metric,
        condition,
        ...figures,
      }),
    ),
  );
}

function refuseUnfinished(field: string, { name, status }: Evaluation): void {
  if (status !== 'done')
    throw badInput(
      `${field}: the evaluation ${quoteName(name)} is ${status}: only completed evaluations can be compared`,
    );
}

function differentFields(a: ReportData, b: ReportData): string[] {
  const [ofA, ofB] = [a.evaluation.protocol, b.evaluation.protocol];
  const fields: string[] = SHARED.filter((field) => !isSame(ofA[field], ofB[field]));
  return isSame(a.clips, b.clips) ? fields : ['clips', ...fields];
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function checkpointOf({ field, data, checkpoint }: ComparedSide): string {
  const { name, protocol } = data.evaluation;
  if (checkpoint === undefined) return protocol.checkpoints[0]!;
  if (protocol.checkpoints.includes(checkpoint)) return checkpoint;
  throw badInput(
    `${field}_checkpoint: the evaluation ${quoteName(name)} has no checkpoint ${quoteName(checkpointTitle(checkpoint))}${orMeant(checkpoint, protocol.checkpoints)}`,
  );
}

function episodesOf({ data }: ComparedSide, checkpoint: string, condition: string) {
  return data.groups.find((group) => group.checkpoint === checkpoint && group.condition === condition)!.episodes;
}
