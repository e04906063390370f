import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import type { BodyOf } from '../../protocol/route.ts';
import type { playWorst } from '../../protocol/routes/play.ts';
import type { Evaluation } from '../../protocol/schemas/evaluation.ts';
import type { BuildOrder } from './build-order.ts';
import type { PlayRequest } from './live-session.ts';
import type { PlayDeps } from './play-deps.ts';
import { checkpointOf, findLibrary } from './play-request.ts';
import { checkPlanMemory, planSession, threadsFor } from './session-plan.ts';

/** Time between the start of the session and the failure, s. */
const LEAD_S = 1;

/** Completes a request to play a failure of an evaluation: its checkpoint, condition, clip and seed, from one second
 *  before the failure, or from the start of the episode if that is later. Reads run, checkpoint and motion library.
 *  @throws bad_input naming the field, also for a row without a failure */
export async function worstOrder(
  { evaluation: name, row: index }: BodyOf<typeof playWorst>,
  deps: PlayDeps,
): Promise<BuildOrder> {
  const { runs } = deps;
  const robot = deps.robot();
  const evaluation = await deps.evaluation(name);
  const { row, failed } = failureOf(evaluation, index);
  const { protocol } = evaluation;
  const condition = protocol.conditions.find((one) => one.name === row.condition);
  if (!condition) throw badInput(`evaluation: ${quoteName(name)} has no condition ${quoteName(row.condition)}`);
  const run = await runs.find(evaluation.run);
  const checkpoint = checkpointOf(run, row.checkpoint);
  const library = findLibrary(protocol.motion, await runs.libraries(run, robot));
  const read = await runs.readLibrary(library, run, robot);
  const clip = read.clips.findIndex((one) => one.name === row.clip);
  if (clip < 0) throw badInput(`evaluation: the clip ${quoteName(row.clip)} is no longer in ${library.path}`);
  const last = read.clips[clip]!.frames - 1;
  const frame = Math.min(last, Math.max(row.worst.start, failed - Math.round(LEAD_S * protocol.control_hz), 0));
  const setup = await runs.setup(run, checkpoint, robot);
  const asked: PlayRequest = {
    run: run.path,
    checkpoint,
    motion: library.path,
    numEnvs: 1,
    terminations: true,
    seed: protocol.seed,
    compare: null,
    condition,
  };
  const plan = planSession(asked, setup, robot);
  const threads = threadsFor(plan.capacity, deps.threads);
  checkPlanMemory(plan, threads, library.rows);
  return { asked, task: setup.task, run, library, read, pin: { clip, frame }, plan, threads, robot };
}

function failureOf({ name, clips, status }: Evaluation, index: number) {
  const row = clips[index];
  if (!row)
    throw badInput(
      clips.length === 0
        ? `row: the evaluation ${quoteName(name)} has no results yet: it is ${status}`
        : `row: must be from 0 to ${clips.length - 1}, the rows of evaluation ${quoteName(name)}`,
    );
  const { failed } = row.worst;
  if (failed === null)
    throw badInput(
      `row: ${quoteName(row.checkpoint)} did not fail in ${quoteName(row.clip)} under ${quoteName(row.condition)}`,
    );
  return { row, failed };
}
