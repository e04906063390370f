import type { PlayEvent } from '../play/plan.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import type { Transport } from '../scene/playback.ts';

/** Events between modules of the application. Clients see only the events of the event hub. */
export interface AppEventPayloads {
  /** A robot was added, removed or compiled again. The payload is its id. */
  'robot-changed': string;
  /** Another robot was selected, or the selected robot was compiled again. */
  'robot-selected': RobotFacts;
  /** The tasks of the selected robot may have changed. */
  'tasks-changed': null;
  /** The clip listing or the clip counts of a dataset changed. `dataset` is null if datasets were created or
   *  deleted. */
  'dataset-changed': { readonly robot: string; readonly dataset: string | null };
  /** Checks of clips of this dataset have ended; the dataset belongs to the selected robot. */
  'clips-checked': string;
  /** Environments whose rows are recorded were pushed, or their episodes ended. */
  'play-events': readonly PlayEvent[];
  /** A preview without looping has reached its last frame. */
  'preview-ended': Transport;
  /** The simulation thread crashed; a new one without a scene replaces it. */
  'sim-crashed': Error;
}

type Listener = (payload: never) => void | Promise<void>;

/** Calls the listeners of an event synchronously, in the order in which they subscribed. */
export class AppEvents {
  readonly #listeners = new Map<keyof AppEventPayloads, Listener[]>();

  on<E extends keyof AppEventPayloads>(
    event: E,
    listener: (payload: AppEventPayloads[E]) => void | Promise<void>,
  ): void {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  }

  /** Settles when all listeners have settled. @throws the first error of a listener */
  async emit<E extends keyof AppEventPayloads>(event: E, payload: AppEventPayloads[E]): Promise<void> {
    await Promise.all((this.#listeners.get(event) ?? []).map((listener) => listener(payload as never)));
  }
}
