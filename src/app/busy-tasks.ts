import { currentActor } from '../core/actor.ts';
import { StudioError } from '../core/errors.ts';
import { Latest } from '../core/latest.ts';
import type { Busy } from '../protocol/schemas/busy.ts';
import type { EventHub } from './event-hub.ts';

const RECENT = 50;

/** What a slow action can report while it runs. */
export interface Progress {
  /** Aborts when a newer action on the same subject supersedes this one. */
  readonly signal: AbortSignal;
  report(message: string, fraction?: number): void;
  /** Sets the `result` of the task. Clients see it after the task has ended successfully. */
  made(result: Readonly<Record<string, unknown>>): void;
  /** Sets the sentence that is logged once the task is done. */
  outcome(text: string): void;
}

/** How a slow action ended, for the log. */
export interface TaskEnd {
  readonly kind: string;
  readonly label: string;
  readonly state: 'done' | 'failed' | 'superseded';
  readonly seconds: number;
  /** the sentence passed to `Progress.outcome`; null: no outcome is logged */
  readonly outcome: string | null;
  /** value thrown by a failed action */
  readonly error: unknown;
}

interface Running {
  busy: Busy;
  readonly kind: string;
  readonly startMs: number;
  outcome: string | null;
  result: Busy['result'];
  readonly ended: Promise<Busy>;
}

/** Runs slow actions. `start` returns the task's name at once; `busy` events report its progress. */
export class BusyTasks {
  readonly #hub: EventHub;
  readonly #onEnd: (end: TaskEnd) => void;
  readonly #active = new Map<string, Running>();
  /** the running task of each subject */
  readonly #subjects = new Map<string, Latest>();
  readonly #recent: Busy[] = [];
  readonly #counts = new Map<string, number>();

  /** @param onEnd called when an action has ended, for the log */
  constructor(hub: EventHub, onEnd: (end: TaskEnd) => void) {
    this.#hub = hub;
    this.#onEnd = onEnd;
  }

  /** Starts `work` in the background and returns the task's name, such as `select-2`.
   *  A running task of the same `subject` is superseded: its signal aborts and its result is ignored.
   *  @param work may return a text, which becomes the last message of the task */
  start(kind: string, label: string, subject: string, work: (progress: Progress) => Promise<unknown>): string {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const task = `${kind}-${count}`;
    const latest = this.#subjects.get(subject) ?? new Latest();
    this.#subjects.set(subject, latest);
    const attempt = latest.begin();
    let settle: (busy: Busy) => void = () => {};
    const running: Running = {
      busy: {
        task,
        label,
        state: 'running',
        progress: null,
        message: '',
        error: null,
        by: currentActor(),
        started: new Date().toISOString(),
        ended: null,
        result: null,
      },
      kind,
      startMs: performance.now(),
      outcome: null,
      result: null,
      ended: new Promise((resolve) => {
        settle = resolve;
      }),
    };
    attempt.signal.addEventListener('abort', () => {
      if (running.busy.state === 'running') this.#finish(running, 'superseded', null);
      settle(running.busy);
    });
    this.#active.set(task, running);
    this.#hub.publish('busy', running.busy);
    const end = (state: 'done' | 'failed', error: string | null, message = '', thrown: unknown = null) => {
      if (running.busy.state !== 'running') return;
      if (attempt.isCurrent) this.#subjects.delete(subject);
      this.#finish(running, state, error, message, thrown);
      settle(running.busy);
    };
    const progress: Progress = {
      signal: attempt.signal,
      report: (message, fraction) => {
        if (running.busy.state !== 'running') return;
        running.busy = { ...running.busy, message, progress: fraction ?? running.busy.progress };
        this.#hub.publish('busy', running.busy);
      },
      made: (result) => {
        running.result = { ...result };
      },
      outcome: (text) => {
        running.outcome = text;
      },
    };
    work(progress).then(
      (message) => end('done', null, typeof message === 'string' ? message : ''),
      (error: unknown) => {
        const text = error instanceof StudioError ? error.message : 'internal error: see the service log';
        end('failed', text, '', error);
      },
    );
    return task;
  }

  /** Supersedes the running task of `subject`, if any. */
  supersede(subject: string): void {
    const latest = this.#subjects.get(subject);
    this.#subjects.delete(subject);
    latest?.begin();
  }

  /** Waits until `task` ends, at most `seconds`. @returns the state of the task at that time, null for an unknown
   *  task */
  async wait(task: string, seconds: number): Promise<Busy | null> {
    const running = this.#active.get(task);
    if (!running) return this.#recent.find((busy) => busy.task === task) ?? null;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, seconds * 1e3);
    });
    await Promise.race([running.ended, timeout]);
    clearTimeout(timer);
    return running.busy;
  }

  list(): { active: Busy[]; recent: Busy[] } {
    return { active: [...this.#active.values()].map((running) => running.busy), recent: [...this.#recent] };
  }

  #finish(running: Running, state: TaskEnd['state'], error: string | null, message = '', thrown: unknown = null): void {
    running.busy = {
      ...running.busy,
      state,
      error,
      message: state === 'done' ? message : running.busy.message,
      progress: state === 'done' ? 1 : running.busy.progress,
      ended: new Date().toISOString(),
      result: state === 'done' ? running.result : null,
    };
    this.#active.delete(running.busy.task);
    this.#recent.unshift(running.busy);
    this.#recent.length = Math.min(this.#recent.length, RECENT);
    this.#hub.publish('busy', running.busy);
    const { kind, startMs, outcome, busy } = running;
    const seconds = (performance.now() - startMs) / 1e3;
    this.#onEnd({ kind, label: busy.label, state, seconds, outcome, error: thrown });
  }
}
