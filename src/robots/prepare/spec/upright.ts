import { angleBetween, fromAxisAngle, fromYaw, multiply, rotate, yawOf } from '../../../core/math/quaternion.ts';
import { norm, subtract } from '../../../core/math/vector.ts';
import { sideOf } from '../../../protocol/part-sides.ts';
import type { MainModule, MjSpec, MjsBody } from '../../../sim/mujoco.ts';
import { children } from '../../../sim/spec-elements.ts';
import type { ModelPose } from '../prepared-model.ts';
import { between, orientationOf, type Quaternion, turnContents } from './orientation.ts';

type Vector = readonly number[];

const STILL: Quaternion = [1, 0, 0, 0];
/** Turns the y axis to the z axis. */
const Y_UP: Quaternion = fromAxisAngle([1, 0, 0, 0], [1, 0, 0], Math.PI / 2);
/** Maximum lean of a root that is still considered upright, rad. */
const LEAN = 0.01;
/** Largest angle of an upright robot between the vertical and the direction from its feet to its other bodies, rad. */
const UPRIGHT = Math.PI / 4;
/** Smallest distance between feet and other bodies that determines a direction, m. */
const REACH = 0.05;
const FOOT_NAME = /foot|feet|toe|sole|ankle/i;

/** Turns the frame of the root so that the robot stands upright when its root has zero rotation, as in the default
 *  pose. This is needed if the root leans in the file, or if the file has another axis upwards. Headings do not change.
 *
 *  Uses the first orientation in which the feet are below the other bodies: that of the file, zero rotation, y upwards.
 *  Feet are recognised by the names of bodies. Without such names, the orientation of the file is used.
 *  @param gravity of the file, any length
 *  @param poses of the file; a pose with an upright root shows that the root's frame is already upright
 *  @returns one sentence for a change, otherwise an empty list */
export function standUpright(
  mj: MainModule,
  spec: MjSpec,
  root: MjsBody,
  { gravity, poses }: { readonly gravity: Vector; readonly poses: readonly ModelPose[] },
): string[] {
  const world = between(unit(gravity), [0, 0, -1]);
  const stated = multiply([1, 0, 0, 0], world, orientationOf(mj, spec, root));
  const inFile = multiply([1, 0, 0, 0], fromYaw([1, 0, 0, 0], -yawOf(stated)), stated);
  const leans = angleBetween(inFile, STILL) > LEAN;
  const bodies = placeBodies(mj, spec, root);
  const up = upwards(bodies);
  const isUpright = (turn: Quaternion) => up !== null && rotate([0, 0, 0], turn, up)[2]! > Math.cos(UPRIGHT);
  const posed = poses.some(({ rootQuat }) => rootQuat !== null && leanOf(rootQuat) < LEAN);
  const name = mj.mjs_getName(root.element);
  if (leans && !(posed && isUpright(STILL)) && (up === null || isUpright(inFile))) {
    const degrees = ((angleBetween(inFile, STILL) * 180) / Math.PI).toFixed(0);
    const turn = facingForwards(bodies, inFile);
    turnRoot(mj, spec, root, turn);
    return [`root body ${name} leans by ${degrees}° in the file, so its frame was turned upright${byTurn(turn)}`];
  }
  if (isUpright(STILL) || up === null || !isUpright(Y_UP)) return [];
  const turn = facingForwards(bodies, Y_UP);
  turnRoot(mj, spec, root, turn);
  return [`the model has its y axis upwards, so the frame of root body ${name} was turned upright${byTurn(turn)}`];
}

function byTurn(turn: Quaternion): string {
  const quat = turn.map((value) => Number(value.toFixed(4))).join(' ');
  return ` by the quaternion ${quat} (w x y z). Multiply root orientations of clips made for the file by its inverse, on the right`;
}

function turnRoot(mj: MainModule, spec: MjSpec, root: MjsBody, turn: Quaternion): void {
  turnContents(mj, spec, root, turn);
  root.quat.set([1, 0, 0, 0]);
  root.alt.type = mj.mjtOrientation.mjORIENTATION_QUAT;
}

/** Returns the angle between the z axis of a root and the vertical, rad. */
function leanOf(quat: Quaternion): number {
  return Math.acos(Math.min(1, Math.max(-1, rotate([0, 0, 0], quat, [0, 0, 1])[2]!)));
}

export interface PlacedBody {
  readonly name: string;
  /** position in the root's frame with all joints at zero, m */
  readonly position: Vector;
}

/** Computes the positions of the bodies below the root from their frames in the spec. */
export function placeBodies(mj: MainModule, spec: MjSpec, root: MjsBody): PlacedBody[] {
  const found: PlacedBody[] = [];
  const visit = (body: MjsBody, position: Vector, orientation: Quaternion): void => {
    found.push({ name: mj.mjs_getName(body.element), position });
    for (const element of children(mj, body, mj.mjtObj.mjOBJ_BODY)) {
      const child = mj.mjs_asBody(element)!;
      let at = Array.from(child.pos as Float64Array);
      let turn: Quaternion = orientationOf(mj, spec, child);
      for (let frame = mj.mjs_getFrame(element); frame; frame = mj.mjs_getFrame(frame.element)) {
        const of = orientationOf(mj, spec, frame);
        const offset = frame.pos as Float64Array;
        at = rotate([0, 0, 0], of, at).map((value, k) => value + offset[k]!);
        turn = multiply([1, 0, 0, 0], of, turn);
      }
      const placed = rotate([0, 0, 0], orientation, at).map((value, k) => value + position[k]!);
      visit(child, placed, multiply([1, 0, 0, 0], orientation, turn));
    }
  };
  visit(root, [0, 0, 0], STILL);
  return found;
}

/** Returns the direction from the feet to the other bodies, in the root's frame; null if no body has the name of a
 *  foot. */
function upwards(bodies: readonly PlacedBody[]): Vector | null {
  const feet = bodies.filter(({ name }) => FOOT_NAME.test(name));
  const others = bodies.filter(({ name }) => !FOOT_NAME.test(name));
  if (feet.length < 2 || others.length === 0) return null;
  const way = subtract([0, 0, 0], mean(others), mean(feet));
  return norm(way) < REACH ? null : unit(way);
}

/** Adds quarter turns about the vertical to `turn`, so that "left" bodies are at +y. */
function facingForwards(bodies: readonly PlacedBody[], turn: Quaternion): Quaternion {
  const names = bodies.map(({ name }) => name);
  const [left, right] = (['left', 'right'] as const).map((side) =>
    bodies.filter(({ name }) => sideOf(name, names) === side),
  );
  if (left!.length === 0 || right!.length === 0) return turn;
  const [x, y] = rotate([0, 0, 0], turn, subtract([0, 0, 0], mean(left!), mean(right!)));
  const quarters = Math.round((Math.PI / 2 - Math.atan2(y!, x!)) / (Math.PI / 2));
  return multiply([1, 0, 0, 0], fromYaw([1, 0, 0, 0], (quarters * Math.PI) / 2), turn);
}

function mean(bodies: readonly PlacedBody[]): number[] {
  return [0, 1, 2].map((k) => bodies.reduce((sum, { position }) => sum + position[k]!, 0) / bodies.length);
}

function unit(vector: Vector): number[] {
  const size = norm(vector);
  return size > 0 ? vector.map((value) => value / size) : [0, 0, -1];
}
