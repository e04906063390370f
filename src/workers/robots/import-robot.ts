import { StudioError } from '../../core/errors.ts';
import { inspectModel } from '../../protocol/routes/robot-import.ts';
import type { RobotSpec } from '../../protocol/schemas/robots.ts';
import type { CheckReport } from '../../robot-import/check/check-report.ts';
import { threadEntry } from '../thread-entry.ts';
import { runThrowAway } from '../throw-away.ts';
import type { FromImport, ImportOrder } from './import-messages.ts';

/** Wall time limit, s, equal to the deadline of the request. A G1 with its meshes needs 3 to 8 s on two cores. */
const LIMIT_S = inspectModel.deadlineS;

export type InspectedModel = Omit<Extract<FromImport, { type: 'inspected' }>, 'type'>;

/** Prepares and inspects a model in a separate thread: a hostile model can block or crash only this thread.
 *  @throws StudioError bad_input for an invalid model, unavailable on a timeout */
export async function inspectInThread(
  order: Omit<Extract<ImportOrder, { kind: 'inspect' }>, 'kind'>,
  signal: AbortSignal,
): Promise<InspectedModel> {
  const answer = await run({ kind: 'inspect', ...order }, `inspecting ${order.draft.model}`, signal);
  if (answer.type !== 'inspected') throw new Error(`inspect was answered by ${answer.type}`);
  return answer;
}

/** Checks a robot in a separate thread. @throws StudioError unavailable on a timeout */
export async function checkInThread(folder: string, spec: RobotSpec, signal: AbortSignal): Promise<CheckReport> {
  const answer = await run({ kind: 'check', folder, spec }, `checking ${spec.model}`, signal);
  if (answer.type !== 'checked') throw new Error(`check was answered by ${answer.type}`);
  return answer.report;
}

async function run(
  order: ImportOrder,
  doing: string,
  signal: AbortSignal,
): Promise<Exclude<FromImport, { type: 'failed' }>> {
  const entry = threadEntry('import-robot', import.meta.url);
  const answer = await runThrowAway<ImportOrder, FromImport>(entry, order, { limitS: LIMIT_S, doing, signal });
  if (answer.type !== 'failed') return answer;
  throw answer.code === 'internal' ? new Error(answer.detail) : new StudioError(answer.code, answer.detail);
}
