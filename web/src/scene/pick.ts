import { type Camera, Vector3 } from 'three';
import { rotateInverse } from '../../../src/core/math/quaternion.ts';
import type { Frame } from '../../../src/protocol/frame.ts';

export interface Hit {
  readonly robot: number;
  readonly body: number;
  /** (3,) m, world frame */
  readonly point: readonly [number, number, number];
}

export interface Ray {
  /** m, world frame */
  readonly origin: readonly [number, number, number];
  /** unit vector */
  readonly direction: readonly [number, number, number];
}

/** Returns the ray through a point of the picture. @param x −1 left to 1 right @param y −1 bottom to 1 top */
export function rayThrough(camera: Camera, x: number, y: number): Ray {
  const eye = camera.position;
  const ray = new Vector3(x, y, 0.5).unproject(camera).sub(eye).normalize();
  return { origin: [eye.x, eye.y, eye.z], direction: [ray.x, ray.y, ray.z] };
}

const origin = [0, 0, 0];
const direction = [0, 0, 0];

/** Range of robots in a frame: index of the first robot, and index after the last robot. */
export type Range = readonly [first: number, end: number];
const all = ({ header }: Frame): Range => [0, header.n];

/** Returns the first body that a ray hits. Tests only bounding boxes. @param boxes (nbody, 6) m, in body frames */
export function pickBody(ray: Ray, frame: Frame, boxes: Float32Array, [first, end] = all(frame)): Hit | null {
  const { header, blob } = frame;
  let nearest = Number.POSITIVE_INFINITY;
  let found: Hit | null = null;
  for (let robot = first; robot < end; robot++) {
    for (let body = 0; body < header.nbody; body++) {
      if (boxes[6 * body]! > boxes[6 * body + 3]!) continue;
      const p = header.poses.offset + 7 * (robot * header.nbody + body);
      const pose = blob.subarray(p, p + 7);
      const q = pose.subarray(3);
      rotateInverse(origin, q, [ray.origin[0] - pose[0]!, ray.origin[1] - pose[1]!, ray.origin[2] - pose[2]!]);
      rotateInverse(direction, q, ray.direction);
      const t = enters(boxes, 6 * body);
      if (t === null || t >= nearest) continue;
      nearest = t;
      const point = [
        ray.origin[0] + t * ray.direction[0],
        ray.origin[1] + t * ray.direction[1],
        ray.origin[2] + t * ray.direction[2],
      ] as const;
      found = { robot, body, point };
    }
  }
  return found;
}

/** Returns the distance at which the ray enters a box; null if it misses. */
function enters(boxes: Float32Array, at: number): number | null {
  let near = 0;
  let far = Number.POSITIVE_INFINITY;
  for (let axis = 0; axis < 3; axis++) {
    const o = origin[axis]!;
    const d = direction[axis]!;
    const low = boxes[at + axis]! - o;
    const high = boxes[at + 3 + axis]! - o;
    if (Math.abs(d) < 1e-12) {
      if (low > 0 || high < 0) return null;
      continue;
    }
    near = Math.max(near, Math.min(low / d, high / d));
    far = Math.min(far, Math.max(low / d, high / d));
  }
  return near <= far ? near : null;
}

/** Returns the bounding box of the robots of a frame. @returns (6,) minimum and maximum, m, world frame; null without
 *  bodies */
export function sceneBounds(frame: Frame, boxes: Float32Array, [first, end] = all(frame)): Float32Array | null {
  const { header, blob } = frame;
  const out = Float32Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (let k = first * header.nbody; k < end * header.nbody; k++) {
    const box = 6 * (k % header.nbody);
    if (boxes[box]! > boxes[box + 3]!) continue;
    const p = header.poses.offset + 7 * k;
    const [w, x, y, z] = [blob[p + 3]!, blob[p + 4]!, blob[p + 5]!, blob[p + 6]!];
    const rows = [
      [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ];
    for (let axis = 0; axis < 3; axis++) {
      let middle = blob[p + axis]!;
      let half = 0;
      for (let j = 0; j < 3; j++) {
        const r = rows[axis]![j]!;
        middle += 0.5 * r * (boxes[box + j]! + boxes[box + 3 + j]!);
        half += 0.5 * Math.abs(r) * (boxes[box + 3 + j]! - boxes[box + j]!);
      }
      out[axis] = Math.min(out[axis]!, middle - half);
      out[axis + 3] = Math.max(out[axis + 3]!, middle + half);
    }
  }
  return out[0]! <= out[3]! ? out : null;
}

/** Returns the root position of each robot, (n, 3) m. */
export function rootPoints({ header, blob }: Frame, [first, end]: Range): readonly number[][] {
  return Array.from({ length: end - first }, (_, k) => {
    const p = header.poses.offset + 7 * (first + k) * header.nbody;
    return [...blob.subarray(p, p + 3)];
  });
}
