import { claimSlot, createFrameRing, type FrameRing, nextSeq, publishSlot } from '../core/frame-ring.ts';
import type { SceneOwner } from '../protocol/events.ts';
import {
  blobOffset,
  type FrameHeader,
  type Hud,
  OVERLAY_STRIDE,
  type Overlay,
  type OverlayKind,
} from '../protocol/frame.ts';

/** Bytes kept free before the blob. The header is written last, directly before the blob, when its length is known. */
const HEADROOM = 8192;

export interface SceneVersions {
  readonly modelVersion: number;
  readonly terrainVersion: number;
}

/** Builds each frame in place in the shared ring: poses and overlays into the blob, then the JSON header before it. The
 *  memory allocated per frame does not grow with the number of bodies or environments. */
export class FrameBuilder {
  #ring: FrameRing;
  #slot = 0;
  #blobs: readonly Float32Array[];
  #used = 0;
  #poses = { offset: 0, count: 0, n: 0, nbody: 0 };
  #ghost: FrameHeader['ghost'] = null;
  #overlays: Overlay[] = [];
  readonly #encoder = new TextEncoder();
  readonly #onRing: (buffer: SharedArrayBuffer) => void;
  readonly #onWake: () => void;
  hud: Hud = { text: [] };
  focus = 0;

  /** @param onRing receives the ring at once, and again whenever a larger ring replaces it
   *  @param onWake wakes the reader  @param seq the first frame gets number `seq` + 1 */
  constructor(onRing: (buffer: SharedArrayBuffer) => void, onWake: () => void, seq: number) {
    this.#onRing = onRing;
    this.#onWake = onWake;
    this.#ring = createFrameRing(HEADROOM + 4096, seq);
    this.#blobs = blobsOf(this.#ring);
    onRing(this.#ring.buffer);
  }

  /** Grows the ring if it is too small for blobs of `floats` values. Call it only between frames. */
  reserve(floats: number): void {
    const bytes = HEADROOM + 4 * floats;
    if (bytes <= this.#ring.slotBytes) return;
    this.#ring = createFrameRing(bytes, nextSeq(this.#ring) - 1);
    this.#blobs = blobsOf(this.#ring);
    this.#onRing(this.#ring.buffer);
  }

  /** Begins a frame. All values written to `blob` before `publish` belong to it. */
  begin(): void {
    this.#slot = claimSlot(this.#ring);
    this.#used = 0;
    this.#poses = { offset: 0, count: 0, n: 0, nbody: 0 };
    this.#ghost = null;
    this.#overlays = [];
    this.hud = { text: [] };
    this.focus = 0;
  }

  /** The frame's float32 values. Write at the offsets that `poses`, `ghost` and `overlay` return. */
  get blob(): Float32Array {
    return this.#blobs[this.#slot]!;
  }

  /** Reserves (n, nbody, 7) poses: position m, quaternion wxyz, world frame. @returns the offset in `blob` */
  poses(n: number, nbody: number): number {
    const offset = this.#take(7 * n * nbody);
    this.#poses = { offset, count: 7 * n * nbody, n, nbody };
    return offset;
  }

  /** Reserves (n, nbody, 7) ghost poses, laid out as `poses`. @returns the offset in `blob` */
  ghost(n: number, nbody: number): number {
    const offset = this.#take(7 * n * nbody);
    this.#ghost = { offset, count: 7 * n * nbody, n };
    return offset;
  }

  /** Reserves `items` points, lines, arrows or spheres. @returns the offset in `blob` */
  overlay(name: Overlay['name'], kind: OverlayKind, items: number, colour?: Overlay['colour']): number {
    const stride = OVERLAY_STRIDE[kind];
    const offset = this.#take(items * stride);
    this.#overlays.push({ name, kind, offset, count: items * stride, stride, ...(colour ? { colour } : {}) });
    return offset;
  }

  /** Writes the header and publishes the frame as the latest. @param time scene time, s */
  publish(owner: SceneOwner, time: number, versions: SceneVersions): void {
    const { offset, count, n, nbody } = this.#poses;
    const header: FrameHeader = {
      seq: nextSeq(this.#ring),
      time,
      n,
      nbody,
      owner,
      hud: this.hud,
      model_version: versions.modelVersion,
      terrain_version: versions.terrainVersion,
      focus: this.focus,
      poses: { offset, count },
      ghost: this.#ghost,
      overlays: this.#overlays,
    };
    const json = this.#encoder.encode(JSON.stringify(header));
    const start = HEADROOM - blobOffset(json.length);
    if (start < 0) throw new RangeError(`the frame header has ${json.length} bytes, the limit is ${HEADROOM - 4}`);
    const slot = this.#ring.slots[this.#slot]!;
    new DataView(slot.buffer, slot.byteOffset + start, 4).setUint32(0, json.length, true);
    slot.set(json, start + 4);
    slot.fill(0x20, start + 4 + json.length, HEADROOM);
    if (publishSlot(this.#ring, this.#slot, HEADROOM - start + 4 * this.#used, start)) this.#onWake();
  }

  #take(floats: number): number {
    const offset = this.#used;
    this.#used += floats;
    if (this.#used > this.blob.length) {
      throw new RangeError(`the frame has ${this.#used} floats, but ${this.blob.length} are reserved`);
    }
    return offset;
  }
}

function blobsOf(ring: FrameRing): Float32Array[] {
  return ring.slots.map(
    (slot) => new Float32Array(slot.buffer, slot.byteOffset + HEADROOM, (ring.slotBytes - HEADROOM) >> 2),
  );
}
