import { StudioError } from '../../core/errors.ts';
import { inspectModel } from '../../protocol/routes/robot-import.ts';
import type { PreparedRobot } from '../../robots/prepared-robot.ts';
import { threadEntry } from '../thread-entry.ts';
import { runThrowAway } from '../throw-away.ts';
import type { FromPrepare, PrepareOrder } from './prepare-messages.ts';

/** Wall time limit, s. It equals the limit of an inspection, so a robot that can be inspected can also be saved and
 *  selected. A G1 with its meshes needs 2 to 8 s on two cores. */
const COMPILE_LIMIT_S = inspectModel.deadlineS;

/** Compiles a robot in a separate thread, or returns it from the cache.
 *  @throws StudioError bad_input for an invalid spec or model, unavailable on a timeout */
export async function prepareInThread(order: PrepareOrder, signal?: AbortSignal): Promise<PreparedRobot> {
  const entry = threadEntry('prepare-robot', import.meta.url);
  const answer = await runThrowAway<PrepareOrder, FromPrepare>(entry, order, {
    limitS: COMPILE_LIMIT_S,
    doing: `compiling ${order.source.id}`,
    ...(signal ? { signal } : {}),
  });
  if (answer.type === 'failed') {
    throw answer.code === 'internal' ? new Error(answer.detail) : new StudioError(answer.code, answer.detail);
  }
  return answer.robot;
}
