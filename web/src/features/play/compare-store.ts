import { signal } from '@preact/signals';
import type { BodyOf } from '../../../../src/protocol/route.ts';
import type { comparePolicies } from '../../../../src/protocol/routes/play.ts';
import type { CompareLayout, PlaySession } from '../../../../src/protocol/schemas/play.ts';
import { call } from '../../net/api.ts';
import { runSlow } from '../../net/busy.ts';
import { goTo } from '../../ui/layout.ts';
import { failed } from '../../ui/toasts.ts';
import { refreshPlay, session } from './session-store.ts';
import { configure } from './setup-store.ts';

type Comparison = BodyOf<typeof comparePolicies>;
export type Entry = Comparison['entries'][number];

/** Maximum number of policies in a comparison. */
export const MOST_ENTRIES = 4;

/** Policies that the open dialog of comparisons shows first; null if the dialog is closed. */
export const compareDialog = signal<readonly Entry[] | null>(null);
/** True while a comparison is being built. */
export const comparing = signal(false);

/** Opens the dialog. @param entries policies to begin with; by default those of the session */
export function openCompare(entries?: readonly Entry[]): void {
  goTo('play');
  compareDialog.value = entries ?? entriesOf(session.peek());
}

function entriesOf(now: PlaySession | null): readonly Entry[] {
  if (now === null) return [];
  return (now.compare?.entries ?? [now]).map(({ run, checkpoint }) => ({ run, checkpoint }));
}

/** Builds a comparison. @returns true if it was built; after a failure false, and the failure has been shown to the
 *  user */
export async function compare(body: Comparison): Promise<boolean> {
  comparing.value = true;
  const done = await runSlow('The comparison could not be built', () => call('POST /api/play/compare', { body }));
  try {
    await refreshPlay();
  } catch (error) {
    failed('The session could not be read', error);
  }
  comparing.value = false;
  return done;
}

/** Changes the arrangement of the robots of the running comparison without restarting it. */
export async function arrange(now: PlaySession, layout: CompareLayout): Promise<void> {
  if (now.compare === null) return;
  const { clip, frame, seed } = now.compare;
  const start = clip === null ? {} : { clip, frame };
  await compare({ entries: [...entriesOf(now)], motion: now.motion, seed, ...start, layout });
}

/** Ends the comparison. The session continues with the first policy alone. */
export async function endComparison(now: PlaySession): Promise<void> {
  await configure({ run: now.run, checkpoint: now.checkpoint, motion: now.motion, num_envs: 1 });
}
