import { computed, signal } from '@preact/signals';
import type { BodyOf, ReplyOf } from '../../../../src/protocol/route.ts';
import type { configurePlay, listPlayClips, listPlayLibraries } from '../../../../src/protocol/routes/play.ts';
import type { Run } from '../../../../src/protocol/schemas/jobs.ts';
import type { call } from '../../net/api.ts';
import type { runSlow } from '../../net/busy.ts';
import type { Loaded } from '../../ui/loadable.ts';
import { messageOf } from '../../ui/message-of.ts';
import type { toast } from '../../ui/toasts.ts';
import type { runs } from '../runs/runs-store.ts';
import { playable } from '../runs/shared/playable.ts';
import type { LiveSession } from './live-session.ts';

export type Library = ReplyOf<typeof listPlayLibraries>['libraries'][number];
export type PlayClip = ReplyOf<typeof listPlayClips>['clips'][number];
type Configure = BodyOf<typeof configurePlay>;

export interface SetupDeps {
  readonly call: typeof call;
  /** resolves when a slow task has ended: true after a success, false after a failure, which has then been shown to the
   *  user */
  readonly runSlow: typeof runSlow;
  /** returns the error of a slow task; null if the task did not fail */
  readonly taskError: (task: string) => string | null;
  readonly sessions: LiveSession;
  readonly runs: Pick<typeof runs, 'state' | 'refresh'>;
  readonly focusEnv: (index: number) => Promise<void>;
  readonly toast: typeof toast;
  /** shows an error to the user */
  readonly failed: (what: string, error: unknown) => void;
}

const NOTHING = { value: null, loading: false, error: null };

/** The user's choices for a session, and the functions that build a session from them. */
export class SessionSetup {
  readonly #deps: SetupDeps;
  /** Motion libraries that the selected run can play, with the path of that run. */
  readonly libraries = signal<Loaded<readonly Library[]> & { readonly run: string | null }>({ ...NOTHING, run: null });
  /** Clips of the session. */
  readonly clips = signal<Loaded<readonly PlayClip[]>>(NOTHING);
  /** Choices for the next session, made while there is no session. */
  readonly #wanted = signal<Configure>({});
  /** The request that is in progress. */
  readonly building = signal<Configure | null>(null);
  /** Error of the last request to build a session; null if it succeeded. */
  readonly buildError = signal<string | null>(null);
  /** The choices that the fields show. The first that exists is used: the request in progress, the session, the choices
   *  for the next session, the newest run. */
  readonly chosen = computed(() => {
    const building = this.building.value;
    const now = this.#deps.sessions.session.value;
    const wanted = this.#wanted.value;
    const path = this.#pathOf(now?.run ?? null, wanted.run);
    const run = this.#list().find((one) => one.path === path) ?? null;
    // The choices may be those of a run that is no longer listed, because it was deleted or the robot has changed.
    const own: Configure = now?.run === path ? now : wanted.run === path ? wanted : {};
    return {
      path,
      run,
      checkpoint: building?.checkpoint ?? own.checkpoint ?? run?.latest ?? '',
      motion: building?.motion ?? own.motion ?? this.#defaultLibrary(path),
      numEnvs: building?.num_envs ?? now?.num_envs ?? wanted.num_envs ?? 1,
      terminations: building?.terminations ?? now?.terminations ?? wanted.terminations ?? true,
    };
  });
  /** True if the selected run has no motion library, so that a session would have no motion to track. */
  readonly noClips = computed(() => {
    const { run, value } = this.libraries.value;
    return run === this.chosen.value.path && value?.length === 0 && this.#deps.sessions.session.value === null;
  });

  constructor(deps: SetupDeps) {
    this.#deps = deps;
  }

