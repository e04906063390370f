import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { badInput } from '../../core/errors.ts';
import { planUnits } from '../../evaluate/episodes.ts';
import { type EvaluationOrder, ORDER_VERSION } from '../../evaluate/evaluation-order.ts';
import { EvaluateThreads } from './evaluate-threads.ts';

/** Runs an evaluation in threads of this process. The threads load MuJoCo while this one loads the code that reads runs
 *  and clips, and then reads them.
 *  @param signal aborted: the threads end at once; finished units stay  @returns whether it was completed
 *  @throws StudioError bad_input for an order that cannot be run, disk_full; Error if a thread crashes */
export async function runEvaluation(orderFile: string, signal: AbortSignal): Promise<boolean> {
  const order = JSON.parse(await readFile(orderFile, 'utf8')) as EvaluationOrder;
  if (order.version !== ORDER_VERSION)
    throw badInput('another version of motion-studio made this order: start the evaluation again');
  const { checkpoints, conditions, starts, clips } = order;
  const units = planUnits(clips.length * starts, checkpoints.length, conditions.length);
  const threads = new EvaluateThreads(Math.min(units.length, order.threads || availableParallelism()), signal);
  try {
    const { playEvaluation } = await import('./evaluate-units.ts');
    return await playEvaluation(order, units, threads, signal);
  } finally {
    await threads.end();
  }
}
