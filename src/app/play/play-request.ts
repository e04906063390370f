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
  /** the last request, even if its session is still being built; null if there was none */
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
  const checkpoint = checkpointOf(run, body.checkpoint ?? former?.checkpoint);
  const kept = libraries.find((library) => library.path === before?.motion)?.path;
  const motion =
    body.motion ?? former?.motion ?? kept ?? (libraries.find((library) => library.default) ?? libraries[0])?.path;
  const numEnvs = body.num_envs ?? before?.numEnvs ?? 1;
  checkNumEnvs(numEnvs, maxEnvs);
  return {
    run: run.path,
    checkpoint,
    motion: findLibrary(motion, libraries).path,
    numEnvs,
    terminations: body.terminations ?? before?.terminations ?? true,
    seed: body.seed ?? before?.seed ?? seed,
    compare: null,
    condition: namesPolicy(body) ? null : (before?.condition ?? null),
  };
}

/** Returns whether a request changes the run, the checkpoint or the motion library. Such a request ends the evaluation
 *  condition of a session. */
function namesPolicy({ run, checkpoint, motion }: BodyOf<typeof configurePlay>): boolean {
  return run !== undefined || checkpoint !== undefined || motion !== undefined;
}

/** Returns the name of a checkpoint of a run. @param asked '': zero action; undefined: the latest checkpoint
 *  @throws bad_input for an unknown checkpoint */
export function checkpointOf(run: RunRecord, asked: string | undefined): string {
  const checkpoint = asked ?? run.checkpoints.at(-1)?.name;
  if (checkpoint === undefined) throw badInput(`run: ${quoteName(run.path)} has no checkpoint yet`);
  const names = run.checkpoints.map(({ name }) => name);
  if (checkpoint !== '' && !names.includes(checkpoint))
    throw badInput(
      `checkpoint: the run ${quoteName(run.path)} has no ${quoteName(checkpoint)}; ${hint(checkpoint, names)}`,
    );
  return checkpoint;
}

/** Returns the library with this path. @throws bad_input for an unknown path */
export function findLibrary(motion: string | undefined, libraries: readonly PlayLibrary[]): PlayLibrary {
  if (motion === undefined)
    throw badInput(`motion: the robot has no converted clips to play; convert a dataset of it first`);
  const library = libraries.find(({ path }) => path === motion);
  if (!library) throw unknownLibrary(motion, libraries);
  return library;
}

/** Returns the index of a clip of a motion library. @throws bad_input for an unknown clip */
export function clipIndex(clips: readonly string[], clip: string | number, motion: string): number {
  const index = typeof clip === 'number' ? clip : clips.indexOf(clip);
  if (index >= 0 && index < clips.length) return index;
  throw badInput(
    typeof clip === 'number'
      ? `clip: must be from 0 to ${clips.length - 1}, the clips of the library`
      : `clip: the library ${quoteName(motion)} has no clip ${quoteName(clip)}`,
  );
}

/** @throws bad_input if `numEnvs` is above `play.max_envs` of studio.yaml */
export function checkNumEnvs(numEnvs: number, maxEnvs: number): void {
  if (numEnvs > maxEnvs)
    throw badInput(`num_envs: must be an integer from 1 to ${maxEnvs} (play.max_envs in studio.yaml)`);
}

/** Returns whether the running session can be changed as requested without building a new one. */
export function fitsInPlace({ request, plan }: LiveSession, asked: PlayRequest): boolean {
  return (
    request.compare === null &&
    request.condition === asked.condition &&
    request.run === asked.run &&
    request.motion === asked.motion &&
    request.seed === asked.seed &&
    asked.numEnvs <= plan.capacity
  );
}

function unknownLibrary(motion: string, libraries: readonly PlayLibrary[]): Error {
  const paths = libraries.map((library) => library.path);
  return badInput(`motion: unknown motion library ${quoteName(motion)}; ${hint(motion, paths)}`);
}

function hint(word: string, known: readonly string[]): string {
  return didYouMean(word, known) ?? `available: ${known.slice(-SHOWN).join(', ')}`;
}
