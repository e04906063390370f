import { decodeFrame, type Frame } from '../../../src/protocol/frame.ts';

/** Contents of `window.motionStudio.stats`. All values are updated in place.
 *
 *  decoded   frames decoded since the page opened
 *  skipped   decoded frames that a newer one replaced before they were drawn
 *  missed    frames the service left out for this page, seen as gaps in `seq`
 *  drawn     pictures drawn since the page opened (a still scene is not drawn again)
 *  fps       frames decoded in the last full second
 *  drawFps   pictures drawn in the last full second
 *  scriptMs  ms of script in the page's own thread per decoded frame over the last full second: decoding, forwarding,
 *            labels and displayed numbers
 *  decodeMs  the part of `scriptMs` spent on decoding
 *  drawScriptMs  ms of script in the drawing thread for the last picture
 *  drawMs    ms from issuing a picture to its completion by the graphics hardware or software renderer
 *  scale     share of full resolution of the last picture
 *  drawCalls  draw calls of the last picture; does not grow with the number of robots
 *  bytes     bytes of frames received
 *  seq       `seq` of the newest frame
 *  age       ms since the newest frame arrived */
export interface Stats {
  decoded: number;
  skipped: number;
  missed: number;
  drawn: number;
  fps: number;
  drawFps: number;
  scriptMs: number;
  decodeMs: number;
  drawScriptMs: number;
  drawMs: number;
  scale: number;
  drawCalls: number;
  bytes: number;
  seq: number;
  readonly age: number;
}

/** The newest frame of the scene. It is not a signal, because the scene reads it once for each drawn image. */
export class LiveFrames {
  latest: Frame | null = null;
  /** `performance.now()` when the newest frame arrived, ms; 0 before the first frame */
  arrived = 0;
  readonly stats: Stats;
  readonly #listeners = new Set<(frame: Frame, bytes: ArrayBuffer) => void>();
  #scriptMs = 0;
  #decodeMs = 0;
  #decodedAt = 0;
  #drawnAt = 0;
  #second = 0;

  constructor() {
    const frames = this;
    this.stats = {
      decoded: 0,
      skipped: 0,
      missed: 0,
      drawn: 0,
      fps: 0,
      drawFps: 0,
      scriptMs: 0,
      decodeMs: 0,
      drawScriptMs: 0,
      drawMs: 0,
      scale: 1,
      drawCalls: 0,
      bytes: 0,
      seq: 0,
      get age() {
        return frames.arrived === 0 ? Number.POSITIVE_INFINITY : performance.now() - frames.arrived;
      },
    };
  }

  /** Calls `listener` with every decoded frame, within the message's task, so it must return quickly. One listener may
   *  transfer the bytes to the drawing thread; the others may read only the header. @returns stops listening */
  listen(listener: (frame: Frame, bytes: ArrayBuffer) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Decodes and stores a frame. @returns its `seq`, to be acknowledged
   *  @throws RangeError if the bytes are not a frame */
  take(bytes: ArrayBuffer): number {
    const start = performance.now();
    const frame = decodeFrame(bytes);
    const { stats } = this;
    const { seq } = frame.header;
    if (stats.seq > 0 && seq > stats.seq + 1) stats.missed += seq - stats.seq - 1;
    this.latest = frame;
    this.arrived = start;
    stats.seq = seq;
    stats.decoded += 1;
    stats.bytes += bytes.byteLength;
    const decoded = performance.now();
    for (const listener of this.#listeners) listener(frame, bytes);
    this.#decodeMs += decoded - start;
    this.#count(performance.now() - start, start);
    return seq;
  }

  /** Resets `seq`, because a new connection numbers its frames from the beginning. */
  restart(): void {
    this.stats.seq = 0;
  }

  /** Adds script time that was spent on frames outside of this class (drawing, displayed numbers), ms. */
  spent(ms: number): void {
    this.#scriptMs += ms;
  }

  /** Counts a drawn image. */
  drew(): void {
    this.stats.drawn += 1;
  }

  #count(ms: number, now: number): void {
    this.#scriptMs += ms;
    const elapsed = now - this.#second;
    if (elapsed < 1000) return;
    const { stats } = this;
    const decoded = stats.decoded - this.#decodedAt;
    if (this.#second > 0 && elapsed < 3000) {
      stats.fps = (1000 * decoded) / elapsed;
      stats.drawFps = (1000 * (stats.drawn - this.#drawnAt)) / elapsed;
      stats.scriptMs = this.#scriptMs / Math.max(1, decoded);
      stats.decodeMs = this.#decodeMs / Math.max(1, decoded);
    }
    this.#second = now;
    this.#decodedAt = stats.decoded;
    this.#drawnAt = stats.drawn;
    this.#scriptMs = 0;
    this.#decodeMs = 0;
  }
}

export const liveFrames = new LiveFrames();
