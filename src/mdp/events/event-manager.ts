import { badInput } from '../../core/errors.ts';
import { orMeant } from '../../core/nearest.ts';
import type { EventTermConfig } from '../task-config.ts';
import type { ApplyEvent, EventContext } from './event-term.ts';
import { EVENTS } from './events.ts';

interface Timed {
  readonly apply: ApplyEvent;
  readonly least: number;
  readonly most: number;
  /** (n) time until the next application, s */
  readonly left: Float64Array;
}

/** Applies the events of a task when they are due. */
export class EventManager {
  readonly #byMode: Readonly<Record<'startup' | 'reset' | 'step', ApplyEvent[]>> = { startup: [], reset: [], step: [] };
  readonly #timed: Timed[] = [];
  readonly #context: EventContext;

  constructor(config: Readonly<Record<string, EventTermConfig>>, context: EventContext) {
    this.#context = context;
    for (const [name, { func, mode, interval_range_s: interval, params }] of Object.entries(config)) {
      const term = Object.hasOwn(EVENTS, func) ? EVENTS[func] : undefined;
      if (!term) throw badInput(`events.${name}: no event is named "${func}"${orMeant(func, Object.keys(EVENTS))}`);
      const apply = term.make(context, params);
      if (mode !== 'interval') this.#byMode[mode].push(apply);
      else if (interval)
        this.#timed.push({ apply, least: interval[0], most: interval[1], left: new Float64Array(context.state.n) });
      else throw badInput(`events.${name}.interval_range_s: is required for an event of mode "interval"`);
    }
  }

  /** Applies the startup events. Call it once per environment. */
  startup(env: number): void {
    for (const apply of this.#byMode.startup) apply(env);
  }

  /** Applies the reset events at the start of an episode. */
  reset(env: number): void {
    for (let k = 0; k < this.#byMode.reset.length; k++) this.#byMode.reset[k]!(env);
    for (let k = 0; k < this.#timed.length; k++) this.#rewind(this.#timed[k]!, env);
  }

  /** Applies the events that are due after a control step. @returns whether an event changed the robot's velocity */
  step(env: number): boolean {
    let moved = false;
    for (let k = 0; k < this.#byMode.step.length; k++) if (this.#byMode.step[k]!(env)) moved = true;
    for (let k = 0; k < this.#timed.length; k++) {
      const timed = this.#timed[k]!;
      timed.left[env] = timed.left[env]! - this.#context.stepS;
      if (timed.left[env]! > 0) continue;
      if (timed.apply(env)) moved = true;
      this.#rewind(timed, env);
    }
    return moved;
  }

  #rewind({ left, least, most }: Timed, env: number): void {
    left[env] = this.#context.random.uniform(env, least, most);
  }
}
