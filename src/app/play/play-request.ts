import os from 'node:os';
import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { nearest } from '../../core/nearest.ts';
import type { BodyOf } from '../../protocol/route.ts';
import type { configurePlay } from '../../protocol/routes/play.ts';
import type { RunRecord } from '../../runs/store/run-record.ts';
import type { LiveSession, PlayRequest } from './live-session.ts';
import type { PlayLibrary } from './play-libraries.ts';

const MIB = 2 ** 20;
/** Memory left for the service and other programs. */
const RESERVE_BYTES = 256 * MIB;
/** Most names that a message lists. */
const SHOWN = 5;

/** Where a call leaves things open. */
export interface RequestDefaults {
  /** what was asked for last, be it still being built; null: nothing */
  readonly before: PlayRequest | null;
  readonly run: RunRecord;
  readonly libraries: readonly PlayLibrary[];
  readonly maxEnvs: number;
  /** of a session whose call names none */
  readonly seed: number;
}

/** What is asked for, defaults filled in: what the call leaves out is as it was asked for
 *  before, but for the checkpoint of another run.
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
  if (numEnvs > maxEnvs)
    throw badInput(`num_envs: must be an integer from 1 to ${maxEnvs} (play.max_envs in studio.yaml says so)`);
  return {
    run: run.path,
    checkpoint,
    motion,
    numEnvs,
    terminations: body.terminations ?? before?.terminations ?? true,
    seed: body.seed ?? before?.seed ?? seed,
  };
}

/** Whether a running session can be changed as requested, without a rebuild. */
export function fitsInPlace({ request, plan }: LiveSession, asked: PlayRequest): boolean {
  return (
    request.run === asked.run &&
    request.motion === asked.motion &&
    request.seed === asked.seed &&
    asked.numEnvs <= plan.capacity
  );
}

/** Bytes that a session may still use. */
function freeBytes(): number {
  // availableMemory includes the limits of a container; freemem counts unused memory alone.
  const available = (process as { availableMemory?: () => number }).availableMemory?.() ?? os.freemem();
  return Math.max(0, available - RESERVE_BYTES);
}

/** @param bytes that one more record takes, and those before it still will
 *  @throws bad_input with the figures */
export function checkRecordMemory(field: string, env: number, bytes: number, free = freeBytes()): void {
  if (bytes <= free) return;
  throw badInput(
    `${field}: to record environment ${env} too, ${Math.ceil(bytes / MIB)} MiB of memory are needed, ${Math.floor(free / MIB)} MiB are free; a new session begins without records`,
  );
}

/** @throws bad_input with the figures */
export function checkMemory(numEnvs: number, bytes: number): void {
  const free = freeBytes();
  if (bytes <= free) return;
  throw badInput(
    `num_envs: ${numEnvs} environments need about ${Math.ceil(bytes / MIB)} MiB of memory, ${Math.floor(free / MIB)} MiB are free; take fewer`,
  );
}

function unknownLibrary(motion: string, libraries: readonly PlayLibrary[]): Error {
  const paths = libraries.map((library) => library.path);
  return badInput(`motion: there is no library ${quoteName(motion)}; ${hint(motion, paths)}`);
}

function hint(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === null ? `there are ${known.slice(-SHOWN).join(', ')}` : `did you mean ${quoteName(near)}?`;
}
