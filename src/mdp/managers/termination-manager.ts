import { badInput } from '../../core/errors.ts';
import { orMeant } from '../../core/nearest.ts';
import type { EnvState } from '../env-state.ts';
import type { TerminationTermConfig } from '../task-config.ts';
import type { ComputeTermination, ExplainTermination, TermContext, TerminationCause, TermLibrary } from '../term.ts';

/** Name of the termination for a state that is not finite. Every task has this termination. */
const DIVERGED = 'nan_detection';

/** Decides which episodes end. */
export class TerminationManager {
  /** the terminations of the task, then `nan_detection` unless the task has it */
  readonly names: readonly string[];
  /** (n) index of the first termination whose condition held in the last step, −1 for none */
  readonly cause: Int16Array;
  /** false: terminations are evaluated, but do not end episodes, except for a state that is not finite */
  enabled = true;
  readonly #state: EnvState;
  readonly #terms: {
    readonly compute: ComputeTermination;
    readonly timeOut: boolean;
    readonly explain: ExplainTermination | null;
  }[] = [];
  readonly #diverged: number;

  constructor(
    config: Readonly<Record<string, TerminationTermConfig>>,
    library: TermLibrary['terminations'],
    context: TermContext,
  ) {
    this.#state = context.state;
    for (const [name, { func, time_out, params }] of Object.entries(config)) {
      const term = Object.hasOwn(library, func) ? library[func] : undefined;
      if (!term)
        throw badInput(`terminations.${name}: no termination is named "${func}"${orMeant(func, Object.keys(library))}`);
      this.#terms.push({
        compute: term.make(context, params),
        timeOut: time_out,
        explain: term.explain?.(context, params) ?? null,
      });
    }
    const names = Object.keys(config);
    this.names = names.includes(DIVERGED) ? names : [...names, DIVERGED];
    this.#diverged = this.names.indexOf(DIVERGED);
    this.cause = new Int16Array(context.state.n).fill(-1);
  }

  /** @param finite whether the state is finite; if not, no term is computed
   *  @returns whether the episode ends */
  compute(env: number, finite: boolean): boolean {
    const { terminated, timedOut } = this.#state;
    let cause = finite ? -1 : this.#diverged;
    let failed = !finite;
    let late = false;
    if (finite)
      for (let k = 0; k < this.#terms.length; k++) {
        const { compute, timeOut } = this.#terms[k]!;
        if (!compute(env)) continue;
        if (cause < 0) cause = k;
        if (timeOut) late = true;
        else failed = true;
      }
    this.cause[env] = cause;
    const counts = this.enabled || !finite;
    terminated[env] = counts && failed ? 1 : 0;
    timedOut[env] = counts && late ? 1 : 0;
    return counts && (failed || late);
  }

  /** Returns the value measured by the termination whose condition held in the last step, before the reset. Null if no
   *  condition held, or if the termination does not measure a body. */
  explain(env: number): TerminationCause | null {
    const cause = this.cause[env]!;
    return cause < 0 ? null : (this.#terms[cause]?.explain?.(env) ?? null);
  }

  /** Clears the results of an environment after a requested reset. */
  forget(env: number): void {
    this.cause[env] = -1;
    this.#state.terminated[env] = 0;
    this.#state.timedOut[env] = 0;
  }
}
