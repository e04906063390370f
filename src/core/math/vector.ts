/**
 * Small vectors and scalars. `out` may alias any input and is returned, so calls can be nested.
 * Only the first three entries are read or written.
 */

/** An array that three or four numbers can be written into. */
export type Writable = Float64Array | Float32Array | number[];

/** Limits `value` to [lower, upper]. NaN stays NaN. */
export function clamp(value: number, lower: number, upper: number): number {
  return Math.max(lower, Math.min(upper, value));
}

/** Interpolates linearly: a at u = 0 (exact), b at u = 1. */
function lerp(a: number, b: number, u: number): number {
  return a + (b - a) * u;
}

/** Wraps `angle`, rad, to (−π, π]. */
export function wrapAngle(angle: number): number {
  const turns = Math.ceil((angle - Math.PI) / (2 * Math.PI));
  return angle - turns * 2 * Math.PI;
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

export function norm(a: ArrayLike<number>): number {
  return Math.sqrt(dot(a, a));
}

export function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const x = a[0]! - b[0]!;
  const y = a[1]! - b[1]!;
  const z = a[2]! - b[2]!;
  return Math.sqrt(x * x + y * y + z * z);
}

export function add<T extends Writable>(out: T, a: ArrayLike<number>, b: ArrayLike<number>): T {
  return write(out, a[0]! + b[0]!, a[1]! + b[1]!, a[2]! + b[2]!);
}

export function subtract<T extends Writable>(out: T, a: ArrayLike<number>, b: ArrayLike<number>): T {
  return write(out, a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}

export function scale<T extends Writable>(out: T, a: ArrayLike<number>, k: number): T {
  return write(out, a[0]! * k, a[1]! * k, a[2]! * k);
}

/** out = a + k·b */
export function addScaled<T extends Writable>(out: T, a: ArrayLike<number>, b: ArrayLike<number>, k: number): T {
  return write(out, a[0]! + k * b[0]!, a[1]! + k * b[1]!, a[2]! + k * b[2]!);
}

/** out = a × b, right-handed. */
export function cross<T extends Writable>(out: T, a: ArrayLike<number>, b: ArrayLike<number>): T {
  return write(out, a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!);
}

/** Interpolates linearly per component from `a` (u = 0) to `b` (u = 1). */
export function mix<T extends Writable>(out: T, a: ArrayLike<number>, b: ArrayLike<number>, u: number): T {
  return write(out, lerp(a[0]!, b[0]!, u), lerp(a[1]!, b[1]!, u), lerp(a[2]!, b[2]!, u));
}

function write<T extends Writable>(out: T, x: number, y: number, z: number): T {
  out[0] = x;
  out[1] = y;
  out[2] = z;
  return out;
}
