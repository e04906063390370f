import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { badInput, messageOf } from '../../core/errors.ts';
import { writeAtomicSync } from '../../core/files/atomic-file.ts';
import { formatYaml } from '../../core/yaml-file.ts';
import { chosenClips } from '../../evaluate/chosen-clips.ts';
import type { UnitResult } from '../../evaluate/episode-result.ts';
import { type Episode, planEpisodes, planUnits, type Unit } from '../../evaluate/episodes.ts';
import { listUnits, readUnit, writeResults, writeUnit } from '../../evaluate/evaluation-folder.ts';
import { type EvaluationOrder, ORDER_VERSION } from '../../evaluate/evaluation-order.ts';
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
import { threadEntry } from '../thread-entry.ts';
import { HEAP_MIB, heapLimits, isOutOfMemory } from '../thread-memory.ts';
import type { EvaluateThread, UnitAnswer, UnitTask } from './messages.ts';

/** Runs an evaluation in threads of this process. Units that an earlier process finished are not played again.
 *  @param signal aborted: the threads end at once; finished units stay  @returns whether it was completed
 *  @throws StudioError bad_input for an order that cannot be run, disk_full; Error if a thread crashes */
export async function runEvaluation(orderFile: string, signal: AbortSignal): Promise<boolean> {
  const order = JSON.parse(await readFile(orderFile, 'utf8')) as EvaluationOrder;
  if (order.version !== ORDER_VERSION)
    throw badInput('another version of motion-studio made this order: start the evaluation again');
  const thread = await prepare(order);
  const { library } = thread;
  const { checkpoints, conditions, starts, horizonS, folder } = order;
  const episodes = planEpisodes(library, starts, horizonS);
  const units = planUnits(episodes.length, checkpoints.length, conditions.length);
  const known = listUnits(folder);
  const results = units.map(({ count }, unit) => (known.has(unit) ? readUnit(folder, unit, count) : null));
  const progress = new Progress(units, results);
  progress.print();
  const threads = order.threads > 0 ? order.threads : availableParallelism();
  await playUnits(thread, { units, episodes, results, threads, signal }, (unit, result) => {
    writeUnit(folder, unit, result);
    results[unit] = result;
    progress.print();
  });
  if (signal.aborted) return false;
  const finished = finishEvaluation(order, units, results as UnitResult[], library.fps);
  writeResults(folder, finished);
  writeScore(order, finished.results.summary);
  for (const { checkpoint, condition, success, tracked_share: share, errors } of finished.results.summary)
    process.stdout.write(
      `[INFO] ${checkpoint || 'zero action'}, ${condition}: success ${(100 * success).toFixed(1)} %, tracked ${(100 * share).toFixed(1)} %, bodies ${errors.body_pos_local.toFixed(4)} m, joints ${errors.joint_pos.toFixed(4)} rad\n`,
    );
  return true;
}

/** Stores the score of the run, which replaces the one of its training. */
function writeScore({ run, conditions, scores }: EvaluationOrder, summary: readonly Summary[]): void {
  const condition = conditions[0]!.name;
  const row = summary.find((one) => one.checkpoint === scores && one.condition === condition);
  const score = row && scoreOf(row);
  if (score) writeAtomicSync(path.join(run.folder, ADDED_FILES.evaluated), formatYaml(score));
}

/** Reads everything that the threads need. */
async function prepare(order: EvaluationOrder): Promise<EvaluateThread> {
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

interface Work {
  readonly units: readonly Unit[];
  readonly episodes: readonly Episode[];
  /** null: not played yet */
  readonly results: readonly (UnitResult | null)[];
  readonly threads: number;
  readonly signal: AbortSignal;
}

/** Plays the units that have no result, checkpoint by checkpoint. The longest units of a checkpoint come first, so that
 *  all threads end at about the same time.
 *  @throws what `onResult` throws; Error if a thread crashes */
async function playUnits(
  thread: EvaluateThread,
  { units, episodes, results, threads, signal }: Work,
  onResult: (unit: number, result: UnitResult) => void,
): Promise<void> {
  const tasks: UnitTask[] = units.flatMap(({ checkpoint, condition, first, count }, unit) =>
    results[unit] ? [] : [{ unit, checkpoint, condition, first, episodes: episodes.slice(first, first + count) }],
  );
  const length = ({ episodes: own }: UnitTask) => Math.max(...own.map(({ steps }) => steps));
  tasks.sort((a, b) => a.checkpoint - b.checkpoint || length(b) - length(a) || a.unit - b.unit);
  const { url, execArgv } = threadEntry('evaluate', import.meta.url);
  const workers: Worker[] = [];
  const end = () => Promise.all(workers.map((worker) => worker.terminate()));
  const stop = () => void end();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.all(
      Array.from({ length: Math.min(threads, tasks.length) }, () => {
        const worker = new Worker(url, { execArgv, workerData: thread, resourceLimits: heapLimits() });
        workers.push(worker);
        return new Promise<void>((resolve, reject) => {
          worker.once('error', reject);
          worker.once('exit', (code) =>
            code === 0 || signal.aborted ? resolve() : reject(new Error(`a thread ended with ${code}`)),
          );
          worker.on('message', (answer: UnitAnswer) => {
            try {
              if (answer) onResult(answer.unit, answer.result);
            } catch (error) {
              reject(error);
              return;
            }
            worker.postMessage((tasks.shift() ?? null) satisfies UnitTask | null);
          });
        });
      }),
    );
  } catch (error) {
    await end();
    if (!isOutOfMemory(error)) throw error;
    throw new Error(`a thread needs more than ${HEAP_MIB} MiB of memory: ${messageOf(error)}`, { cause: error });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
