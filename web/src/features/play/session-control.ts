import { type Signal, signal } from '@preact/signals';
import type { BodyOf } from '../../../../src/protocol/route.ts';
import type { setPlayOptions } from '../../../../src/protocol/routes/play.ts';
import type { PlaySession } from '../../../../src/protocol/schemas/play.ts';
import type { call } from '../../net/api.ts';
import { LatestSender } from '../../net/latest-sender.ts';
import { nextSpeed } from '../../ui/speeds.ts';
import type { remember, remembered } from '../../ui/stored.ts';
import type { LiveSession } from './live-session.ts';

export interface ControlDeps {
  readonly call: typeof call;
  readonly sessions: LiveSession;
  /** shows an error to the user */
  readonly failed: (what: string, error: unknown) => void;
  /** reads from and writes to the browser's storage */
  readonly remembered: typeof remembered;
  readonly remember: typeof remember;
  /** true if bodies are coloured by their error */
  readonly tinted: Signal<boolean>;
}

const GHOSTS = ['off', 'overlay', 'beside'] as const;
/** Largest speed of a push, m/s. */
export const PUSH_MOST = 3;
const PUSH_DEFAULT = 1.5;

/** Controls of the running session. A change is shown at once and reverted if the service refuses it. */
export class SessionControl {
  readonly #deps: ControlDeps;
  /** m/s */
  readonly pushSpeed = signal(PUSH_DEFAULT);
  /** Ends when the last change of options was sent. The next change is sent after it. */
  #options: Promise<unknown> = Promise.resolve();
  readonly #weights: LatestSender<string, number, PlaySession['rewards']>;

