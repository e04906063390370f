import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { didYouMean } from '../../core/nearest.ts';
import type { BodyOf } from '../../protocol/route.ts';
import type { configurePlay } from '../../protocol/routes/play.ts';
import type { RunRecord } from '../../runs/store/run-record.ts';
import type { LiveSession, PlayRequest } from './live-session.ts';
import type { PlayLibrary } from './play-libraries.ts';

/** Maximum number of names listed in a message. */
const SHOWN = 5;

/** Values for the fields that a call omits. */
export interface RequestDefaults {
  /** the last request, even if its session is still being built; null: none */
  readonly before: PlayRequest | null;
  readonly run: RunRecord;
  readonly libraries: readonly PlayLibrary[];
  readonly maxEnvs: number;
  /** seed for a request without one */
  readonly seed: number;
}

/** Completes a request: omitted fields keep the values of the last request. The checkpoint is not kept if the run
 *  changes.
 *  @throws bad_input naming the field */
export function completeRequest(
  body: BodyOf<typeof configurePlay>,
  { before, run, libraries, maxEnvs, seed }: RequestDefaults,
): PlayRequest {
  const former = before?.run === run.path ? before : null;
  const checkpoint = body.checkpoint ?? former?.checkpoint ?? run.checkpoints.at(-1)?.name;
  if (checkpoint === undefined) throw badInput(`run: ${quoteName(run.path)} has no checkpoint yet`);
  const names = run.checkpoints.map(({ name }) => name);
  if (checkpoint !== '' && !names.includes(checkpoint))
    throw badInput(
      `checkpoint: the run ${quoteName(run.path)} has no ${quoteName(checkpoint)}; ${hint(checkpoint, names)}`,
    );
  const kept = libraries.find((library) => library.path === before?.motion)?.path;
  const motion =
    body.motion ?? former?.motion ?? kept ?? (libraries.find((library) => library.default) ?? libraries[0])?.path;
  if (motion === undefined)
    throw badInput(`motion: the robot has no converted clips to play; convert a dataset of it first`);
  if (!libraries.some((library) => library.path === motion)) throw unknownLibrary(motion, libraries);
  const numEnvs = body.num_envs ?? before?.numEnvs ?? 1;
  checkNumEnvs(numEnvs, maxEnvs);
  return {
    run: run.path,
    checkpoint,
    motion,
    numEnvs,
    terminations: body.terminations ?? before?.terminations ?? true,
    seed: body.seed ?? before?.seed ?? seed,
  };
}

/** @throws bad_input if `numEnvs` is above `play.max_envs` of studio.yaml */
export function checkNumEnvs(numEnvs: number, maxEnvs: number): void {
  if (numEnvs > maxEnvs)
    throw badInput(`num_envs: must be an integer from 1 to ${maxEnvs} (play.max_envs in studio.yaml says so)`);
}

/** Whether the running session can be changed as requested without building a new one. */
export function fitsInPlace({ request, plan }: LiveSession, asked: PlayRequest): boolean {
  return (
    request.run === asked.run &&
    request.motion === asked.motion &&
    request.seed === asked.seed &&
    asked.numEnvs <= plan.capacity
  );
}

function unknownLibrary(motion: string, libraries: readonly PlayLibrary[]): Error {
  const paths = libraries.map((library) => library.path);
  return badInput(`motion: there is no library ${quoteName(motion)}; ${hint(motion, paths)}`);
}

function hint(word: string, known: readonly string[]): string {
  return didYouMean(word, known) ?? `there are ${known.slice(-SHOWN).join(', ')}`;
}
