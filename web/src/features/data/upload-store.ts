import { computed, signal } from '@preact/signals';
import { call, urlOf } from '../../net/api.ts';
import { putFile } from '../../net/put-file.ts';
import type { ChosenFile } from '../../ui/chosen-files.ts';
import { dataDialog } from '../../ui/dialogs.ts';
import { count } from '../../ui/format.ts';
import { messageOf } from '../../ui/message-of.ts';
import { failed, toast } from '../../ui/toasts.ts';
import { chooseDataset, datasets, refreshListing } from './data-store.ts';
import { planUpload, type UploadPlan } from './upload-plan.ts';

/** What a person chose or dropped and has not sent yet. */
export const chosenUpload = signal<UploadPlan<File> | null>(null);

export interface Upload {
  readonly dataset: string;
  readonly state: 'running' | 'done' | 'cancelled';
  readonly files: number;
  readonly bytes: number;
  /** bytes that the network took */
  readonly sent: number;
  readonly done: number;
  readonly failures: readonly { readonly name: string; readonly reason: string }[];
  /** files on their way, each with the share that is sent */
  readonly active: readonly { readonly name: string; readonly share: number }[];
}
export const upload = signal<Upload | null>(null);
export const uploading = computed(() => upload.value?.state === 'running');

/** Requests at once: the service writes one file at a time to the disk anyway. */
const PARALLEL = 3;
let stop: AbortController | null = null;

window.addEventListener('beforeunload', (event) => {
  if (uploading.peek()) event.preventDefault(); // the browser asks whether to leave
});

export function chooseFiles(files: readonly ChosenFile<File>[]): void {
  chosenUpload.value = planUpload(files);
}

export function cancelUpload(): void {
  stop?.abort();
}

/** Sends the chosen files into a dataset, file by file; one that is refused does not stop the others.
 *  @param isNew creates the dataset first  @throws what the service says of the dataset's name */
export async function startUpload(plan: UploadPlan<File>, dataset: string, isNew: boolean): Promise<void> {
  if (uploading.peek()) return;
  if (isNew) await call('POST /api/data/new', { body: { name: dataset } });
  chosenUpload.value = null;
  const abort = new AbortController();
  stop = abort;
  upload.value = {
    dataset,
    state: 'running',
    files: plan.accepted.length,
    bytes: plan.bytes,
    sent: 0,
    done: 0,
    failures: [],
    active: [],
  };
  const waiting = [...plan.accepted];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined && !abort.signal.aborted; next = waiting.shift()) {
      await sendOne(dataset, next.file, next.name, abort.signal);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  await finish(dataset, abort.signal.aborted);
}

function change(next: (now: Upload) => Upload): void {
  const now = upload.peek();
  if (now !== null) upload.value = next(now);
}

async function sendOne(dataset: string, file: File, name: string, signal: AbortSignal): Promise<void> {
  let before = 0;
  const sent = (bytes: number) => {
    const by = Math.min(bytes, file.size) - before;
    before += by;
    const share = file.size === 0 ? 1 : before / file.size;
    change((now) => ({
      ...now,
      sent: now.sent + by,
      active: now.active.map((one) => (one.name === name ? { name, share } : one)),
    }));
  };
  const over = (now: Upload) => ({ active: now.active.filter((one) => one.name !== name) });
  change((now) => ({ ...now, active: [...now.active, { name, share: 0 }] }));
  try {
    await putFile(urlOf('PUT /api/data/upload/{dataset}/{file}', { dataset, file: name }, {}), file, sent, signal);
    sent(file.size);
    change((now) => ({ ...now, ...over(now), done: now.done + 1 }));
  } catch (error) {
    sent(signal.aborted ? before : file.size); // the bar counts what has been dealt with
    change((now) => ({
      ...now,
      ...over(now),
      failures: signal.aborted ? now.failures : [...now.failures, { name, reason: reasonOf(error, name) }],
    }));
  }
}

/** Why a file was not kept; the file is named beside it. */
function reasonOf(error: unknown, name: string): string {
  const text = messageOf(error);
  return text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text;
}

async function finish(dataset: string, cancelled: boolean): Promise<void> {
  change((now) => ({ ...now, state: cancelled ? 'cancelled' : 'done', active: [] }));
  try {
    const { datasets: sets } = await call('POST /api/data/uploaded');
    const robot = datasets.state.peek().value?.robot;
    if (robot !== undefined) datasets.set({ robot, datasets: sets });
  } catch (error) {
    failed('The datasets could not be read after the upload', error);
  }
  chooseDataset(dataset);
  refreshListing([]);
  const { done = 0, files = 0, failures = [] } = upload.peek() ?? {};
  if (dataDialog.peek()?.kind === 'upload') return; // it tells the same
  if (failures.length > 0) {
    const [first] = failures;
    toast('error', `${failures.length} of ${count(files, 'file')} not kept`, `${first?.name}: ${first?.reason}`, {
      label: 'Show all',
      run: () => {
        dataDialog.value = { kind: 'upload' };
      },
    });
  } else if (cancelled) toast('info', `Upload stopped after ${count(done, 'file')}`);
  else toast('ok', `${count(done, 'file')} uploaded to ${dataset}`);
}
