import { TOPICS } from '../mcap/mcap-recording.ts';
import type { Caption } from '../recorded.ts';
import type { McapReader } from './mcap-reader.ts';
import { readTransforms } from './read-transforms.ts';

const POSE = 7;
/** Limits of a frame of an untrusted file: number of robots and ghosts, and bytes of its caption. */
const MOST_ROBOTS = 65_536;
export const MOST_CAPTION = 4 << 20;

/** A frame of a recording. It is valid only during the visit. */
export interface FrameVisit {
  /** ms since 1970 */
  readonly atMs: number;
  readonly caption: Caption;
  /** (n + ghosts, nbody, 7) poses of the robots, then of the ghosts */
  readonly poses: Float32Array;
}

/** Visits the complete frames of an MCAP recording in order. Skips frames whose messages do not match each other.
 *  @param bodies number of bodies of the robot @returns whether the file is complete */
export function visitFrames(reader: McapReader, bodies: number, visit: (frame: FrameVisit) => void): boolean {
  let buffer = new Float32Array(64 * bodies * POSE);
  let used: number | null = 0;
  return reader.messages(({ topic, atMs, data }) => {
    if (topic === TOPICS.transforms) {
      if (used === null) return;
      // A transform has at least 90 bytes in files of the studio, and at least 2 bytes in any file.
      const most = used + POSE * Math.ceil(data.length / 2);
      if (buffer.length < most && buffer.length < used + POSE * Math.ceil(data.length / 64)) {
        const larger = new Float32Array(Math.max(2 * buffer.length, used + POSE * Math.ceil(data.length / 64)));
        larger.set(buffer.subarray(0, used));
        buffer = larger;
      }
      const count = readTransforms(data, buffer, used);
      used = count === null ? null : used + POSE * count;
    } else if (topic === TOPICS.scene) {
      const caption = data.length <= MOST_CAPTION ? captionOf(data) : null;
      const expected = caption ? (caption.n + caption.ghosts) * bodies * POSE : -1;
      if (caption && used === expected) visit({ atMs, caption, poses: buffer.subarray(0, used) });
      used = 0;
    }
  });
}

/** Parses a caption; returns null for other data. */
export function captionOf(data: Buffer): Caption | null {
  let value: Partial<Caption> | null;
  try {
    value = JSON.parse(data.toString('utf8')) as Partial<Caption> | null;
  } catch {
    return null;
  }
  return value !== null && typeof value === 'object' && isCaption(value) ? (value as Caption) : null;
}

function isCaption({ n, ghosts, focus, time, hud, overlays }: Partial<Caption>): boolean {
  const isCount = (count: unknown) =>
    Number.isInteger(count) && (count as number) >= 0 && (count as number) <= MOST_ROBOTS;
  return (
    isCount(n) &&
    isCount(ghosts) &&
    isCount(focus) &&
    Number.isFinite(time) &&
    Array.isArray(hud?.text) &&
    hud.text.every((line) => typeof line === 'string') &&
    Array.isArray(overlays)
  );
}
