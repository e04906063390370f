import { monotonicMs } from '../core/frame-ring.ts';
import type { PlayOptions } from '../protocol/schemas/play.ts';
import type { SessionScene, WiringIndices } from '../scene/scene.ts';
import type { FrameBuilder } from '../sim/frame-builder.ts';
import type { EnvGroup } from './env-group.ts';
import { Pacer } from './pacer.ts';
import type { PlayCommand } from './plan.ts';
import { CLOCK, type PlayMemory } from './play-memory.ts';
import { PlayPainter } from './play-painter.ts';

/** What the scene of a session is made of. Plain data and shared memory: crosses threads. */
export interface PlayStage {
  readonly buffer: SharedArrayBuffer;
  readonly nbody: number;
  readonly keybodies: number;
  readonly capacity: number;
  /** bodies that tracking compares, in the order of the shared memory's targets */
  readonly bodies: readonly number[];
  readonly clips: readonly string[];
  /** rows of a clip a second */
  readonly fps: number;
  readonly run: string;
  /** s of a control step */
  readonly stepS: number;
  readonly terrainVersion: number;
  readonly state: PlayStageState;
}

/** What of a session can change while it runs. */
export interface PlayStageState {
  readonly numEnvs: number;
  readonly focus: number;
  readonly playing: boolean;
  readonly options: PlayOptions;
}

/** Transport of a session. */
export type PlayAction =
  | { readonly kind: 'state'; readonly state: Partial<PlayStageState> }
  | { readonly kind: 'change'; readonly command: PlayCommand; readonly state?: Partial<PlayStageState> }
  /** Pauses, then takes one control step. */
  | { readonly kind: 'step' }
  /** The threads are gone: what was shown last stays. */
  | { readonly kind: 'end' };

/** A play session on stage: lets time pass for its environments, elsewhere, and shows them. */
export class PlaySession implements SessionScene {
  readonly owner = 'play';
  readonly terrainVersion: number;
  readonly #group: EnvGroup;
  readonly #memory: PlayMemory;
  readonly #painter: PlayPainter;
  readonly #pacer: Pacer;
  readonly #stepS: number;
  readonly #onStepped: () => void;
  #state: PlayStageState;
  #picture = 0;
  #changed = true;
  /** the advance under way, which the next one waits for */
  #running: Promise<void> | null = null;
  #closed = false;

  /** @param frameS of a frame @param onStepped hears that there is a new picture */
  constructor(
    stage: PlayStage,
    memory: PlayMemory,
    group: EnvGroup,
    robot: { readonly wiring: WiringIndices },
    frameS: number,
    onStepped: () => void,
  ) {
    this.terrainVersion = stage.terrainVersion;
    this.#group = group;
    this.#memory = memory;
    this.#painter = new PlayPainter(stage, memory, robot.wiring);
    this.#stepS = stage.stepS;
    this.#pacer = new Pacer(stage.stepS, frameS);
    this.#onStepped = onStepped;
    this.#state = stage.state;
    this.#pacer.speed = stage.state.options.speed;
  }

  get maxFloats(): number {
    return this.#painter.maxFloats(this.#state.numEnvs);
  }

  /** Losing the scene pauses. */
  pause(): void {
    this.#setState({ playing: false });
  }

  tick(dtS: number): boolean {
    if (this.#state.playing) {
      this.#pacer.pass(dtS);
      this.#memory.clock[CLOCK.realtimeFactor] = this.#pacer.realtimeFactor;
      if (!this.#running) {
        const steps = this.#pacer.take();
        if (steps > 0) this.#start(steps);
      }
    }
    const changed = this.#changed;
    this.#changed = false;
    return changed;
  }

  write(frame: FrameBuilder): void {
    this.#painter.write(frame, this.#picture, this.#state);
  }

  /** Applies what was asked for. Settles when the next frame shows it. */
  async act(action: PlayAction): Promise<void> {
    switch (action.kind) {
      case 'state':
        this.#setState(action.state);
        await this.#running;
        break;
      case 'change':
        this.#group.apply(action.command);
        if (action.state) this.#setState(action.state);
        await this.#advance(0);
        break;
      case 'step':
        this.#setState({ playing: false });
        await this.#advance(1);
        break;
      case 'end':
        this.#setState({ playing: false });
        this.close();
        break;
    }
    this.#changed = true;
  }

  close(): void {
    this.#closed = true;
    this.#group.close();
  }

  #setState(state: Partial<PlayStageState>): void {
    const { playing, options } = this.#state;
    this.#state = { ...this.#state, ...state };
    if (this.#state.options.speed !== options.speed) this.#pacer.speed = this.#state.options.speed;
    if (this.#state.playing !== playing) {
      if (this.#state.playing) this.#pacer.start();
      else this.#pacer.stop();
      this.#memory.clock[CLOCK.realtimeFactor] = 0;
    }
    this.#changed = true;
  }

  #start(steps: number): void {
    // A group that has failed is told of elsewhere; whoever waits for this advance hears of it as well.
    this.#advance(steps).catch(() => {});
  }

  /** Runs after whatever is under way. */
  async #advance(steps: number): Promise<void> {
    const before = this.#running;
    const mine = (async () => {
      if (before) await before;
      if (this.#closed) return;
      const began = monotonicMs();
      const next = 1 - this.#picture;
      await this.#group.advance(steps, next);
      if (this.#closed) return;
      this.#pacer.took(steps, (monotonicMs() - began) / 1e3);
      // From the count of steps: a sum of 0.02 s drifts.
      const { clock } = this.#memory;
      clock[CLOCK.simTime] = (Math.round(clock[CLOCK.simTime]! / this.#stepS) + steps) * this.#stepS;
      this.#picture = next;
      this.#changed = true;
      this.#onStepped();
    })();
    this.#running = mine;
    try {
      await mine;
    } finally {
      if (this.#running === mine) this.#running = null;
    }
  }
}
