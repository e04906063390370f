import type { SceneOwner } from './events.ts';

/** Consecutive float32 values in the blob of a frame; offset and count in float32 elements. */
export interface Span {
  readonly offset: number;
  readonly count: number;
}

export const OVERLAY_STRIDE = { points: 3, lines: 6, arrows: 6, spheres: 4 } as const;
export type OverlayKind = keyof typeof OVERLAY_STRIDE;
export type OverlayName = 'wiring' | 'keybodies' | 'targets' | 'contacts' | 'trail';

export interface Overlay extends Span {
  readonly name: OverlayName;
  readonly kind: OverlayKind;
  readonly stride: number;
  readonly colour?: readonly [number, number, number, number];
}

/** Values of the head-up display. `text` is for people, the other fields are for programs. */
export interface Hud {
  readonly text: readonly string[];
  readonly frame?: number;
  /** time within the clip, s */
  readonly time?: number;
  readonly sim_time?: number;
  readonly realtime_factor?: number;
  readonly clip?: string;
}

/** JSON header of a binary websocket frame: `[u32 header length][header JSON][pad to 4][float32 blob]`. */
export interface FrameHeader {
  readonly seq: number;
  /** simulated time of the scene, s */
  readonly time: number;
  readonly n: number;
  readonly nbody: number;
  readonly owner: SceneOwner;
  readonly hud: Hud;
  readonly model_version: number;
  readonly terrain_version: number;
  readonly focus: number;
  /** (n, nbody, 7): position, quaternion wxyz; world frame, m */
  readonly poses: Span;
  /** (n, nbody, 7) poses of the reference motion, in the same layout as `poses` */
  readonly ghost: (Span & { readonly n: number }) | null;
  readonly overlays: readonly Overlay[];
}

export interface Frame {
  readonly header: FrameHeader;
  /** shares memory with the received bytes (no copy) */
  readonly blob: Float32Array;
}

/** Returns the byte offset of the blob when the JSON header has `jsonBytes` bytes. */
export function blobOffset(jsonBytes: number): number {
  return (4 + jsonBytes + 3) & ~3;
}

const decoder = new TextDecoder();

/** Reads a frame. The blob shares memory with `bytes`. @throws RangeError if the bytes are truncated or the blob is not
 *  4-byte aligned in its buffer */
export function decodeFrame(bytes: ArrayBuffer): Frame {
  if (bytes.byteLength < 4)
    throw new RangeError(`the frame is truncated: ${bytes.byteLength} bytes, expected at least 4`);
  const jsonBytes = new DataView(bytes).getUint32(0, true);
  const start = blobOffset(jsonBytes);
  if (start > bytes.byteLength)
    throw new RangeError(`a header of ${jsonBytes} bytes does not fit in a frame of ${bytes.byteLength} bytes`);
  const header = JSON.parse(decoder.decode(new Uint8Array(bytes, 4, jsonBytes))) as FrameHeader;
  return { header, blob: new Float32Array(bytes, start, (bytes.byteLength - start) >> 2) };
}
