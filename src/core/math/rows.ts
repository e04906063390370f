/** Rotations of rows of larger arrays, for code that runs per environment and step. Each input is an array and the
 *  index at which its row begins. Functions do not allocate memory. Unit quaternions are in the order w, x, y, z, as in
 *  `quaternion.ts`. */

/** An array whose rows are read. */
export type Rows = Float64Array | Float32Array;

/** Rotates vector `v` by the inverse of `q` (world → body).
 *  @param out (3,) from `at`; must not overlap `v` */
// biome-ignore lint/complexity/useMaxParams: inner loop of every step; an object would be allocated per call
export function rotateInverseRow(out: Rows, at: number, q: Rows, qAt: number, v: Rows, vAt: number): void {
  turnRow(out, at, q[qAt]!, -q[qAt + 1]!, -q[qAt + 2]!, -q[qAt + 3]!, v[vAt]!, v[vAt + 1]!, v[vAt + 2]!);
}

/** Rotates the difference `a − b` by the inverse of `q` (world → body). @param out (3,) from `at` */
// biome-ignore lint/complexity/useMaxParams: inner loop of every step; an object would be allocated per call
export function rotateInverseDifference(
  out: Rows,
  at: number,
  q: Rows,
  qAt: number,
  a: Rows,
  aAt: number,
  b: Rows,
  bAt: number,
): void {
  turnRow(
    out,
    at,
    q[qAt]!,
    -q[qAt + 1]!,
    -q[qAt + 2]!,
    -q[qAt + 3]!,
    a[aAt]! - b[bAt]!,
    a[aAt + 1]! - b[bAt + 1]!,
    a[aAt + 2]! - b[bAt + 2]!,
  );
}

/** out = a⁻¹·b: the orientation of `b` in the frame of `a`. @param out (4,) */
export function relativeRow(out: Rows, a: Rows, aAt: number, b: Rows, bAt: number): void {
  product(out, a[aAt]!, -a[aAt + 1]!, -a[aAt + 2]!, -a[aAt + 3]!, b[bAt]!, b[bAt + 1]!, b[bAt + 2]!, b[bAt + 3]!);
}

/** out = a·b⁻¹: the rotation in the world frame from `b` to `a`. @param out (4,) */
export function turnBetweenRows(out: Rows, a: Rows, aAt: number, b: Rows, bAt: number): void {
  product(out, a[aAt]!, a[aAt + 1]!, a[aAt + 2]!, a[aAt + 3]!, b[bAt]!, -b[bAt + 1]!, -b[bAt + 2]!, -b[bAt + 3]!);
}

/** Returns the angle, in [0, π] rad, between the orientations `a` and `b`. */
export function angleBetweenRows(a: Rows, aAt: number, b: Rows, bAt: number): number {
  const aw = a[aAt]!;
  const ax = -a[aAt + 1]!;
  const ay = -a[aAt + 2]!;
  const az = -a[aAt + 3]!;
  const bw = b[bAt]!;
  const bx = b[bAt + 1]!;
  const by = b[bAt + 2]!;
  const bz = b[bAt + 3]!;
  const w = aw * bw - ax * bx - ay * by - az * bz;
  const x = aw * bx + ax * bw + ay * bz - az * by;
  const y = aw * by - ax * bz + ay * bw + az * bx;
  const z = aw * bz + ax * by - ay * bx + az * bw;
  return 2 * Math.atan2(Math.sqrt(x * x + y * y + z * z), Math.abs(w));
}

/** Writes the direction of gravity in a body's frame: R(q)ᵀ (0, 0, −1). @param out (3,) from `at` */
export function gravityRow(out: Rows, at: number, q: Rows, qAt: number): void {
  const w = q[qAt]!;
  const x = q[qAt + 1]!;
  const y = q[qAt + 2]!;
  const z = q[qAt + 3]!;
  out[at] = -2 * (x * z - w * y);
  out[at + 1] = -2 * (y * z + w * x);
  out[at + 2] = 2 * (x * x + y * y) - 1;
}

/** Returns the z component of {@link gravityRow}: −1 upright, 1 upside down. */
export function gravityZ(q: Rows, qAt: number): number {
  return 2 * (q[qAt + 1]! * q[qAt + 1]! + q[qAt + 2]! * q[qAt + 2]!) - 1;
}

/** Writes the first two columns of the rotation matrix, row by row: m00 m01 m10 m11 m20 m21. @param out (6,) from
 *  `at` */
export function sixDRow(out: Rows, at: number, q: Rows, qAt: number): void {
  const w = q[qAt]!;
  const x = q[qAt + 1]!;
  const y = q[qAt + 2]!;
  const z = q[qAt + 3]!;
  out[at] = 1 - 2 * (y * y + z * z);
  out[at + 1] = 2 * (x * y - w * z);
  out[at + 2] = 2 * (x * y + w * z);
  out[at + 3] = 1 - 2 * (x * x + z * z);
  out[at + 4] = 2 * (x * z - w * y);
  out[at + 5] = 2 * (y * z + w * x);
}

/** |a − b|² of two vectors (3,). */
export function squaredDistance(a: Rows, aAt: number, b: Rows, bAt: number): number {
  const x = a[aAt]! - b[bAt]!;
  const y = a[aAt + 1]! - b[bAt + 1]!;
  const z = a[aAt + 2]! - b[bAt + 2]!;
  return x * x + y * y + z * z;
}

/** |v|² of a vector (3,). */
export function squaredNorm(v: Rows, at: number): number {
  return v[at]! * v[at]! + v[at + 1]! * v[at + 1]! + v[at + 2]! * v[at + 2]!;
}

// biome-ignore lint/complexity/useMaxParams: inner loop of every step; an object would be allocated per call
function product(
  out: Rows,
  aw: number,
  ax: number,
  ay: number,
  az: number,
  bw: number,
  bx: number,
  by: number,
  bz: number,
): void {
  out[0] = aw * bw - ax * bx - ay * by - az * bz;
  out[1] = aw * bx + ax * bw + ay * bz - az * by;
  out[2] = aw * by - ax * bz + ay * bw + az * bx;
  out[3] = aw * bz + ax * by - ay * bx + az * bw;
}

// biome-ignore lint/complexity/useMaxParams: inner loop of every step; an object would be allocated per call
function turnRow(
  out: Rows,
  at: number,
  w: number,
  x: number,
  y: number,
  z: number,
  vx: number,
  vy: number,
  vz: number,
): void {
  const tx = 2 * (y * vz - z * vy);
  const ty = 2 * (z * vx - x * vz);
  const tz = 2 * (x * vy - y * vx);
  out[at] = vx + w * tx + y * tz - z * ty;
  out[at + 1] = vy + w * ty + z * tx - x * tz;
  out[at + 2] = vz + w * tz + x * ty - y * tx;
}
