import { fromAxisAngle, multiply, normalize, rotate, toMatrix } from '../../../core/math/quaternion.ts';
import { cross, dot, norm } from '../../../core/math/vector.ts';
import type { MainModule, MjSpec, MjsBody } from '../../../sim/mujoco.ts';
import { children } from '../../../sim/spec-elements.ts';

/** w, x, y, z */
export type Quaternion = readonly number[];

/** Fields that place a body, geom, site or frame in its parent. */
type Placed = Pick<MjsBody, 'pos' | 'quat' | 'alt'>;

/** Returns the orientation of an element in its parent frame. Resolves MJCF's alternatives to `quat` (axisangle,
 *  xyaxes, zaxis, euler) as MuJoCo's compiler does. */
export function orientationOf(mj: MainModule, spec: MjSpec, { quat, alt }: Pick<Placed, 'quat' | 'alt'>): number[] {
  const { mjORIENTATION_AXISANGLE, mjORIENTATION_XYAXES, mjORIENTATION_ZAXIS, mjORIENTATION_EULER } = mj.mjtOrientation;
  const radians = (angle: number) => (spec.compiler.degree ? (angle * Math.PI) / 180 : angle);
  switch (alt.type.value) {
    case mjORIENTATION_AXISANGLE.value: {
      const [x, y, z, angle] = numbers(alt.axisangle) as [number, number, number, number];
      return fromAxisAngle([1, 0, 0, 0], unit([x, y, z]), radians(angle));
    }
    case mjORIENTATION_XYAXES.value: {
      const axes = numbers(alt.xyaxes);
      return fromAxes(axes.slice(0, 3), axes.slice(3, 6));
    }
    case mjORIENTATION_ZAXIS.value:
      return between([0, 0, 1], unit(numbers(alt.zaxis)));
    case mjORIENTATION_EULER.value:
      return fromEuler(numbers(alt.euler).map(radians), String.fromCharCode(...numbers(spec.compiler.eulerseq)));
    default:
      return normalize([1, 0, 0, 0], numbers(quat));
  }
}

/** Turns everything in a body's frame, including its inertia. Does not change the body itself. */
export function turnContents(mj: MainModule, spec: MjSpec, body: MjsBody, turn: Quaternion): void {
  const { shapes, others } = contentsOf(mj, body);
  for (const placed of [...shapes, ...others]) turnPlaced(mj, spec, placed, turn);
  for (const { fromto } of shapes) {
    if (Number.isNaN(fromto[0])) continue;
    const ends = numbers(fromto);
    fromto.set([...rotate([0, 0, 0], turn, ends.slice(0, 3)), ...rotate([0, 0, 0], turn, ends.slice(3, 6))]);
  }
  if (body.explicitinertial) turnInertia(mj, spec, body, turn);
}

/** Moves everything in a body's frame, including its centre of mass. Does not change the body itself. @param by m */
export function moveContents(mj: MainModule, body: MjsBody, by: readonly number[]): void {
  const moved = (points: Parameters<typeof numbers>[0]) => numbers(points).map((value, k) => value + by[k % 3]!);
  const { shapes, others } = contentsOf(mj, body);
  for (const { pos } of others) pos.set(moved(pos));
  for (const { pos, fromto } of shapes) {
    const place = Number.isNaN(fromto[0]) ? pos : fromto; // MuJoCo refuses a geom that states both
    place.set(moved(place));
  }
  if (body.explicitinertial) body.ipos.set(moved(body.ipos));
}

/** Lists what is placed in a body's frame. Omits the contents of an inner frame, which go with that frame. */
function contentsOf(mj: MainModule, body: MjsBody) {
  const { mjOBJ_BODY, mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_FRAME } = mj.mjtObj;
  const inner = (kind: Parameters<typeof children>[2]) =>
    children(mj, body, kind).filter((element) => !mj.mjs_getFrame(element));
  const shapes = [
    ...inner(mjOBJ_GEOM).map((element) => mj.mjs_asGeom(element)!),
    ...inner(mjOBJ_SITE).map((element) => mj.mjs_asSite(element)!),
  ];
  const frames = inner(mjOBJ_FRAME).map((element) => mj.mjs_asFrame(element)!);
  return { shapes, others: [...frames, ...inner(mjOBJ_BODY).map((element) => mj.mjs_asBody(element)!)] };
}

