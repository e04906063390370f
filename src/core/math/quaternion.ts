/**
 * Unit quaternions in MuJoCo's order w, x, y, z (Hamilton product, active, body → world).
 * `out` may alias any input and is returned. Inputs must have unit length: they are not
 * normalised unless a function says so. Angles are in rad.
 */

/** An array that four numbers can be written into. */
export type Writable = Float64Array | Float32Array | number[];

/** Below this angle, rad, slerp returns its first end. Four times the float32 epsilon, as in the program that produced
 *  the reference data. */
const SLERP_MIN_ANGLE = 4 * 2 ** -23;

function identity<T extends Writable>(out: T): T {
  return write(out, 1, 0, 0, 0);
}

/** out = a·b: first rotate by `b`, then by `a`. */
export function multiply<T extends Writable>(out: T, a: ArrayLike<number>, b: ArrayLike<number>): T {
  const aw = a[0]!;
  const ax = a[1]!;
  const ay = a[2]!;
  const az = a[3]!;
  const bw = b[0]!;
  const bx = b[1]!;
  const by = b[2]!;
  const bz = b[3]!;
  return write(
    out,
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  );
}

/** Returns the inverse of a unit quaternion. */
export function conjugate<T extends Writable>(out: T, q: ArrayLike<number>): T {
  return write(out, q[0]!, -q[1]!, -q[2]!, -q[3]!);
}

/** Returns the Euclidean norm of `q`, which is 1 for a rotation. */
function length(q: ArrayLike<number>): number {
  return Math.sqrt(dot(q, q));
}

/** Divides `q` by its length. If the length is 0 or not finite, writes the identity. */
export function normalize<T extends Writable>(out: T, q: ArrayLike<number>): T {
  const size = length(q);
  if (!(size > 0) || !Number.isFinite(size)) return identity(out);
  return write(out, q[0]! / size, q[1]! / size, q[2]! / size, q[3]! / size);
}

/** Rotates `v` by `q` (body → world).
 *  @param out (3,), unit of `v`; may alias `v`. */
export function rotate<T extends Writable>(out: T, q: ArrayLike<number>, v: ArrayLike<number>): T {
  return turn(out, q[0]!, q[1]!, q[2]!, q[3]!, v);
}

/** Rotates `v` by the inverse of `q` (world → body).
 *  @param out (3,), unit of `v`; may alias `v`. */
export function rotateInverse<T extends Writable>(out: T, q: ArrayLike<number>, v: ArrayLike<number>): T {
  return turn(out, q[0]!, -q[1]!, -q[2]!, -q[3]!, v);
}

/** Interpolates on the shortest great circle from `a` (u = 0) to `b` (u = 1). Uses −`b` where that is nearer. Returns
 *  `a` unchanged if the ends are closer than about 4.8e-7 rad. Clip conversion is defined by this interpolation. */
export function slerp<T extends Writable>(out: T, a: ArrayLike<number>, b: ArrayLike<number>, u: number): T {
  const cosine = dot(a, b);
  const sign = cosine < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  if (angle < SLERP_MIN_ANGLE) return write(out, a[0]!, a[1]!, a[2]!, a[3]!);
  const sine = Math.sin(angle);
  const ka = Math.sin((1 - u) * angle) / sine;
  const kb = (sign * Math.sin(u * angle)) / sine;
  return write(out, ka * a[0]! + kb * b[0]!, ka * a[1]! + kb * b[1]!, ka * a[2]! + kb * b[2]!, ka * a[3]! + kb * b[3]!);
}

/** Writes the rotation by `angle` (rad) about `axis` (3,), which must have unit length. */
export function fromAxisAngle<T extends Writable>(out: T, axis: ArrayLike<number>, angle: number): T {
  const s = Math.sin(angle / 2);
  return write(out, Math.cos(angle / 2), axis[0]! * s, axis[1]! * s, axis[2]! * s);
}

/** Writes the rotation vector (3,) of `q`: axis times angle, rad, with a norm in [0, π]. Uses −q if w < 0; the angle is
 *  then 2·atan2(|v|, w). */
export function toRotationVector<T extends Writable>(out: T, q: ArrayLike<number>): T {
  const sign = q[0]! < 0 ? -1 : 1;
  const x = sign * q[1]!;
  const y = sign * q[2]!;
  const z = sign * q[3]!;
  const sine = Math.sqrt(x * x + y * y + z * z);
  const k = sine < 1e-12 ? 2 : (2 * Math.atan2(sine, sign * q[0]!)) / sine;
  out[0] = k * x;
  out[1] = k * y;
  out[2] = k * z;
  return out;
}