  #list(): readonly Run[] {
    return this.#deps.runs.state.value.value ?? [];
  }

  #pathOf(ofSession: string | null, wanted: string | undefined): string | null {
    const list = this.#list();
    const known = list.find((one) => one.path === wanted) ?? list.find(playable) ?? list[0];
    return this.building.value?.run ?? ofSession ?? known?.path ?? null;
  }

  #defaultLibrary(run: string | null): string {
    const own = this.libraries.value.run === run ? this.libraries.value.value : null;
    return own?.find((library) => library.default)?.path ?? '';
  }

  /** Changes a choice. The change takes effect at once if there is a session, otherwise in the next session. */
  readonly choose = (change: Configure): void => {
    this.buildError.value = null;
    if (this.#deps.sessions.session.peek() !== null) {
      const { value } = this.#deps.runs.state.peek();
      const run = change.run === undefined ? null : (value?.find((one) => one.path === change.run) ?? null);
      if (run === null) void this.configure(change);
      else void this.#switchRun(run);
      return;
    }
    const { path } = this.chosen.peek();
    const { num_envs, terminations, ...ofRun } = this.#wanted.peek();
    // Another run starts with its own newest checkpoint and library. Without another, the shown run is kept: the newest
    // one changes as soon as a training saves a checkpoint.
    const kept = {
      ...(change.run === undefined && ofRun.run === path ? ofRun : {}),
      ...(path === null ? {} : { run: path }),
      ...(num_envs === undefined ? {} : { num_envs }),
      ...(terminations === undefined ? {} : { terminations }),
    };
    this.#wanted.value = { ...kept, ...change };
  };

  /** Builds a session of another run with its newest checkpoint and default library. */
  async #switchRun(run: Run): Promise<void> {
    try {
      const { libraries } = await this.#deps.call('GET /api/play/libraries', { query: { run: run.path } });
      this.libraries.value = { value: libraries, loading: false, error: null, run: run.path };
      const motion = libraries.find((library) => library.default)?.path;
      const checkpoint = run.latest ?? '';
      await this.configure({ run: run.path, checkpoint, ...(motion === undefined ? {} : { motion }) });
    } catch (error) {
      this.buildError.value = messageOf(error);
      this.#deps.failed(`${run.path} could not be opened`, error);
    }
  }

  /** Builds a session from the choices in the pickers. @returns whether it was built */
  readonly start = (): Promise<boolean> => {
    const { path, checkpoint, motion, numEnvs, terminations } = this.chosen.peek();
    if (path === null) return Promise.resolve(false);
    return this.configure({
      run: path,
      checkpoint,
      ...(motion === '' ? {} : { motion }),
      num_envs: numEnvs,
      terminations,
    });
  };

  /** Builds a session or changes the current one. @returns true if it succeeded; after a failure false, and the failure
   *  has been shown to the user */
  readonly configure = async (body: Configure): Promise<boolean> => {
    const { call, runSlow, taskError, sessions, failed } = this.#deps;
    this.building.value = body;
    this.buildError.value = null;
    const what = 'The session could not be built';
    let done = false;
    try {
      const reply = await call('POST /api/play/configure', { body });
      if ('session' in reply) sessions.takePlay({ session: reply.session });
      const task = 'task' in reply ? reply.task : undefined;
      done = task === undefined || (await runSlow(what, async () => ({ task })));
      if (!done && task !== undefined) this.buildError.value = taskError(task);
      await sessions.refreshPlay();
    } catch (error) {
      this.buildError.value = messageOf(error);
      failed(what, error);
    }
    if (this.building.peek() === body) this.building.value = null;
    return done;
  };

  /** Reads the libraries of a run unless they are loaded or loading. */
  readonly loadLibraries = async (run: string): Promise<void> => {
    const known = this.libraries.peek();
    if (known.run === run && (known.value !== null || known.loading)) return;
    this.libraries.value = { value: null, loading: true, error: null, run };
    const take = (next: Loaded<readonly Library[]>) => {
      if (this.libraries.peek().run === run) this.libraries.value = { ...next, run };
    };
    try {
      const reply = await this.#deps.call('GET /api/play/libraries', { query: { run } });
      take({ value: reply.libraries, loading: false, error: null });
    } catch (error) {
      take({ value: null, loading: false, error: messageOf(error) });
    }
  };

  /** Reads the clips of the session. */
  readonly loadClips = async (): Promise<void> => {
    this.clips.value = { ...this.clips.peek(), loading: true };
    try {
      const { clips } = await this.#deps.call('GET /api/play/clips');
      this.clips.value = { value: clips, loading: false, error: null };
    } catch (error) {
      this.clips.value = { value: null, loading: false, error: messageOf(error) };
    }
  };

  /** Opens a link to Play: focuses the environment if the session plays the run, else selects the run. */
  readonly openRunLink = async (run: string, env: number | null): Promise<void> => {
    const { sessions, runs, focusEnv, toast } = this.#deps;
    await Promise.all([sessions.refreshPlay(), runs.refresh()]);
    const now = sessions.session.peek();
    if (now?.run === run) {
      if (env !== null) await focusEnv(env);
      return;
    }
    if (runs.state.peek().value?.some((one) => one.path === run) !== true) {
      toast('info', `The run ${run} was not found`, 'It belongs to another robot or was deleted.');
      return;
    }
    if (now === null) this.choose({ run });
  };
}
