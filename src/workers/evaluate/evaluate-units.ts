import path from 'node:path';
import process from 'node:process';
import { writeAtomicSync } from '../../core/files/atomic-file.ts';
import { formatYaml } from '../../core/yaml-file.ts';
import { chosenClips } from '../../evaluate/chosen-clips.ts';
import type { UnitResult } from '../../evaluate/episode-result.ts';
import { type Episode, planEpisodes, type Unit } from '../../evaluate/episodes.ts';
import { listUnits, readUnit, writeResults, writeUnit } from '../../evaluate/evaluation-folder.ts';
import type { EvaluationOrder } from '../../evaluate/evaluation-order.ts';
import { finishEvaluation } from '../../evaluate/finish-evaluation.ts';
import { scoreOf } from '../../evaluate/run-score.ts';
import { evaluationTask } from '../../evaluate/run-unit.ts';
import { withCondition } from '../../mdp/conditions/with-condition.ts';
import { loadMotionLibrary } from '../../motion/library/load-motion-library.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import { readEmbeddedLibrary } from '../../play/run-setup/embedded-library.ts';
import { readRunSetup } from '../../play/run-setup/read-run-setup.ts';
import type { Summary } from '../../protocol/schemas/evaluation.ts';
import { ADDED_FILES } from '../../runs/store/run-record.ts';
import type { EvaluateThreads } from './evaluate-threads.ts';
import type { UnitContent, UnitTask } from './messages.ts';

/** Plays the units of an evaluation in threads and stores the results. Units that an earlier process finished are not
 *  played again.
 *  @param signal aborted: the threads end at once; finished units stay  @returns whether it was completed
 *  @throws StudioError bad_input for an order that cannot be run, disk_full; Error if a thread crashes */
export async function playEvaluation(
  order: EvaluationOrder,
  units: readonly Unit[],
  threads: EvaluateThreads,
  signal: AbortSignal,
): Promise<boolean> {
  const { starts, horizonS, folder } = order;
  const known = listUnits(folder);
  const results = units.map(({ count }, unit) => (known.has(unit) ? readUnit(folder, unit, count) : null));
  const content = await prepare(order);
  const episodes = planEpisodes(content.library, starts, horizonS);
  const progress = new Progress(units, results);
  progress.print();
  await threads.play(content, tasksOf(units, episodes, results), (unit, result) => {
    writeUnit(folder, unit, result);
    results[unit] = result;
    progress.print();
  });
  if (signal.aborted) return false;
  const finished = finishEvaluation(order, units, results as UnitResult[], content.library.fps);
  writeResults(folder, finished);
  writeScore(order, finished.results.summary);
  printSummary(finished.results.summary);
  return true;
}

function printSummary(summary: readonly Summary[]): void {
  for (const { checkpoint, condition, success, tracked_share: share, errors } of summary)
    process.stdout.write(
      `[INFO] ${checkpoint || 'zero action'}, ${condition}: success ${(100 * success).toFixed(1)} %, tracked ${(100 * share).toFixed(1)} %, bodies ${errors.body_pos_local.toFixed(4)} m, joints ${errors.joint_pos.toFixed(4)} rad\n`,
    );
}

/** Stores the score of the run, which replaces the one of its training. */
function writeScore({ run, conditions, scores }: EvaluationOrder, summary: readonly Summary[]): void {
  const condition = conditions[0]!.name;
  const row = summary.find((one) => one.checkpoint === scores && one.condition === condition);
  const score = row && scoreOf(row);
  if (score) writeAtomicSync(path.join(run.folder, ADDED_FILES.evaluated), formatYaml(score));
}

/** Reads everything that the threads need. */
async function prepare(order: EvaluationOrder): Promise<UnitContent> {
  const { run, robot, checkpoints, conditions, seed } = order;
  const { facts } = robot;
  const setups = [];
  for (const checkpoint of checkpoints) setups.push(await readRunSetup({ ...run, checkpoint, facts }));
  const all = order.files ? await loadMotionLibrary(order.files, facts) : await readEmbeddedLibrary(run.folder, robot);
  const library: MotionLibrary = chosenClips(all, order.clips);
  const { trained } = setups[0]!;
  return {
    facts,
    physicsPath: robot.physicsPath,
    library,
    seed,
    policies: setups.map(({ policy }) => policy),
    configs: conditions.map((condition) => evaluationTask(withCondition(trained, condition, facts))),
  };
}

/** Prints the number of finished episodes, which the service reads as progress. */
class Progress {
  readonly #units: readonly Unit[];
  readonly #results: readonly (UnitResult | null)[];

  constructor(units: readonly Unit[], results: readonly (UnitResult | null)[]) {
    this.#units = units;
    this.#results = results;
  }

  print(): void {
    let done = 0;
    let all = 0;
    for (const [k, { count }] of this.#units.entries()) {
      all += count;
      if (this.#results[k]) done += count;
    }
    process.stdout.write(`[INFO] Evaluated ${done}/${all} episodes\n`);
  }
}

/** Returns the units that have no result, checkpoint by checkpoint. The longest units of a checkpoint come first, so
 *  that all threads end at about the same time. */
function tasksOf(
  units: readonly Unit[],
  episodes: readonly Episode[],
  results: readonly (UnitResult | null)[],
): UnitTask[] {
  const tasks: UnitTask[] = units.flatMap(({ checkpoint, condition, first, count }, unit) =>
    results[unit] ? [] : [{ unit, checkpoint, condition, first, episodes: episodes.slice(first, first + count) }],
  );
  const length = ({ episodes: own }: UnitTask) => Math.max(...own.map(({ steps }) => steps));
  return tasks.sort((a, b) => a.checkpoint - b.checkpoint || length(b) - length(a) || a.unit - b.unit);
}
