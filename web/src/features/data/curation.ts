import type { BodyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { Clip } from '../../../../src/protocol/schemas/data.ts';
import { call } from '../../net/api.ts';
import { dataDialog } from '../../ui/dialogs.ts';
import { failed, toast } from '../../ui/toasts.ts';
import { clipAt, refreshListing, rowOf, visiblePages } from './data-store.ts';
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

/** Finds the clips with the best scores. @returns names, the best first; their duration, min; clips not checked yet
 *  @throws Error with the service's message */
export async function pickBest(dataset: string, minutes: number) {
  return call('POST /api/data/pick', { body: { dataset, minutes } });
}

/** Excludes all clips of a dataset except `kept`. @throws Error with the service's message */
export async function excludeOthers(dataset: string, kept: readonly string[]): Promise<void> {
  await call('POST /api/data/mark', { body: { dataset, q: '*', exclude: true } });
  await markClips(dataset, kept, { exclude: false });
}

/** Ignores an issue of the open clip, or stops ignoring it. Other ignored issues stay. */
export async function ignoreIssue({ kind, body }: QaIssue, ignored: boolean): Promise<void> {
  const open = preview.peek();
  if (open?.dataset == null || open.clip === null) return;
  const change = { ignore: [body === null ? { kind } : { kind, body }] };
  try {
    await markClips(open.dataset, [open.clip], ignored ? { add: change } : { remove: change });
    toast('ok', ignored ? 'Finding ignored' : 'Finding counted again');
  } catch (error) {
    failed(ignored ? 'The finding could not be ignored' : 'The finding could not be counted again', error);
  }
}
