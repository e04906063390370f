import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import type { PlayAction } from '../../play/play-session.ts';
import type { BodyOf } from '../../protocol/route.ts';
import type { pinClip, pushRobot, setPlayOptions } from '../../protocol/routes/play.ts';
import type { PlayOptions, PlaySession } from '../../protocol/schemas/play.ts';
import type { LiveSession } from './live-session.ts';
import { clipIndex } from './play-request.ts';

/** The functions of the sessions that `PlayTransport` uses. */
export interface SessionHolder {
  /** @throws conflict without a running or paused session */
  require(): LiveSession;
  /** Applies an action and shows the session. Settles when the next frame shows it. */
  act(live: LiveSession, action: PlayAction): Promise<void>;
  changed(): void;
  focused(env: number): void;
}

/** Controls a running session. Each method's promise settles when the next frame shows the effect. @throws conflict
 *  without a session */
export class PlayTransport {
  readonly #sessions: SessionHolder;

  constructor(sessions: SessionHolder) {
    this.#sessions = sessions;
  }

  async setPlaying(playing: boolean | undefined): Promise<boolean> {
    const live = this.#sessions.require();
    const next = playing ?? !live.playing;
    // Store the state before it takes effect, so that a second toggle starts from it.
    live.playing = next;
    await this.#sessions.act(live, { kind: 'state', state: { playing: next } });
    this.#sessions.changed();
    return next;
  }

  async step(): Promise<number> {
    const live = this.#sessions.require();
    live.playing = false;
    await this.#sessions.act(live, { kind: 'step' });
    this.#sessions.changed();
    return live.simTime;
  }

  async restart(): Promise<void> {
    const live = this.#sessions.require();
    const generation = live.restart();
    await this.#sessions.act(live, { kind: 'change', command: { kind: 'restart', generation } });
    this.#sessions.changed();
  }

  async pin({ clip, env: asked, frame = 0 }: BodyOf<typeof pinClip>): Promise<void> {
    const live = this.#sessions.require();
    refuseEnvOfComparison(live, asked);
    const env = envOf(live, asked);
    const index = clip === null ? null : clipIndex(live.clips, clip, live.request.motion);
    const frames = index === null ? 0 : live.plan.library.clips[index]!.frames;
    if (index !== null && frame >= frames)
      throw badInput(`frame: must be from 0 to ${frames - 1}, the frames of clip ${quoteName(live.clips[index]!)}`);
    // Store the pin before it takes effect: a change of the number of environments in between can then remove it.
    live.pinned(env, index, frame);
    await this.#sessions.act(live, { kind: 'change', command: { kind: 'pin', env, clip: index, frame } });
    this.#sessions.changed();
  }

  async focus(index: number): Promise<number> {
    const live = this.#sessions.require();
    const env = envOf(live, index, 'index');
    live.ring(env, 'index');
    live.focus = env; // before it takes effect, as in `pin`
    await this.#sessions.act(live, { kind: 'state', state: { focus: env } });
    this.#sessions.focused(live.focus);
    this.#sessions.changed();
    return env;
  }

  async setOptions(body: BodyOf<typeof setPlayOptions>): Promise<PlayOptions> {
    const live = this.#sessions.require();
    const { ghost, ...rest } = body;
    const options: PlayOptions = {
      ...live.options,
      ...(rest as Partial<PlayOptions>),
      ...(ghost === undefined ? {} : { ghost: ghost === true ? 'overlay' : ghost === false ? 'off' : ghost }),
    };
    // Store the options before the scene shows them, so that requests that arrive in between start from them.
    live.options = options;
    await this.#sessions.act(live, { kind: 'state', state: { options } });
    this.#sessions.changed();
    return options;
  }

  async push({ speed, direction, env: asked }: BodyOf<typeof pushRobot>): Promise<void> {
    const live = this.#sessions.require();
    if (!Number.isFinite(speed)) throw badInput('speed: must be a finite number of m/s');
    if (direction !== undefined && !Number.isFinite(direction)) throw badInput('direction: must be finite, in rad');
    refuseEnvOfComparison(live, asked);
    const env = asked === undefined ? null : envOf(live, asked);
    const draw = () => direction ?? 2 * Math.PI * Math.random();
    const same = draw();
    const pushes = Array.from({ length: env === null ? live.request.numEnvs : 1 }, () => {
      const angle = live.request.compare ? same : draw();
      return { x: speed * Math.cos(angle), y: speed * Math.sin(angle) };
    });
    await this.#sessions.act(live, { kind: 'change', command: { kind: 'push', env, pushes } });
  }

  async setRewards(rewards: Readonly<Record<string, number>>): Promise<PlaySession['rewards']> {
    const live = this.#sessions.require();
    const names = live.rewardNames;
    for (const [name, weight] of Object.entries(rewards)) {
      if (!names.has(name))
        throw badInput(
          `rewards.${name}: the task ${live.task} does not have this reward; it has ${[...names].join(', ')}`,
        );
      if (!Number.isFinite(weight)) throw badInput(`rewards.${name}: must be a finite number`);
    }
    live.weights = live.threads.shape.signals.rewards.map((name, k) => rewards[name] ?? live.weights[k]!);
    await this.#sessions.act(live, { kind: 'change', command: { kind: 'rewards', weights: rewards } });
    this.#sessions.changed();
    return live.describe().rewards;
  }
}

/** Refuses a single environment in a comparison. @throws bad_input, because all environments of a comparison get the
 *  same clip and the same pushes */
function refuseEnvOfComparison(live: LiveSession, env: number | undefined): void {
  if (env !== undefined && live.request.compare)
    throw badInput(
      'env: not possible in a comparison, because all its environments get the same clip and the same pushes. Omit env.',
    );
}

function envOf(live: LiveSession, asked: number | undefined, field = 'env'): number {
  const env = asked ?? live.focus;
  if (env >= live.request.numEnvs)
    throw badInput(`${field}: must be from 0 to ${live.request.numEnvs - 1}, the environments of the session`);
  return env;
}
