import type { BodyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { Clip } from '../../../../src/protocol/schemas/data.ts';
import { call } from '../../net/api.ts';
import { dataDialog } from '../../ui/dialogs.ts';
import { failed, toast } from '../../ui/toasts.ts';
import { clipAt, listing, refreshListing, rowOf, ticked, tickListed, visiblePages } from './data-store.ts';
import { preview } from './preview-store.ts';
import type { QaIssue } from './shared/clip-issues.ts';

type Marks = Omit<BodyOf<RouteByKey['POST /api/data/mark']>, 'dataset' | 'clips' | 'q'>;

/** Maximum number of clips per call to mark them. Their names fit into the size limit of a request. */
const AT_ONCE = 5000;

/** Marks clips and reloads the visible rows. @throws Error with the service's message */
export async function markClips(dataset: string, clips: readonly string[], marks: Marks): Promise<void> {
  for (let start = 0; start < clips.length; start += AT_ONCE)
    await call('POST /api/data/mark', { body: { dataset, clips: clips.slice(start, start + AT_ONCE), ...marks } });
  refreshListing(visiblePages.now);
}

/** Opens the dialog that marks clips. For a single loaded clip, the dialog starts with the clip's present marks. */
export function openMarks(dataset: string, clips: readonly string[], only: Clip | null = null): void {
  const row = clips.length === 1 ? rowOf(clips[0]!) : -1;
  const clip = only ?? (row < 0 ? null : clipAt(row));
  const now = clip && { exclude: clip.excluded, weight: clip.weight, tags: clip.tags };
  dataDialog.value = { kind: 'mark', dataset, clips, now };
}

/** Ticks all clips that match search and filter, and opens the dialog that marks them. */
export async function openMarksOfListed(dataset: string): Promise<void> {
  try {
    await tickListed();
    if (listing.peek().total !== 0) openMarks(dataset, [...ticked.peek()]);
  } catch (error) {
    failed('The clips could not be ticked', error);
  }
}

/** Ignores an issue of the open clip, or stops ignoring it. */
export async function ignoreIssue(issue: QaIssue, ignored: boolean): Promise<void> {
  const open = preview.peek();
  if (open?.dataset == null || open.clip === null) return;
  const same = (other: QaIssue) => other.kind === issue.kind && other.body === issue.body;
  const kept = (open.qa?.issues ?? []).filter((other) => other.ignored && !same(other));
  const ignore = new Map(
    [...kept, ...(ignored ? [issue] : [])].map(({ kind, body }) => [
      `${kind} ${body ?? ''}`,
      body === null ? { kind } : { kind, body },
    ]),
  );
  try {
    await markClips(open.dataset, [open.clip], { ignore: [...ignore.values()] });
    toast('ok', ignored ? 'The finding is ignored' : 'The finding counts again');
  } catch (error) {
    failed('The finding could not be marked', error);
  }
}
