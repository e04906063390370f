import { monotonicMs } from '../core/frame-ring.ts';
import type { SessionScene, WiringIndices } from '../scene/scene.ts';
import type { FrameBuilder } from '../sim/frame-builder.ts';
import type { EnvGroup } from './env-group.ts';
import { Pacer } from './pacer.ts';
import type { PlayCommand } from './plan.ts';
import { CLOCK, type PlayMemory } from './play-memory.ts';
import { PlayPainter } from './play-painter.ts';
import type { PlayScene, PlaySceneState } from './play-scene.ts';

/** An action on a running session. */
export type PlayAction =
  | { readonly kind: 'state'; readonly state: Partial<PlaySceneState> }
  | { readonly kind: 'change'; readonly command: PlayCommand; readonly state?: Partial<PlaySceneState> }
  /** Pauses, then takes one control step. */
  | { readonly kind: 'step' }
  /** Ends the session after its threads have ended. The scene keeps showing the last picture. */
  | { readonly kind: 'end' };

/** The parts that a play session is built from. */
export interface PlaySessionParts {
  readonly memory: PlayMemory;
  /** the threads of the session */
  readonly group: EnvGroup;
  readonly wiring: WiringIndices;
  /** duration of a frame, s */
  readonly frameS: number;
  /** called after a new picture is complete */
  readonly onStepped: () => void;
}

/** Makes a play session a scene: controls the speed of the environments, which run in other threads, and shows them. */
export class PlaySession implements SessionScene {
  readonly owner = 'play';
  readonly terrainVersion: number;
  readonly #group: EnvGroup;
  readonly #memory: PlayMemory;
  readonly #painter: PlayPainter;
  readonly #pacer: Pacer;
  readonly #stepS: number;
  readonly #onStepped: () => void;
  #state: PlaySceneState;
  #picture = 0;
  #changed = true;
  /** the advance in progress; the next one waits for it */
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(scene: PlayScene, { memory, group, wiring, frameS, onStepped }: PlaySessionParts) {
    this.terrainVersion = scene.terrainVersion;
    this.#group = group;
    this.#memory = memory;
    this.#painter = new PlayPainter(scene, memory, wiring);
    this.#stepS = scene.stepS;
    this.#pacer = new Pacer(scene.stepS, frameS);
    this.#onStepped = onStepped;
    this.#state = scene.state;
    this.#pacer.speed = scene.state.options.speed;
  }

  get maxFloats(): number {
    return this.#painter.maxFloats(this.#state.numEnvs);
  }

  /** Pauses the session. Called when another scene takes over the viewport. */
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

  /** Applies an action. Settles once the next frame will show its effect. */
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

  #setState(state: Partial<PlaySceneState>): void {
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
    // The owner of the threads reports the failure. A later `act` that waits for this advance also rejects with it.
    this.#advance(steps).catch(() => {});
  }

  /** Advances the environments after the advance in progress has ended. */
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
      // Compute the time from the number of steps, because a sum of 0.02 s steps drifts.
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
