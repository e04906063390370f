import { computed, signal } from '@preact/signals';
import type { BodyOf, ReplyOf } from '../../../../src/protocol/route.ts';
import type { configurePlay, listPlayClips, listPlayLibraries } from '../../../../src/protocol/routes/play.ts';
import type { Run } from '../../../../src/protocol/schemas/jobs.ts';
import { call } from '../../net/api.ts';
import { runSlow, tasks } from '../../net/busy.ts';
import { ownAction } from '../../net/scene-owner.ts';
import { Loadable, type Loaded } from '../../ui/loadable.ts';
import { messageOf } from '../../ui/message-of.ts';
import { failed, toast } from '../../ui/toasts.ts';
import { focusEnv } from './play-control.ts';
import { refreshPlay, session, takePlay } from './session-store.ts';

export type Library = ReplyOf<typeof listPlayLibraries>['libraries'][number];
export type PlayClip = ReplyOf<typeof listPlayClips>['clips'][number];
type Configure = BodyOf<typeof configurePlay>;

export const runs = new Loadable<readonly Run[]>(async () => (await call('GET /api/play/runs')).runs);

const nothing = { value: null, loading: false, error: null };
/** Motion libraries of the chosen run, and which run that is. */
export const libraries = signal<Loaded<readonly Library[]> & { readonly run: string | null }>({
  ...nothing,
  run: null,
});
/** Clips of the session. */
export const clips = signal<Loaded<readonly PlayClip[]>>(nothing);

/** What a new session is to be made of; a session's own fields count where there is one. */
const wanted = signal<Configure>({});
/** What was asked for and is being built. */
export const building = signal<Configure | null>(null);
/** Why the last session could not be built. */
export const buildError = signal<string | null>(null);

/** A run that can be played: it was read without error and has something to play. */
export function playable(run: Run): boolean {
  return run.error === null && run.checkpoints.length > 0;
}

/** What the pickers show: what is being built, else the session, else what was chosen, else the newest run. */
export const chosen = computed(() => {
  const now = session.value;
  const asked = { ...wanted.value, ...building.value };
  const list = runs.value ?? [];
  const path =
    building.value?.run ??
    now?.run ??
    list.find((one) => one.path === asked.run)?.path ??
    list.find(playable)?.path ??
    list[0]?.path ??
    null;
  const run = list.find((one) => one.path === path) ?? null;
  const ofSession = now !== null && now.run === path;
  const own = libraries.value.run === path ? libraries.value.value : null;
  return {
    path,
    run,
    checkpoint: building.value?.checkpoint ?? (ofSession ? now.checkpoint : (asked.checkpoint ?? run?.latest ?? '')),
    motion:
      building.value?.motion ??
      (ofSession ? now.motion : (asked.motion ?? own?.find((library) => library.default)?.path ?? '')),
    numEnvs: building.value?.num_envs ?? now?.num_envs ?? asked.num_envs ?? 1,
    terminations: building.value?.terminations ?? now?.terminations ?? asked.terminations ?? true,
  };
});

/** Whether the chosen run has nothing to track: no library at all. */
export const noClips = computed(
  () => libraries.value.run === chosen.value.path && libraries.value.value?.length === 0 && session.value === null,
);

/** Changes the choice: at once where a session runs, else for the session to come. */
export function choose(change: Configure): void {
  buildError.value = null;
  if (session.peek() !== null) {
    // another run starts with its own newest checkpoint and library
    const run =
      change.run === undefined ? null : (runs.state.peek().value?.find((one) => one.path === change.run) ?? null);
    if (run === null) void configure(change);
    else void switchRun(run);
    return;
  }
  wanted.value = change.run === undefined ? { ...wanted.peek(), ...change } : { ...own(wanted.peek()), ...change };
}

/** Fields that do not belong to a run. */
function own({ num_envs, terminations }: Configure): Configure {
  return {
    ...(num_envs === undefined ? {} : { num_envs }),
    ...(terminations === undefined ? {} : { terminations }),
  };
}

async function switchRun(run: Run): Promise<void> {
  try {
    const reply = await call('GET /api/play/libraries', { query: { run: run.path } });
    libraries.value = { value: reply.libraries, loading: false, error: null, run: run.path };
    const motion = reply.libraries.find((library) => library.default)?.path;
    await configure({ run: run.path, checkpoint: run.latest ?? '', ...(motion === undefined ? {} : { motion }) });
  } catch (error) {
    buildError.value = messageOf(error);
    failed(`${run.path} could not be opened`, error);
  }
}

/** Builds a session of what the pickers show. */
export function start(): Promise<boolean> {
  const { path, checkpoint, motion, numEnvs, terminations } = chosen.peek();
  if (path === null) return Promise.resolve(false);
  return configure({
    run: path,
    checkpoint,
    ...(motion === '' ? {} : { motion }),
    num_envs: numEnvs,
    terminations,
  });
}

/** Builds a session or changes the one there is. @returns whether it was done; a failure has been told */
export async function configure(body: Configure): Promise<boolean> {
  building.value = body;
  buildError.value = null;
  ownAction();
  const what = 'The session could not be built';
  let done = false;
  try {
    const reply = await call('POST /api/play/configure', { body });
    if ('session' in reply) takePlay({ session: reply.session });
    const task = 'task' in reply ? reply.task : undefined;
    done = task === undefined || (await runSlow(what, async () => ({ task })));
    if (!done && task !== undefined) buildError.value = taskError(task);
    await refreshPlay();
  } catch (error) {
    buildError.value = messageOf(error);
    failed(what, error);
  }
  if (building.peek() === body) building.value = null;
  return done;
}

function taskError(name: string): string | null {
  const task = tasks.peek().find((one) => one.task === name);
  return task?.state === 'failed' ? (task.error ?? task.message) : null;
}

/** Keeps the libraries those of a run. */
export async function loadLibraries(run: string): Promise<void> {
  if (libraries.peek().run === run && (libraries.peek().value !== null || libraries.peek().loading)) return;
  libraries.value = { value: null, loading: true, error: null, run };
  try {
    const reply = await call('GET /api/play/libraries', { query: { run } });
    if (libraries.peek().run === run) libraries.value = { value: reply.libraries, loading: false, error: null, run };
  } catch (error) {
    if (libraries.peek().run === run) libraries.value = { value: null, loading: false, error: messageOf(error), run };
  }
}

export async function loadClips(): Promise<void> {
  clips.value = { ...clips.peek(), loading: true };
  try {
    clips.value = { value: (await call('GET /api/play/clips')).clips, loading: false, error: null };
  } catch (error) {
    clips.value = { value: null, loading: false, error: messageOf(error) };
  }
}

/** Opens what a link to Play names: the environment of the session that runs it, else the run in the pickers. */
export async function openRunLink(run: string, env: number | null): Promise<void> {
  await Promise.all([refreshPlay(), runs.refresh()]);
  const now = session.peek();
  if (now?.run === run) {
    if (env !== null) await focusEnv(env);
    return;
  }
  if (runs.state.peek().value?.some((one) => one.path === run) !== true) {
    toast('info', `The run ${run} is not here`, 'It is of another robot, or was deleted.');
    return;
  }
  if (now === null) wanted.value = { ...wanted.peek(), run };
}
