import { computed, effect, signal } from '@preact/signals';
import { messageOf } from '../../ui/message-of.ts';
import type { CheckReply, SavedPresets } from './saved-presets.ts';
import { bodyOf, type Draft, type TaskDrafts } from './task-drafts.ts';

/** The result of the service's check of a draft. */
export interface Check {
  /** the checked draft, as text */
  readonly of: string;
  /** why the draft cannot be saved; null if it can be saved */
  readonly problem: string | null;
  readonly yaml: string;
  readonly effect: CheckReply['effect'];
}

export interface CheckDeps {
  readonly drafts: Pick<TaskDrafts, 'draft'>;
  readonly presets: SavedPresets;
}

/** Time after the last change of a draft at which it is checked, ms. */
const QUIET_MS = 250;

/** Checks the draft with the service while the editor is open. */
export class DraftCheck {
  readonly #deps: CheckDeps;
  readonly check = signal<Check | null>(null);
  /** True while the check of the current draft has not ended. */
  readonly isChecking = computed(() => {
    const now = this.#deps.drafts.draft.value;
    return now !== null && this.check.value?.of !== textOf(now);
  });
  /** Problems that prevent the draft from being saved: fields with invalid texts first, otherwise the problem that the
   *  service found. */
  readonly problems = computed<readonly { readonly path: string; readonly text: string }[]>(() => {
    const now = this.#deps.drafts.draft.value;
    if (now === null) return [];
    const typed = Object.entries(now.bad).map(([path, { problem }]) => ({ path, text: `${path}: ${problem}` }));
    const check = this.check.value;
    if (typed.length > 0 || check?.problem == null || check.of !== textOf(now)) return typed;
    // The service's message begins with the path of the field.
    return [{ path: check.problem.slice(0, Math.max(0, check.problem.indexOf(': '))), text: check.problem }];
  });

  constructor(deps: CheckDeps) {
    this.#deps = deps;
  }

  /** Keeps `check` up to date. @returns a function that stops the checks */
  readonly startChecking = (): (() => void) => {
    const { drafts, presets } = this.#deps;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stop = new AbortController();
    const end = effect(() => {
      const now = drafts.draft.value;
      // Read these signals, because a changed module or file can change the result.
      void presets.presets.state.value.value;
      clearTimeout(timer);
      stop.abort();
      if (now === null) {
        this.check.value = null;
        return;
      }
      stop = new AbortController();
      const { signal: aborted } = stop;
      timer = setTimeout(() => void this.#ask(now, aborted), QUIET_MS);
    });
    return () => {
      end();
      clearTimeout(timer);
      stop.abort();
    };
  };

  async #ask(now: Draft, aborted: AbortSignal): Promise<void> {
    const { presets } = this.#deps;
    const of = textOf(now);
    const before = this.check.peek();
    let next: Check;
    try {
      if (now.kind === 'preset') {
        const { yaml, effect } = await presets.checkPreset(now.name, bodyOf(now), aborted);
        next = { of, problem: null, yaml, effect };
      } else {
        const { yaml } = await presets.checkModule(now.name, bodyOf(now), aborted);
        next = { of, problem: null, yaml, effect: null };
      }
    } catch (error) {
      next = { of, problem: messageOf(error), yaml: before?.yaml ?? '', effect: null };
    }
    if (!aborted.aborted) this.check.value = next;
  }
}

function textOf(draft: Draft): string {
  return JSON.stringify([draft.kind, draft.name, bodyOf(draft)]);
}