function turnPlaced(mj: MainModule, spec: MjSpec, placed: Placed, turn: Quaternion): void {
  const quat = multiply([1, 0, 0, 0], turn, orientationOf(mj, spec, placed));
  placed.pos.set(rotate([0, 0, 0], turn, numbers(placed.pos)));
  placed.quat.set(quat);
  placed.alt.type = mj.mjtOrientation.mjORIENTATION_QUAT;
}

function turnInertia(mj: MainModule, spec: MjSpec, body: MjsBody, turn: Quaternion): void {
  const full = numbers(body.fullinertia);
  const { ipos: pos, iquat: quat, ialt: alt } = body;
  if (Number.isNaN(full[0])) {
    turnPlaced(mj, spec, { pos, quat, alt }, turn);
    return;
  }
  // The matrix xx yy zz xy xz yz is stated in the body's frame: I' = R I Rᵀ.
  const [xx, yy, zz, xy, xz, yz] = full as [number, number, number, number, number, number];
  const matrix = [xx, xy, xz, xy, yy, yz, xz, yz, zz];
  const r = toMatrix(new Array<number>(9).fill(0), turn);
  const at = (i: number, j: number) => {
    let sum = 0;
    for (let k = 0; k < 3; k++) for (let l = 0; l < 3; l++) sum += r[3 * i + k]! * matrix[3 * k + l]! * r[3 * j + l]!;
    return sum;
  };
  body.fullinertia.set([at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)]);
  pos.set(rotate([0, 0, 0], turn, numbers(pos)));
}

/** Returns the shortest rotation from one unit vector to another. */
export function between(from: readonly number[], to: readonly number[]): number[] {
  const axis = cross([0, 0, 0], from, to);
  const sine = norm(axis);
  const angle = Math.atan2(sine, dot(from, to));
  if (sine > 1e-12) return fromAxisAngle([1, 0, 0, 0], unit(axis), angle);
  if (angle < 1) return [1, 0, 0, 0];
  const across = Math.abs(from[0]!) < 0.9 ? [1, 0, 0] : [0, 1, 0]; // opposite vectors: half a turn about any perpendicular axis
  return fromAxisAngle([1, 0, 0, 0], unit(cross([0, 0, 0], from, across)), Math.PI);
}

/** Returns the rotation to a frame with this x axis and a y axis in the direction of `second`, made perpendicular to
 *  x. */
function fromAxes(first: readonly number[], second: readonly number[]): number[] {
  const x = unit(first);
  const along = dot(x, second);
  const y = unit(second.map((value, k) => value - along * x[k]!));
  const toX = between([1, 0, 0], x);
  const turned = rotate([0, 0, 0], toX, [0, 1, 0]);
  const angle = Math.atan2(dot(cross([0, 0, 0], turned, y), x), dot(turned, y));
  return multiply([1, 0, 0, 0], fromAxisAngle([1, 0, 0, 0], x, angle), toX);
}

/** @param sequence axes of the angles; lower case: axis of the turned body, upper case: axis of the parent's frame */
function fromEuler(angles: readonly number[], sequence: string): number[] {
  let q = [1, 0, 0, 0];
  for (const [k, letter] of [...sequence].entries()) {
    const axis = ['x', 'y', 'z'].map((name) => (name === letter.toLowerCase() ? 1 : 0));
    const one = fromAxisAngle([1, 0, 0, 0], axis, angles[k]!);
    const moves = letter === letter.toLowerCase();
    q = moves ? multiply([1, 0, 0, 0], q, one) : multiply([1, 0, 0, 0], one, q);
  }
  return q;
}

function unit(vector: readonly number[]): number[] {
  const size = norm(vector);
  return vector.map((value) => (size > 0 ? value / size : 0));
}

function numbers(view: Iterable<number> | ArrayLike<number>): number[] {
  return Array.from(view as ArrayLike<number>, Number);
}
