import type { CaptureOrder } from '../../scene/messages.ts';
import type { SceneView } from '../scene-view.ts';
import type { FromGif, ToGif } from './gif.worker.ts';
import { withDuration } from './webm-duration.ts';

/** Frames per second of videos and of GIFs. GIF times are multiples of 10 ms. */
const VIDEO_FPS = 30;
const GIF_FPS = 12.5;
/** Maximum length of a video, s, and of a GIF, whose frames are all in memory. */
export const LONGEST_S = { video: 600, gif: 12 } as const;
const BITS_PER_PX = 0.18;

/** A recording in progress. */
export interface Recording {
  /** time since the start of the recording, s */
  readonly seconds: () => number;
  /** Ends it. @returns the file @throws Error if the browser cannot write it */
  readonly stop: () => Promise<Blob>;
}

/** A canvas that shows copies of the scene's pictures in the size of the recording. */
class Copies {
  readonly canvas = document.createElement('canvas');
  readonly context: CanvasRenderingContext2D;
  /** resolves with the first picture */
  readonly first: Promise<void>;
  readonly end: () => void;

  constructor(view: SceneView, order: CaptureOrder) {
    this.canvas.width = order.width;
    this.canvas.height = order.height;
    const context = this.canvas.getContext('2d', { willReadFrequently: true });
    if (context === null) throw new Error('the browser has no 2D canvas');
    this.context = context;
    let arrived = () => {};
    this.first = new Promise((resolve) => {
      arrived = resolve;
    });
    this.end = view.copies(order, (picture) => {
      context.clearRect(0, 0, order.width, order.height);
      context.drawImage(picture, 0, 0);
      picture.close();
      arrived();
    });
  }
}

/** Records the scene as a video. The time of the recording begins with the first picture.
 *  @param type media type with codec that `MediaRecorder` supports */
export async function recordVideo(view: SceneView, order: CaptureOrder, type: string): Promise<Recording> {
  const copies = new Copies(view, order);
  await copies.first;
  const stream = copies.canvas.captureStream(VIDEO_FPS);
  const recorder = new MediaRecorder(stream, {
    mimeType: type,
    videoBitsPerSecond: BITS_PER_PX * order.width * order.height * VIDEO_FPS,
  });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise<void>((resolve, reject) => {
    recorder.onstop = () => resolve();
    recorder.onerror = () => reject(new Error(`the browser could not record ${type}`));
  });
  // A canvas without changes yields no frames, so the same picture is drawn again.
  const redraw = window.setInterval(() => copies.context.drawImage(copies.canvas, 0, 0), 1000 / VIDEO_FPS);
  recorder.start();
  const start = performance.now();
  return {
    seconds: () => (performance.now() - start) / 1000,
    stop: async () => {
      const ms = performance.now() - start;
      recorder.stop();
      await ended;
      window.clearInterval(redraw);
      copies.end();
      for (const track of stream.getTracks()) track.stop();
      const file = new Uint8Array(await new Blob(parts).arrayBuffer());
      return new Blob([type.startsWith('video/webm') ? withDuration(file, ms) : file], { type: type.split(';')[0]! });
    },
  };
}

/** Records the scene as a GIF. A separate thread writes the file. */
export async function recordGif(view: SceneView, order: CaptureOrder): Promise<Recording> {
  const copies = new Copies(view, order);
  const worker = new Worker(new URL('./gif.worker.ts', import.meta.url), { type: 'module', name: 'gif' });
  const send = (message: ToGif, transfer: Transferable[] = []) => worker.postMessage(message, transfer);
  const done = new Promise<Blob>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromGif>) => {
      if (data.type === 'done') resolve(new Blob([data.file], { type: 'image/gif' }));
      else reject(new Error(data.detail));
    };
    worker.onerror = ({ message }) => reject(new Error(message || 'the GIF could not be written'));
  });
  await copies.first;
  send({ type: 'start', width: order.width, height: order.height });
  const delayMs = 1000 / GIF_FPS;
  const add = () => {
    const { data } = copies.context.getImageData(0, 0, order.width, order.height);
    send({ type: 'frame', pixels: data.buffer, delayMs }, [data.buffer]);
  };
  add();
  const timer = window.setInterval(add, delayMs);
  const start = performance.now();
  return {
    seconds: () => (performance.now() - start) / 1000,
    stop: async () => {
      window.clearInterval(timer);
      copies.end();
      send({ type: 'end' });
      try {
        return await done;
      } finally {
        worker.terminate();
      }
    },
  };
}