/** Writes the rotation about the fixed axes x (roll), then y (pitch), then z (yaw): Rz·Ry·Rx. Angles in rad. */
export function fromEulerXyz<T extends Writable>(out: T, roll: number, pitch: number, yaw: number): T {
  const cr = Math.cos(roll / 2);
  const sr = Math.sin(roll / 2);
  const cp = Math.cos(pitch / 2);
  const sp = Math.sin(pitch / 2);
  const cy = Math.cos(yaw / 2);
  const sy = Math.sin(yaw / 2);
  return write(
    out,
    cy * cr * cp + sy * sr * sp,
    cy * sr * cp - sy * cr * sp,
    cy * cr * sp + sy * sr * cp,
    sy * cr * cp - cy * sr * sp,
  );
}

/** Inverse of {@link fromEulerXyz}: writes roll, pitch, yaw (3,) in rad, with pitch in [−π/2, π/2] and the others in
 *  (−π, π]. */
export function toRpy<T extends Writable>(out: T, q: ArrayLike<number>): T {
  const w = q[0]!;
  const x = q[1]!;
  const y = q[2]!;
  const z = q[3]!;
  out[0] = Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
  out[1] = Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x))));
  out[2] = yawOf([w, x, y, z]);
  return out;
}

/** Returns the heading (yaw) of a quaternion (w, x, y, z): atan2(2(wz + xy), 1 − 2(y² + z²)), in (−π, π] rad. */
export function yawOf(q: ArrayLike<number>): number {
  return Math.atan2(2 * (q[0]! * q[3]! + q[1]! * q[2]!), 1 - 2 * (q[2]! * q[2]! + q[3]! * q[3]!));
}

/** Writes the rotation about z by `yaw`, rad. */
export function fromYaw<T extends Writable>(out: T, yaw: number): T {
  return write(out, Math.cos(yaw / 2), 0, 0, Math.sin(yaw / 2));
}

/** Returns the angle, in [0, π] rad, of the rotation from `a` to `b`. */
export function angleBetween(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const difference = multiply([0, 0, 0, 0], [a[0]!, -a[1]!, -a[2]!, -a[3]!], b);
  const sine = Math.hypot(difference[1]!, difference[2]!, difference[3]!);
  return 2 * Math.atan2(sine, Math.abs(difference[0]!));
}

/** Writes the rotation matrix (9,) of a quaternion, row-major. */
export function toMatrix<T extends Writable>(out: T, q: ArrayLike<number>): T {
  const w = q[0]!;
  const x = q[1]!;
  const y = q[2]!;
  const z = q[3]!;
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - w * z);
  out[2] = 2 * (x * z + w * y);
  out[3] = 2 * (x * y + w * z);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z - w * x);
  out[6] = 2 * (x * z - w * y);
  out[7] = 2 * (y * z + w * x);
  out[8] = 1 - 2 * (x * x + y * y);
  return out;
}

/** Reorders a quaternion of a source file (x, y, z, w) to w, x, y, z. */
export function fromXyzw<T extends Writable>(out: T, q: ArrayLike<number>): T {
  return write(out, q[3]!, q[0]!, q[1]!, q[2]!);
}

/** Reorders a quaternion w, x, y, z to the order x, y, z, w of source files. */
export function toXyzw<T extends Writable>(out: T, q: ArrayLike<number>): T {
  return write(out, q[1]!, q[2]!, q[3]!, q[0]!);
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]! + a[3]! * b[3]!;
}

// biome-ignore lint/complexity/useMaxParams: inner loop of frames and steps; an object would be allocated per call
function turn<T extends Writable>(out: T, w: number, x: number, y: number, z: number, v: ArrayLike<number>): T {
  const vx = v[0]!;
  const vy = v[1]!;
  const vz = v[2]!;
  const tx = 2 * (y * vz - z * vy);
  const ty = 2 * (z * vx - x * vz);
  const tz = 2 * (x * vy - y * vx);
  out[0] = vx + w * tx + y * tz - z * ty;
  out[1] = vy + w * ty + z * tx - x * tz;
  out[2] = vz + w * tz + x * ty - y * tx;
  return out;
}

function write<T extends Writable>(out: T, w: number, x: number, y: number, z: number): T {
  out[0] = w;
  out[1] = x;
  out[2] = y;
  out[3] = z;
  return out;
}
