import { Encoder } from 'modern-gif';

/** Messages to the thread that writes a GIF: its size, frames of RGBA px, and the end. */
export type ToGif =
  | { readonly type: 'start'; readonly width: number; readonly height: number }
  | { readonly type: 'frame'; readonly pixels: ArrayBuffer; readonly delayMs: number }
  | { readonly type: 'end' };
export type FromGif =
  | { readonly type: 'done'; readonly file: ArrayBuffer }
  | { readonly type: 'failed'; readonly detail: string };

interface WorkerScope {
  onmessage: ((event: MessageEvent<ToGif>) => void) | null;
  postMessage(message: FromGif, transfer?: Transferable[]): void;
}
const scope = globalThis as unknown as WorkerScope;
let encoder: Encoder | null = null;
/** Frames are added in order, one after the other. */
let added: Promise<void> = Promise.resolve();

function fail(error: unknown): void {
  scope.postMessage({ type: 'failed', detail: error instanceof Error ? error.message : String(error) });
}

scope.onmessage = ({ data }) => {
  if (data.type === 'start') encoder = new Encoder({ width: data.width, height: data.height, looped: true });
  else if (data.type === 'frame') {
    const { pixels, delayMs } = data;
    added = added.then(() => encoder?.encode({ data: new Uint8ClampedArray(pixels), delay: delayMs }));
    added.catch(fail);
  } else {
    added
      .then(() => encoder?.flush('arrayBuffer'))
      .then((file) => {
        if (file !== undefined) scope.postMessage({ type: 'done', file }, [file]);
      })
      .catch(fail);
  }
};
