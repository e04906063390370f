import type { Condition, JointMargin, Row, Summary } from '../protocol/schemas/evaluation.ts';
import type { EpisodeResult, JointLoads, UnitResult } from './episode-result.ts';
import type { Unit } from './episodes.ts';
import type { EvaluationResults, EvaluationTables } from './evaluation-folder.ts';
import type { EvaluationOrder } from './evaluation-order.ts';
import { gateResults } from './gate.ts';
import { addLoads, marginsOf, metricsOf, robustnessOf, rowOf } from './summarise.ts';

/** Results of one checkpoint under one condition. */
interface Cell {
  readonly checkpoint: string;
  readonly condition: Condition;
  readonly episodes: EpisodeResult[];
  loads: JointLoads | null;
}

/** Computes the results of an evaluation from the measurements of its units. Adds them in the order of the units, so
 *  that results are bit-identical for any number of threads. @param results by unit */
export function finishEvaluation(
  { checkpoints, conditions, clips, starts, robot, gate }: EvaluationOrder,
  units: readonly Unit[],
  results: readonly UnitResult[],
  controlHz: number,
): { results: EvaluationResults; tables: EvaluationTables; episodes: EpisodeResult[] } {
  const cells: Cell[] = checkpoints.flatMap((checkpoint) =>
    conditions.map((condition) => ({ checkpoint, condition, episodes: [], loads: null })),
  );
  for (const [k, { checkpoint, condition }] of units.entries()) {
    const cell = cells[checkpoint * conditions.length + condition]!;
    const { episodes, loads } = results[k]!;
    cell.episodes.push(...episodes);
    cell.loads = cell.loads === null ? loads : addLoads(cell.loads, loads);
  }
  const summary: Summary[] = [];
  const rows: Row[] = [];
  const joints: JointMargin[] = [];
  for (const { checkpoint, condition, episodes, loads } of cells) {
    const names = { checkpoint, condition: condition.name };
    summary.push({ ...names, ...metricsOf(episodes, controlHz) });
    for (const [k, clip] of clips.entries())
      rows.push(rowOf({ ...names, clip }, episodes.slice(k * starts, (k + 1) * starts), controlHz));
    if (loads) joints.push(...marginsOf(names, loads, robot.facts, controlHz));
  }
  const first = summary.filter(({ condition }) => condition === conditions[0]!.name);
  return {
    results: {
      summary,
      robustness: robustnessOf(conditions, summary.slice(0, conditions.length)),
      gate: gate && gateResults(gate, first),
    },
    tables: { clips: rows, joints },
    episodes: cells.flatMap(({ episodes }) => episodes),
  };
}
