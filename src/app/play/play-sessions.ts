import { collectGarbageSoon } from '../../core/collect-garbage.ts';
import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import { Latest } from '../../core/latest.ts';
import { countText, spanText } from '../../core/log/format-numbers.ts';
import { Mutex, unlessAborted } from '../../core/mutex.ts';
import type { Tagged } from '../../core/tagged.ts';

import type { PlayPlan } from '../../play/plan.ts';
import type { PlayAction } from '../../play/play-session.ts';
import type { StudioEvent } from '../../protocol/events.ts';
import type { BodyOf, ReplyOf } from '../../protocol/route.ts';
import type {
  comparePolicies,
  configurePlay,
  listPlayClips,
  listPlayLibraries,
  playWorst,
} from '../../protocol/routes/play.ts';
import type { PlayState } from '../../protocol/schemas/play.ts';
import type { RunRecord } from '../../runs/store/run-record.ts';
import { PlayThreads, type PlayThreadsListener } from '../../workers/play/play-threads.ts';
import type { Progress } from '../busy-tasks.ts';
import { RateLimit } from '../rate-limit.ts';
import type { SessionUse } from '../uses.ts';
import type { BuildOrder } from './build-order.ts';
import { comparisonOrder } from './comparison-order.ts';
import { LiveSession, type PlayRequest } from './live-session.ts';
import type { PlayDeps } from './play-deps.ts';
import { checkNumEnvs, completeRequest, fitsInPlace } from './play-request.ts';
import type { SessionHolder } from './play-transport.ts';
import { groundOf } from './session-ground.ts';
import { type BuildingSession, checkPlanMemory, describeBuilding, planSession, threadsFor } from './session-plan.ts';
import { worstOrder } from './worst-order.ts';

/** Minimum time between two state events, ms. Metrics alone cause one event per second. */
const STATE_EVENT_MS = 100;
const FIGURES_MS = 1000;
const SUBJECT = 'play';

/** Builds, changes and stops the play session of the selected robot. The previous session runs until the new one is
 *  built. */
export class PlaySessions implements SessionHolder {
  readonly #deps: PlayDeps;
  readonly #stateEvent: RateLimit;
  readonly #figuresTimer: NodeJS.Timeout;
  readonly #configuring = new Mutex();
  /** Each stop begins a new attempt, which supersedes earlier requests; a configure request joins the current
   *  attempt. */
  readonly #requests = new Latest(() => new StudioError('conflict', 'the session was stopped in the meantime'));
  #live: LiveSession | null = null;
  /** the focused environment that was last published */
  #focus = 0;
  /** the session being built */
  #building: BuildingSession | null = null;
  #lastId = 0;
  /** Epoch counter. It starts at the current time in seconds, so that epochs differ after a restart of the service. */
  #lastEpoch = Math.floor(Date.now() / 1000);

