import { angleBetween, fromAxisAngle, fromYaw, multiply, rotate, yawOf } from '../../../core/math/quaternion.ts';
import { norm, subtract } from '../../../core/math/vector.ts';
import type { MainModule, MjSpec, MjsBody } from '../../../sim/mujoco.ts';
import { children } from '../../../sim/spec-elements.ts';
import { sideOf } from '../../kinematics/side-names.ts';
import type { ModelPose } from '../prepared-model.ts';
import { between, orientationOf, type Quaternion, turnContents } from './orientation.ts';

type Vector = readonly number[];

const STILL: Quaternion = [1, 0, 0, 0];
/** The y axis becomes the z axis. */
const Y_UP: Quaternion = fromAxisAngle([1, 0, 0, 0], [1, 0, 0], Math.PI / 2);
/** rad, smallest lean of a root that counts */
const LEAN = 0.01;
/** rad, largest angle between the vertical and the way from the feet up to the other bodies of an upright robot */
const UPRIGHT = Math.PI / 4;
/** m, smallest distance between feet and other bodies that shows a direction */
const REACH = 0.05;
const FOOT_NAME = /foot|feet|toe|sole|ankle/i;

/** Turns the frame of a root that leans in the file, or whose file has another axis upwards, so that the robot stands
 *  upright with its root at zero rotation, which is the root's orientation in the default pose. Headings are kept.
 *
 *  The orientation of the file counts if feet are below the other bodies in it; otherwise zero rotation, otherwise y
 *  upwards. Names of bodies tell the feet; without such names the file counts.
 *  @param gravity of the file, any length  @param poses of the file: one with an upright root shows that the frame is
 *  upright
 *  @returns one sentence for the change, none without one */
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
    return [`root body ${name} leans by ${degrees}° in the file: its frame was turned upright${byTurn(turn)}`];
  }
  if (isUpright(STILL) || up === null || !isUpright(Y_UP)) return [];
  const turn = facingForwards(bodies, Y_UP);
  turnRoot(mj, spec, root, turn);
  return [`the model has its y axis upwards: the frame of root body ${name} was turned upright${byTurn(turn)}`];
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

/** rad between the z axis of a root and the vertical */
function leanOf(quat: Quaternion): number {
  return Math.acos(Math.min(1, Math.max(-1, rotate([0, 0, 0], quat, [0, 0, 1])[2]!)));
}

interface PlacedBody {
  readonly name: string;
  /** m, in the root's frame, all joints at zero */
  readonly position: Vector;
}

/** Places the bodies below the root by their frames in the spec. */
function placeBodies(mj: MainModule, spec: MjSpec, root: MjsBody): PlacedBody[] {
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

/** Direction from the feet to the other bodies, in the root's frame; null without bodies named as feet. */
function upwards(bodies: readonly PlacedBody[]): Vector | null {
  const feet = bodies.filter(({ name }) => FOOT_NAME.test(name));
  const others = bodies.filter(({ name }) => !FOOT_NAME.test(name));
  if (feet.length < 2 || others.length === 0) return null;
  const way = subtract([0, 0, 0], mean(others), mean(feet));
  return norm(way) < REACH ? null : unit(way);
}

/** Adds the quarter turns about the vertical after which bodies named left are at +y. */
function facingForwards(bodies: readonly PlacedBody[], turn: Quaternion): Quaternion {
  const [left, right] = (['left', 'right'] as const).map((side) => bodies.filter(({ name }) => sideOf(name) === side));
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
