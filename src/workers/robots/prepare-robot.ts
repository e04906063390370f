import { StudioError } from '../../core/errors.ts';
import type { PreparedRobot } from '../../robots/prepared-robot.ts';
import { threadEntry } from '../thread-entry.ts';
import { runThrowAway } from '../throw-away.ts';
import type { FromPrepare, PrepareOrder } from './prepare-messages.ts';

/** s; a G1 with its meshes takes 2 to 8 s on two cores. */
const COMPILE_LIMIT_S = 60;

/** Compiles a robot in a thread of its own, or takes it from the cache.
 *  @throws StudioError bad_input when spec or model are not valid, unavailable when it takes too long */
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