  constructor(deps: PlayDeps) {
    this.#deps = deps;
    this.#stateEvent = new RateLimit(STATE_EVENT_MS, () => deps.hub.publish('play', this.state()));
    this.#figuresTimer = setInterval(() => {
      if (this.#live?.playing && this.#live.error === null) this.#stateEvent.trigger();
    }, FIGURES_MS);
    this.#figuresTimer.unref();
    deps.hub.subscribe((event) => {
      if (event.topic === 'owner' && event.payload.owner !== 'play') this.#paused();
    });
  }

  /** The running session; null without one, or while the first one is being built. */
  get live(): LiveSession | null {
    return this.#live;
  }

  /** The session's own ground while the session is shown; otherwise null. */
  get ground(): Tagged<Uint8Array> | null {
    return this.#deps.owner.current === 'play' ? (this.#live?.ground.content ?? null) : null;
  }

  /** Returns the runs, motion libraries and clips that the running session and the session being built use. */
  uses(): SessionUse[] {
    const robot = this.#deps.robot().facts.id;
    const live = this.#usable();
    const building = this.#building?.request;
    return [
      ...(live ? usesOf(live.request, live.plan.facts.id, live.clips) : []),
      ...(building ? usesOf(building, robot, null) : []),
    ];
  }

  state(): PlayState {
    if (this.#live) return { session: this.#live.describe() };
    return { session: this.#building && describeBuilding(this.#building, this.#deps.robot().facts.id) };
  }

  /** Lists the motion libraries of a run. A run without checkpoints has libraries too: its training may just have
   *  started. */
  async libraries(name: string): Promise<ReplyOf<typeof listPlayLibraries>> {
    const run = await this.#deps.runs.findAny(name);
    const libraries = await this.#deps.runs.libraries(run, this.#deps.robot());
    return { run: run.path, libraries: libraries.map(({ rows: _, files: __, ...library }) => library) };
  }

  clips(): ReplyOf<typeof listPlayClips> {
    const library = this.#live?.plan.library;
    if (!library) return { clips: [] };
    const { fps } = library;
    return {
      clips: library.clips.map(({ name, frames }, index) => ({
        index,
        name,
        frames,
        fps,
        duration: (frames - 1) / fps,
      })),
    };
  }

  /** Changes the session in place or builds a new one, which is slow. Calls run one after another: omitted fields keep
   *  the values of the previous call. @param signal if it aborts, nothing is built
   *  @throws bad_input naming the wrong field */
  configure(body: BodyOf<typeof configurePlay>, signal: AbortSignal): Promise<ReplyOf<typeof configurePlay>> {
    const request = this.#requests.current;
    const checkWanted = () => {
      signal.throwIfAborted();
      request.throwIfStale();
    };
    return this.#configuring.run(() => unlessAborted(signal, () => this.#configure(body, checkWanted)));
  }

  /** @param checkWanted throws once the request was aborted or the session was stopped */
  async #configure(
    body: BodyOf<typeof configurePlay>,
    checkWanted: () => void,
  ): Promise<ReplyOf<typeof configurePlay>> {
    const { runs, maxEnvs } = this.#deps;
    const robot = this.#deps.robot();
    const live = this.#usable();
    const before = this.#building?.request ?? this.#live?.request ?? null;
    const name = body.run ?? before?.run;
    if (name === undefined)
      throw badInput('run: required, because there is no session. GET /api/play/runs lists the runs.');
    checkNumEnvs(body.num_envs ?? 1, maxEnvs);
    const run = await runs.find(name);
    const libraries = await runs.libraries(run, robot);
    checkWanted();
    const asked = completeRequest(body, { before, run, libraries, maxEnvs, seed: 0 });
    if (live && live === this.#usable() && fitsInPlace(live, asked)) return this.#change(live, run, asked);
    const setup = await runs.setup(run, asked.checkpoint, robot);
    const library = libraries.find(({ path }) => path === asked.motion)!;
    const plan = planSession(asked, setup, robot);
    const threads = threadsFor(plan.capacity, this.#deps.threads);
    checkPlanMemory(plan, threads, library.rows);
    checkWanted();
    const order = { asked, task: setup.task, run, library, read: null, pin: null, plan, threads, robot };
    return this.#startBuild(`Building a session of ${run.run}`, order);
  }

  /** Builds a session that plays several policies in lock step. If only the layout differs from the running comparison,
   *  changes the layout. @param signal if it aborts, nothing is built @throws bad_input naming the field */
  compare(body: BodyOf<typeof comparePolicies>, signal: AbortSignal): Promise<ReplyOf<typeof comparePolicies>> {
    const request = this.#requests.current;
    return this.#configuring.run(() =>
      unlessAborted(signal, async () => {
        const order = await comparisonOrder(body, this.#deps);
        signal.throwIfAborted();
        request.throwIfStale();
        const live = this.#usable();
        if (live && this.#building === null && differsInLayout(live.request, order.asked))
          return this.#arrange(live, order.asked);
        return this.#startBuild(
          `Building a comparison of ${countText(order.asked.numEnvs, 'policy', 'policies')}`,
          order,
        );
      }),
    );
  }

  /** Builds a session that plays the worst episode of a row of an evaluation, from one second before its failure.
   *  @param signal if it aborts, nothing is built  @throws bad_input naming the field */
  worst(body: BodyOf<typeof playWorst>, signal: AbortSignal): Promise<ReplyOf<typeof playWorst>> {
    const request = this.#requests.current;
    return this.#configuring.run(() =>
      unlessAborted(signal, async () => {
        const order = await worstOrder(body, this.#deps);
        signal.throwIfAborted();
        request.throwIfStale();
        return this.#startBuild(`Building the failure of ${order.run.run}`, order);
      }),
    );
  }

  #startBuild(label: string, order: BuildOrder): { readonly ok: true; readonly task: string } {
    const task = this.#deps.busy.start('play', label, SUBJECT, (progress) => this.#build(progress, order));
    return { ok: true, task };
  }

  #arrange(live: LiveSession, asked: PlayRequest): { readonly ok: true; readonly task: string } {
    const { layout } = asked.compare!;
    const task = this.#deps.busy.start('play', `Showing the robots ${layout}`, SUBJECT, async () => {
      await this.act(live, { kind: 'change', command: { kind: 'layout', layout } });
      live.request = asked;
      this.changed();
    });
    return { ok: true, task };
  }

  /** Stops the session immediately. Also cancels earlier requests that are still being checked. */
  async stop(): Promise<void> {
    const { busy, owner, sim } = this.#deps;
    this.#requests.begin();
    busy.supersede(SUBJECT);
    this.#building = null;
    const live = this.#live;
    this.#live = null;
    if (live) {
      this.focused(0);
      owner.release('play');
      await sim.call({ type: 'play-close', next: owner.current });
      await live.threads.terminate();
      collectGarbageSoon();
      this.#logStop(live, 'by request');
    }
    this.changed();
  }

  /** Ends the session after another robot was selected. */
  robotSelected(): void {
    this.#deps.busy.supersede(SUBJECT);
    this.#building = null;
    const live = this.#live;
    if (!live) return;
    this.#live = null;
    this.focused(0);
    this.#logStop(live, 'because another robot was selected');
    this.#endThreads(live);
    this.#deps.owner.release('play');
    this.changed();
  }

  /** Shows the session in a new simulation thread. */
  async rebuild(): Promise<void> {
    const live = this.#usable();
    if (!live) return;
    const shown = this.#deps.owner.current;
    await this.#stage(live);
    if (shown !== 'play') await this.#deps.sim.call({ type: 'show', owner: shown });
  }

  snapshot(): StudioEvent[] {
    return [
      { type: 'event', topic: 'focus', payload: { index: this.#live?.focus ?? 0 } },
      { type: 'event', topic: 'play', payload: { ...this.state(), by: null } },
    ];
  }

  async close(): Promise<void> {
    clearInterval(this.#figuresTimer);
    this.#deps.busy.supersede(SUBJECT);
    await this.#live?.threads.terminate();
  }

  /** Returns the running session; null if there is none or it has failed. */
  #usable(): LiveSession | null {
    return this.#live?.error === null ? this.#live : null;
  }

  /** Returns the running, paused or failed session. @throws conflict if there is none */
  find(): LiveSession {
    if (this.#live) return this.#live;
    throw new StudioError(
      'conflict',
      this.#building
        ? 'the session is being built. GET /api/busy reports its progress.'
        : 'there is no play session. Start one with POST /api/play/configure.',
    );
  }

  require(): LiveSession {
    const live = this.find();
    if (live.error !== null)
      throw new StudioError('conflict', `the session has failed: ${live.error}. Configure it again.`);
    return live;
  }

  async act(live: LiveSession, action: PlayAction): Promise<void> {
    const { sim, owner } = this.#deps;
    if (owner.current !== 'play') {
      await sim.call({ type: 'show', owner: 'play' });
      owner.take('play');
    }
    await sim.call({ type: 'play', action });
    if (this.#live !== live) throw new StudioError('conflict', 'the session has ended in the meantime');
  }

  async #build(progress: Progress, order: BuildOrder): Promise<void> {
    const { asked, task, run, robot } = order;
    const { runs, logger, owner } = this.#deps;
    this.#lastId += 1;
    const id = this.#lastId;
    this.#building = { request: asked, task, id, plan: order.plan };
    this.changed();
    let left: PlayThreads | null = null;
    try {
      progress.report('reading the motion library', 0.1);
      const library = order.read ?? (await runs.readLibrary(order.library, run, robot));
      const plan: PlayPlan = { ...order.plan, library };
      const ground = await groundOf(plan, this.#deps.nextVersion, this.#deps.groundMesh);
      progress.report('building the environments', 0.4);
      let live: LiveSession | null = null;
      const listener: PlayThreadsListener = {
        events: (events) => {
          live?.keepEvents(events);
          void this.#deps.events.emit('play-events', events);
        },
        warning: (message) => logger.warn(message),
        failed: (error) => live && this.#failed(live, error),
      };
      const threads = await PlayThreads.start(plan, order.threads, listener, progress.signal);
      left = threads;
      if (this.#deps.robot().physicsPath !== robot.physicsPath)
        throw new StudioError('conflict', 'another robot was selected in the meantime');
      live = new LiveSession({
        id,
        request: asked,
        task,
        plan,
        threads,
        ground,
        nextEpoch: () => ++this.#lastEpoch,
      });
      if (order.pin) {
        const { clip, frame } = order.pin;
        threads.apply({ kind: 'pin', env: 0, clip, frame });
        live.pinned(0, clip, frame);
      }
      progress.report('showing the session', 0.9);
      await this.#stage(live);
      if (progress.signal.aborted) {
        await this.#takeBack();
        return;
      }
      const former = this.#live;
      this.#live = live;
      left = null;
      owner.take('play');
      this.focused(0);
      await former?.threads.terminate();
      collectGarbageSoon();
      progress.outcome(`Session ${id} plays ${sessionText(asked, plan)}`);
    } finally {
      await left?.terminate();
      if (this.#building?.id === id) this.#building = null;
      this.changed();
    }
  }

  /** Restores the scene after a session was superseded while it was being shown. */
  async #takeBack(): Promise<void> {
    const { sim, owner } = this.#deps;
    const live = this.#usable();
    if (live) {
      await this.#stage(live);
      if (owner.current !== 'play') await sim.call({ type: 'show', owner: owner.current });
    } else if (!this.#building) {
      await sim.call({ type: 'play-close', next: owner.current });
    }
  }

  /** Shows a session in the scene. From then on the simulation thread advances it. */
  async #stage(live: LiveSession): Promise<void> {
    const ports = live.threads.connect();
    await this.#deps.sim.call({ type: 'play-open', stage: live.stage(), ports }, ports);
  }

  async #change(live: LiveSession, run: RunRecord, asked: PlayRequest): Promise<ReplyOf<typeof configurePlay>> {
    const { runs } = this.#deps;
    const before = live.request;
    const policy =
      asked.checkpoint === before.checkpoint
        ? undefined
        : (await runs.setup(run, asked.checkpoint, this.#deps.robot())).policy;
    if (policy) checkPolicy(live, policy.layers[0]?.inputs ?? 0);
    // This request supersedes the session that is being built.
    this.#deps.busy.supersede(SUBJECT);
    this.#building = null;
    if (live !== this.#usable()) throw new StudioError('conflict', 'the session has ended in the meantime');
    if (policy !== undefined) await this.act(live, { kind: 'change', command: { kind: 'policy', policy } });
    if (asked.terminations !== before.terminations)
      await this.act(live, { kind: 'change', command: { kind: 'terminations', on: asked.terminations } });
    if (asked.numEnvs !== before.numEnvs) {
      const { numEnvs } = asked;
      const focus = Math.min(live.focus, numEnvs - 1);
      // Store the number before it takes effect, so that requests that arrive in between are checked against it.
      live.request = { ...before, numEnvs };
      live.focus = focus;
      for (const env of live.pins.keys()) if (env >= numEnvs) live.pins.delete(env);
      await this.act(live, { kind: 'change', command: { kind: 'num-envs', numEnvs }, state: { numEnvs, focus } });
      this.focused(live.focus);
    }
    live.request = asked;
    this.#deps.logger.info(`Session ${live.id} changed: plays ${sessionText(asked, live.plan)}`);
    live.recordFromStart();
    // Show the session even if the request changes nothing.
    await this.act(live, { kind: 'state', state: {} });
    this.changed();
    return { ok: true, in_place: true, session: live.describe() };
  }

  #failed(live: LiveSession, error: Error): void {
    this.#deps.logger.error({ err: error }, `Session ${live.id} failed: ${error.message}`);
    if (this.#live !== live) return;
    live.error = error instanceof StudioError ? error.message : 'internal error: see the service log';
    live.playing = false;
    this.#endThreads(live);
    this.#deps.sim
      .call({ type: 'play', action: { kind: 'end' } })
      .catch((cause: unknown) => this.#deps.logger.warn({ err: cause }, messageOf(cause)));
    this.changed();
  }

  #logStop({ id, simTime, request: { run } }: LiveSession, why: string): void {
    this.#deps.logger.info(`Session ${id} of ${run} stopped ${why}, after ${spanText(simTime)} of simulation`);
  }

  #endThreads(live: LiveSession): void {
    live.threads
      .terminate()
      .then(collectGarbageSoon)
      .catch((error: unknown) => this.#deps.logger.warn({ err: error }, `ending the session: ${messageOf(error)}`));
  }

  #paused(): void {
    const live = this.#live;
    if (!live?.playing) return;
    live.playing = false;
    this.changed();
  }

  changed(): void {
    this.#stateEvent.trigger();
  }

  /** Publishes the focused environment if it has changed. */
  focused(env: number): void {
    if (env === this.#focus) return;
    this.#focus = env;
    this.#deps.hub.publish('focus', { index: env });
  }
}

/** Returns whether two requests ask for the same comparison, apart from its layout. */
function differsInLayout(one: PlayRequest, other: PlayRequest): boolean {
  if (!one.compare || !other.compare || one.compare.layout === other.compare.layout) return false;
  const { layout } = one.compare;
  return JSON.stringify(one) === JSON.stringify({ ...other, compare: { ...other.compare, layout } });
}

function usesOf(request: PlayRequest, robot: string, clips: readonly string[] | null): SessionUse[] {
  const { motion } = request;
  return (request.compare?.entries ?? [request]).map(({ run }) => ({ robot, run, motion, clips }));
}

function sessionText({ run, checkpoint, numEnvs, compare }: PlayRequest, { library }: PlayPlan): string {
  if (compare)
    return `${compare.entries.map((entry) => `${entry.run}, ${entry.checkpoint || 'zero action'}`).join(' beside ')}`;
  const policy = checkpoint === '' ? 'zero action' : checkpoint;
  return `${run}, ${policy}, in ${countText(numEnvs, 'environment')} on ${countText(library.clips.length, 'clip')}`;
}

function checkPolicy(live: LiveSession, inputs: number): void {
  const observed = live.threads.shape.signals.observations.reduce((sum, { dim }) => sum + dim, 0);
  if (inputs !== observed)
    throw badInput(`checkpoint: the policy expects ${inputs} observations, the session has ${observed}`);
}