  constructor(deps: ControlDeps) {
    this.#deps = deps;
    const stored = Number(deps.remembered('push') ?? Number.NaN);
    if (stored > 0 && stored <= PUSH_MOST) this.pushSpeed.value = stored;
    this.#weights = new LatestSender(
      async (name, weight) =>
        (await deps.call('POST /api/play/rewards', { body: { rewards: { [name]: weight } } })).rewards,
      (_, rewards) => deps.sessions.patchSession({ rewards: [...rewards] }),
      (name, error) => {
        deps.failed(`The weight of ${name} could not be set`, error);
        this.#readAgain();
      },
    );
  }

  #readAgain(): void {
    const { sessions, failed } = this.#deps;
    sessions.refreshPlay().catch((error: unknown) => failed('The session could not be read', error));
  }

  /** Shows `shown`, sends the change, and shows the previous state again if the service refuses it. @returns the reply;
   *  null if the service refused the change */
  async #change<R>(what: string, shown: Partial<PlaySession>, send: () => Promise<R>): Promise<R | null> {
    const { sessions, failed } = this.#deps;
    const before = sessions.session.peek();
    if (before === null) return null;
    sessions.patchSession(shown);
    try {
      return await send();
    } catch (error) {
      const undone = Object.fromEntries(Object.keys(shown).map((key) => [key, before[key as keyof PlaySession]]));
      if (sessions.session.peek()?.id === before.id) sessions.patchSession(undone as Partial<PlaySession>);
      failed(what, error);
      this.#readAgain(); // The session may have ended or been replaced in the meantime.
      return null;
    }
  }

  readonly setPlaying = async (playing: boolean): Promise<void> => {
    await this.#change(
      playing ? 'The session could not be resumed' : 'The session could not be paused',
      { playing, state: playing ? 'running' : 'paused' },
      () => this.#deps.call('POST /api/play/playing', { body: { playing } }),
    );
  };

  readonly togglePlaying = (): void => {
    const now = this.#deps.sessions.session.peek();
    if (now !== null) void this.setPlaying(!now.playing);
  };

  /** Pauses the session and advances it by one control step. */
  readonly step = async (): Promise<void> => {
    const reply = await this.#change('The session could not be stepped', { playing: false, state: 'paused' }, () =>
      this.#deps.call('POST /api/play/step'),
    );
    if (reply !== null) this.#deps.sessions.playHud.simTime = reply.sim_time;
  };

  /** Restarts every environment. */
  readonly restart = async (): Promise<void> => {
    await this.#change('The environments could not be restarted', {}, () => this.#deps.call('POST /api/play/restart'));
  };

  readonly stopSession = async (): Promise<void> => {
    const { call, sessions, failed } = this.#deps;
    sessions.takePlay({ session: null });
    try {
      await call('POST /api/play/stop');
      await sessions.refreshPlay();
    } catch (error) {
      failed('The session could not be stopped', error);
      this.#readAgain();
    }
  };

  readonly focusEnv = async (index: number): Promise<void> => {
    const now = this.#deps.sessions.session.peek();
    if (now === null || index < 0 || index >= now.num_envs || index === now.focus) return;
    await this.#change(`Environment ${index} could not be focused`, { focus: index }, () =>
      this.#deps.call('POST /api/focus', { body: { index } }),
    );
  };

  /** Focuses the next (+1) or previous (−1) environment. After the last one follows the first. */
  readonly focusNext = (direction: 1 | -1): void => {
    const now = this.#deps.sessions.session.peek();
    if (now !== null) void this.focusEnv((now.focus + direction + now.num_envs) % now.num_envs);
  };

  /** Makes the focused environment repeat a clip. @param clip name of the clip; null: the task chooses clips again */
  readonly pinClip = async (clip: string | null): Promise<void> => {
    const now = this.#deps.sessions.session.peek();
    if (now === null) return;
    // A comparison gives all environments the same clip.
    const envs = now.compare ? now.compare.entries.map(({ env }) => env) : [now.focus];
    const others = now.pins.filter(({ env }) => !envs.includes(env));
    const pins = clip === null ? others : [...others, ...envs.map((env) => ({ env, clip }))];
    await this.#change(clip === null ? 'The clip could not be unpinned' : `${clip} could not be pinned`, { pins }, () =>
      this.#deps.call('POST /api/play/clip', { body: { clip, ...(now.compare ? {} : { env: now.focus }) } }),
    );
  };

  /** Changes options of the session. Concurrent changes are sent one after the other. */
  readonly setOptions = async (options: BodyOf<typeof setPlayOptions>): Promise<void> => {
    const { call, sessions } = this.#deps;
    const now = sessions.session.peek();
    if (now === null) return;
    const shown = { ...now.options, ...options } as PlaySession['options'];
    const before = this.#options;
    const sent = this.#change('The option could not be set', { options: shown }, () =>
      before.then(() => call('POST /api/play/options', { body: options })),
    );
    this.#options = sent;
    const reply = await sent;
    if (reply !== null && this.#options === sent) sessions.patchSession({ options: reply.options });
  };

  /** Colours bodies by their distance from the reference robot. Shows the reference robot if it is hidden. */
  readonly setTint = (on: boolean): void => {
    this.#deps.tinted.value = on;
    if (on && this.#deps.sessions.session.peek()?.options.ghost === 'off') void this.setOptions({ ghost: 'overlay' });
  };

  readonly cycleGhost = (): void => {
    const now = this.#deps.sessions.session.peek()?.options.ghost ?? 'off';
    void this.setOptions({ ghost: GHOSTS[(GHOSTS.indexOf(now) + 1) % GHOSTS.length]! });
  };

  /** Selects the next higher (+1) or lower (−1) speed of the menu. */
  readonly changeSpeed = (direction: 1 | -1): void => {
    const next = nextSpeed(this.#deps.sessions.session.peek()?.options.speed ?? 1, direction);
    if (next !== null) void this.setOptions({ speed: next });
  };

  /** @param speed m/s */
  readonly setPushSpeed = (speed: number): void => {
    this.pushSpeed.value = speed;
    this.#deps.remember('push', String(speed));
  };

  /** Pushes the robot of the focused environment in a random direction; in a comparison, all robots in the same
   *  direction. */
  readonly push = async (): Promise<void> => {
    const now = this.#deps.sessions.session.peek();
    if (now === null) return;
    await this.#change('The robot could not be pushed', {}, () =>
      this.#deps.call('POST /api/play/push', {
        body: { speed: this.pushSpeed.peek(), ...(now.compare ? {} : { env: now.focus }) },
      }),
    );
  };

  /** Sets the weight of a reward. The weight takes effect from the next step on. */
  readonly setWeight = (name: string, weight: number): void => {
    const { sessions } = this.#deps;
    const now = sessions.session.peek();
    if (now === null || !Number.isFinite(weight)) return;
    sessions.patchSession({ rewards: now.rewards.map((term) => (term.name === name ? { ...term, weight } : term)) });
    this.#weights.push(name, weight);
  };

  /** Resets every reward to the weight that the run was trained with. */
  readonly resetWeights = async (): Promise<void> => {
    const now = this.#deps.sessions.session.peek();
    if (now === null) return;
    const rewards = now.rewards.map((term) => ({ ...term, weight: term.default }));
    await this.#change('The weights could not be reset', { rewards }, () =>
      this.#deps.call('POST /api/play/rewards', {
        body: { rewards: Object.fromEntries(rewards.map(({ name, weight }) => [name, weight])) },
      }),
    );
  };
}
