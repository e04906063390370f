import { computed, effect, signal } from '@preact/signals';
import { messageOf } from '../../ui/message-of.ts';
import { bodyOf, draft } from './drafts-store.ts';
import { type CheckReply, checkModule, checkPreset, presets } from './presets-store.ts';

/** What the service says of the draft. */
export interface Check {
  /** of which draft, as text */
  readonly of: string;
  /** null: good */
  readonly problem: string | null;
  readonly yaml: string;
  readonly effect: CheckReply['effect'];
}

const QUIET_MS = 250;

export const check = signal<Check | null>(null);
/** The draft as the service has not seen it yet. */
export const isChecking = computed(() => {
  const now = draft.value;
  return now !== null && check.value?.of !== textOf(now);
});

/** Why the draft cannot be saved as a whole, null where it can: what is typed wrong comes first. */
export const problems = computed<readonly { readonly path: string; readonly text: string }[]>(() => {
  const now = draft.value;
  if (now === null) return [];
  const typed = Object.entries(now.bad).map(([path, { problem }]) => ({ path, text: `${path}: ${problem}` }));
  const said = check.value;
  if (typed.length > 0 || said?.problem == null || said.of !== textOf(now)) return typed;
  return [{ path: said.problem.slice(0, Math.max(0, said.problem.indexOf(': '))), text: said.problem }];
});

function textOf(now: NonNullable<typeof draft.value>): string {
  return JSON.stringify([now.kind, now.name, bodyOf(now)]);
}

/** Keeps `check` current while the editor is open. @returns how to end that */
export function startChecking(): () => void {
  let timer = 0;
  let stop = new AbortController();
  const end = effect(() => {
    const now = draft.value;
    // A module or file that changed may make another verdict.
    void presets.state.value.value;
    window.clearTimeout(timer);
    stop.abort();
    if (now === null) {
      check.value = null;
      return;
    }
    stop = new AbortController();
    const { signal: aborted } = stop;
    timer = window.setTimeout(() => void ask(now, aborted), QUIET_MS);
  });
  return () => {
    end();
    window.clearTimeout(timer);
    stop.abort();
  };
}

async function ask(now: NonNullable<typeof draft.value>, aborted: AbortSignal): Promise<void> {
  const of = textOf(now);
  const before = check.peek();
  try {
    if (now.kind === 'preset') {
      const { yaml, effect: comes } = await checkPreset(now.name, bodyOf(now), aborted);
      check.value = { of, problem: null, yaml, effect: comes };
    } else {
      const { yaml } = await checkModule(now.name, bodyOf(now), aborted);
      check.value = { of, problem: null, yaml, effect: null };
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    check.value = { of, problem: messageOf(error), yaml: before?.yaml ?? '', effect: null };
  }
}
