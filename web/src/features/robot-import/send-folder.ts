import { signal } from '@preact/signals';
import { call } from '../../net/api.ts';
import { putFile } from '../../net/put-file.ts';
import { messageOf } from '../../ui/message-of.ts';
import { imports } from '../robots/robots-store.ts';
import type { ModelFolder } from './model-folder.ts';
import { missingFiles } from './model-folder.ts';

export interface Sending {
  readonly id: string;
  readonly state: 'running' | 'done' | 'cancelled';
  readonly files: number;
  readonly bytes: number;
  /** bytes that the network took */
  readonly sent: number;
  readonly done: number;
  /** files that were there whole before */
  readonly there: number;
  readonly failures: readonly { readonly path: string; readonly reason: string }[];
}
export const sending = signal<Sending | null>(null);

/** Files that a person chose or dropped and has not sent yet. */
export const chosenFolder = signal<ModelFolder<File> | null>(null);

/** Requests at once: the service writes one file at a time to the disk anyway. */
const PARALLEL = 3;
let stop: AbortController | null = null;

export function cancelSending(): void {
  stop?.abort();
}

function change(next: (now: Sending) => Partial<Sending>): void {
  const now = sending.peek();
  if (now !== null) sending.value = { ...now, ...next(now) };
}

const addressOf = (id: string, path: string) =>
  `api/robots/import/upload/${[id, ...path.split('/')].map(encodeURIComponent).join('/')}`;

/** Sends the files that the upload has not yet, one by one; a file that is refused does not stop the others.
 *  @returns whether all are there @throws when the service cannot say what is there */
export async function sendFolder(folder: ModelFolder<File>, id: string): Promise<boolean> {
  const known = imports.state.peek().value?.unfinished.some((upload) => upload.id === id) === true;
  const there = known ? (await call('GET /api/robots/import/files', { query: { id } })).files : [];
  const waiting = [...missingFiles(folder.files, there)];
  const abort = new AbortController();
  stop = abort;
  sending.value = {
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
      await sendOne(addressOf(id, next.path), next.file, next.path, abort.signal);
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  change(() => ({ state: abort.signal.aborted ? 'cancelled' : 'done' }));
  await imports.refresh();
  return !abort.signal.aborted && sending.peek()?.failures.length === 0;
}

async function sendOne(address: string, file: File, path: string, signal: AbortSignal): Promise<void> {
  let before = 0;
  const sent = (bytes: number) => {
    const by = Math.min(bytes, file.size) - before;
    before += by;
    change((now) => ({ sent: now.sent + by }));
  };
  try {
    await putFile(address, file, sent, signal);
    sent(file.size);
    change((now) => ({ done: now.done + 1 }));
  } catch (error) {
    if (signal.aborted) return;
    sent(file.size); // the bar counts what has been dealt with
    change((now) => ({ failures: [...now.failures, { path, reason: messageOf(error) }] }));
  }
}
