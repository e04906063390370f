import { signal } from '@preact/signals';
import type { call } from '../../net/api.ts';
import type { putFile } from '../../net/put-file.ts';
import { messageOf } from '../../ui/message-of.ts';
import type { imports } from '../robots/robots-store.ts';
import { type ModelFolder, missingFiles } from './shared/model-folder.ts';

/** State of an upload of model files. */
export interface Sending {
  readonly id: string;
  readonly state: 'running' | 'done' | 'cancelled';
  readonly files: number;
  readonly bytes: number;
  /** bytes handed to the network */
  readonly sent: number;
  readonly done: number;
  /** complete files that the service had before this upload */
  readonly there: number;
  readonly failures: readonly { readonly path: string; readonly reason: string }[];
}

export interface SendingDeps {
  readonly call: typeof call;
  readonly putFile: typeof putFile;
  readonly imports: Pick<typeof imports, 'state' | 'refresh'>;
}

/** Parallel requests. More would not help: the service writes one file at a time to disk. */
const PARALLEL = 3;

const addressOf = (id: string, path: string) =>
  `api/robots/import/upload/${[id, ...path.split('/')].map(encodeURIComponent).join('/')}`;

/** Uploads the folder of a robot's model. */
export class FolderUpload {
  readonly #deps: SendingDeps;
  /** The last upload; null before the first. */
  readonly sending = signal<Sending | null>(null);
  /** Files that were chosen or dropped and are not uploaded yet. */
  readonly chosenFolder = signal<ModelFolder<File> | null>(null);
  #abort: AbortController | null = null;

  constructor(deps: SendingDeps) {
    this.#deps = deps;
  }

  readonly cancelSending = (): void => {
    this.#abort?.abort();
  };

  #change(next: (now: Sending) => Partial<Sending>): void {
    const now = this.sending.peek();
    if (now !== null) this.sending.value = { ...now, ...next(now) };
  }

  /** Uploads the files that the service does not have yet; a refused file does not stop the others.
   *  @returns whether the service has all files @throws when the service cannot list its files */
  readonly sendFolder = async (folder: ModelFolder<File>, id: string): Promise<boolean> => {
    const { call, imports } = this.#deps;
    const known = imports.state.peek().value?.unfinished.some((upload) => upload.id === id) === true;
    const there = known ? (await call('GET /api/robots/import/files', { query: { id } })).files : [];
    const waiting = [...missingFiles(folder.files, there)];
    const abort = new AbortController();
    this.#abort = abort;
    this.sending.value = {
      id,
      state: 'running',
      files: folder.files.length,
      bytes: waiting.reduce((sum, { file }) => sum + file.size, 0),
      sent: 0,
      done: folder.files.length - waiting.length,
      there: folder.files.length - waiting.length,
      failures: [],
    };
    const lane = async () => {
      for (let next = waiting.shift(); next !== undefined && !abort.signal.aborted; next = waiting.shift())
        await this.#sendOne(id, next.path, next.file, abort.signal);
    };
    await Promise.all(Array.from({ length: PARALLEL }, lane));
    this.#change(() => ({ state: abort.signal.aborted ? 'cancelled' : 'done' }));
    await imports.refresh();
    return !abort.signal.aborted && this.sending.peek()?.failures.length === 0;
  };

  async #sendOne(id: string, path: string, file: File, signal: AbortSignal): Promise<void> {
    let before = 0;
    const sent = (bytes: number) => {
      const by = Math.min(bytes, file.size) - before;
      before += by;
      this.#change((now) => ({ sent: now.sent + by }));
    };
    try {
      await this.#deps.putFile(addressOf(id, path), file, sent, signal);
      sent(file.size);
      this.#change((now) => ({ done: now.done + 1 }));
    } catch (error) {
      if (signal.aborted) return;
      sent(file.size); // the progress bar counts a refused file as handled
      this.#change((now) => ({ failures: [...now.failures, { path, reason: messageOf(error) }] }));
    }
  }
}
