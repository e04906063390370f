import { computed, signal } from '@preact/signals';
import { urlOf } from '../../../../src/protocol/http-client.ts';
import type { ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { call } from '../../net/api.ts';
import type { putFile } from '../../net/put-file.ts';
import { undoButton } from '../../net/undo.ts';
import type { ChosenFile } from '../../ui/chosen-files.ts';
import type { dataDialog } from '../../ui/dialogs.ts';
import { count } from '../../ui/format.ts';
import { messageOf } from '../../ui/message-of.ts';
import type { failed, toast } from '../../ui/toasts.ts';
import type { chooseDataset, datasets, refreshListing } from './data-store.ts';
import { planUpload, type UploadPlan } from './upload-plan.ts';

export interface Upload {
  readonly dataset: string;
  readonly state: 'running' | 'done' | 'cancelled';
  readonly files: number;
  readonly bytes: number;
  /** bytes sent over the network */
  readonly sent: number;
  readonly done: number;
  readonly failures: readonly { readonly name: string; readonly reason: string }[];
  /** files being sent, each with the share already sent */
  readonly active: readonly { readonly name: string; readonly share: number }[];
}

/** Maximum number of parallel requests: the service writes one file at a time to the disk anyway. */
const PARALLEL = 3;

/** Dependencies of ClipUpload. */
export interface ClipUploadDeps {
  readonly call: typeof call;
  readonly putFile: typeof putFile;
  readonly dataDialog: typeof dataDialog;
  readonly failed: typeof failed;
  readonly toast: typeof toast;
  readonly chooseDataset: typeof chooseDataset;
  readonly datasets: typeof datasets;
  readonly refreshListing: typeof refreshListing;
}

/** The chosen files and their upload to a dataset, several files at a time. */
export class ClipUpload {
  readonly #deps: ClipUploadDeps;

  /** Files that were chosen or dropped but not sent yet. */
  readonly chosenUpload = signal<UploadPlan<File> | null>(null);
  readonly upload = signal<Upload | null>(null);
  readonly uploading = computed(() => this.upload.value?.state === 'running');
  #stop: AbortController | null = null;
  /** tokens that restore replaced clips */
  #undos: (string | null)[] = [];

  readonly chooseFiles = (files: readonly ChosenFile<File>[]): void => {
    this.chosenUpload.value = planUpload(files);
  };

  readonly cancelUpload = (): void => {
    this.#stop?.abort();
  };

  /** Uploads the chosen files to a dataset. A refused file does not stop the others.
   *  @param isNew creates the dataset first  @throws Error with the service's message about the dataset's name */
  readonly startUpload = async (plan: UploadPlan<File>, dataset: string, isNew: boolean): Promise<void> => {
    if (this.uploading.peek()) return;
    if (isNew) await this.#deps.call('POST /api/data/new', { body: { name: dataset } });
    this.chosenUpload.value = null;
    const abort = new AbortController();
    this.#stop = abort;
    this.#undos = [];
    this.upload.value = {
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
        await this.#sendOne(dataset, next.file, next.name, abort.signal);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, lane));
    await this.#finish(dataset, abort.signal.aborted);
  };

  readonly #change = (next: (now: Upload) => Upload): void => {
    const now = this.upload.peek();
    if (now !== null) this.upload.value = next(now);
  };

  readonly #sendOne = async (dataset: string, file: File, name: string, signal: AbortSignal): Promise<void> => {
    let before = 0;
    const sent = (bytes: number) => {
      const by = Math.min(bytes, file.size) - before;
      before += by;
      const share = file.size === 0 ? 1 : before / file.size;
      this.#change((now) => ({
        ...now,
        sent: now.sent + by,
        active: now.active.map((one) => (one.name === name ? { name, share } : one)),
      }));
    };
    const over = (now: Upload) => ({ active: now.active.filter((one) => one.name !== name) });
    this.#change((now) => ({ ...now, active: [...now.active, { name, share: 0 }] }));
    try {
      const reply = await this.#deps.putFile(
        urlOf('PUT /api/data/upload/{dataset}/{file}', { dataset, file: name }, {}),
        file,
        sent,
        signal,
      );
      this.#undos.push((JSON.parse(reply) as ReplyOf<RouteByKey['PUT /api/data/upload/{dataset}/{file}']>).undo);
      sent(file.size);
      this.#change((now) => ({ ...now, ...over(now), done: now.done + 1 }));
    } catch (error) {
      sent(signal.aborted ? before : file.size); // Add a refused file too, so that the bar can reach its end.
      this.#change((now) => ({
        ...now,
        ...over(now),
        failures: signal.aborted ? now.failures : [...now.failures, { name, reason: this.#reasonOf(error, name) }],
      }));
    }
  };

  /** Returns the reason of a refusal without the file's name, which is shown beside it. */
  readonly #reasonOf = (error: unknown, name: string): string => {
    const text = messageOf(error);
    return text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text;
  };

  readonly #finish = async (dataset: string, cancelled: boolean): Promise<void> => {
    this.#change((now) => ({ ...now, state: cancelled ? 'cancelled' : 'done', active: [] }));
    try {
      const { datasets: sets } = await this.#deps.call('POST /api/data/uploaded');
      const robot = this.#deps.datasets.state.peek().value?.robot;
      if (robot !== undefined) this.#deps.datasets.set({ robot, datasets: sets });
    } catch (error) {
      this.#deps.failed('The datasets could not be read after the upload', error);
    }
    this.#deps.chooseDataset(dataset);
    this.#deps.refreshListing([]);
    const { done = 0, files = 0, failures = [] } = this.upload.peek() ?? {};
    if (this.#deps.dataDialog.peek()?.kind === 'upload') return; // the upload dialog shows the result itself
    if (failures.length > 0) {
      const [first] = failures;
      this.#deps.toast(
        'error',
        `${failures.length} of ${count(files, 'file')} refused`,
        `${first?.name}: ${first?.reason}`,
        {
          label: 'Show all',
          run: () => {
            this.#deps.dataDialog.value = { kind: 'upload' };
          },
        },
      );
    } else if (cancelled) this.#deps.toast('info', `Upload stopped after ${count(done, 'file')}`);
    else {
      const what = `${count(done, 'file')} uploaded to ${dataset}`;
      this.#deps.toast('ok', what, '', undoButton(`replaced clips of ${dataset}`, this.#undos));
    }
  };

  constructor(deps: ClipUploadDeps) {
    this.#deps = deps;
  }
}
