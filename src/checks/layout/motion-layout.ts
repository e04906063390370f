import { wrapAngle } from '../../core/math/vector.ts';
import type { MotionNpz } from '../../formats/motion-npz.ts';
import type { ClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { fixText } from '../../motion/fixes.ts';
import { type ClipIssue, withUnit } from '../clip/issue.ts';
import { assign } from './assignment.ts';
import { BodyLayout, type Fit, type QuaternionOrder } from './body-layout.ts';
import { confidence, confidenceText } from './confidence.ts';
import { bodyOfJoint, bodyOrders, jointOrders } from './orders.ts';
import { type StrayVelocities, strayVelocities } from './velocity-orders.ts';

/** Checks of the layout of joints, bodies and quaternions: of converted clips in this file, of raw clips in
 *  `raw-layout.ts`. */
export const LAYOUT_CHECKS = [
  { kind: 'body_order', version: 1 },
  { kind: 'quaternion_order', version: 1 },
  { kind: 'joint_order', version: 3 },
] as const;

/** The order of bodies fits if the error of the worst body is smaller than this, m. Error in files of the original
 *  project (upstream): 1e-3 */
const FITS = 0.02;
/** Error below which the fit is exact and the search ends, m. */
const EXACT = 2e-3;
/** A joint column fits if it differs by less than this from the angle between the bodies, rad. */
const ANGLE_FITS = 0.05;
/** An alternative reading whose error is too large to be certain is still preferred to the stored one if its error is
 *  below this share of the error as stored. */
const LIKELIER = 0.3;

/** Layout issues of a converted clip, and the clip as it should be read. */
export interface MotionFindings {
  readonly issues: readonly ClipIssue[];
  readonly clip: ClipRows;
}

/** Returns the issue that keeps a converted clip from being used for training or converted from its own rows; null if
 *  there is none. A warning that no known order fits counts too: such a clip may only be viewed. */
export function layoutProblem(robot: ClipRobot, motion: MotionNpz): ClipIssue | null {
  const { issues } = checkMotionLayout(robot, motion);
  const found = issues.find(
    ({ kind, severity }) => severity === 'error' || kind === 'body_order' || kind === 'joint_order',
  );
  return found ?? null;
}

/** Compares the body arrays of a converted clip with the robot's tree and its joints, and finds the order of bodies,
 *  quaternions and joints that they fit. Training reads arrays by position, so a wrong order would silently train a
 *  wrong motion. @param motion its numbers need not be finite; its number of joints equals the robot's */
export function checkMotionLayout(robot: ClipRobot, motion: MotionNpz): MotionFindings {
  const { facts } = robot;
  const frames: [number, number] = [0, motion.frames - 1];
  const own = facts.bodies.map((_, index) => index);
  if (motion.bodies !== facts.bodies.length) {
    const issue: ClipIssue = {
      ...{ kind: 'body_order', severity: 'error', frames, fix: 'reorder_bodies' },
      text: `the file has ${motion.bodies} bodies, but the robot has ${facts.bodies.length}, so training cannot read it; "reorder_bodies" computes all bodies again from the file's root and joints.`,
      plot: { channels: ['root.pos.z'], frame: 0 },
    };
    return { issues: [issue], clip: toClip(robot, motion, { quaternions: 'wxyz', places: own }, null) };
  }
  const layout = new BodyLayout(robot, motion);
  if (layout.samples.length === 0)
    return { issues: [], clip: toClip(robot, motion, { quaternions: 'wxyz', places: own }, null) };
  const read = layout.fit('wxyz', own);
  const found = read.error <= FITS ? read : bestFit(robot, layout, read);
  const issues: ClipIssue[] = [];
  const sure = confidenceText(confidence(read.error, found.error, 1e-3));
  const worst = facts.bodies[read.worst]!.name;
  const wrong = `${worst} is ${withUnit(read.error, 'm')} from where the robot's joints hold it`;
  const common = { severity: 'error', frames, plot: { channels: heights(robot), frame: 0 } } as const;
  if (found.quaternions === 'xyzw')
    issues.push({
      ...{ ...common, kind: 'quaternion_order', fix: 'swap_quaternion' },
      text: `body_quat_w contains x y z w, but training reads w x y z: read in this order, ${wrong} (tolerated: ${withUnit(FITS, 'm')}; ${sure}).`,
    });
  const reordered = found.places.some((place, body) => place !== body);
  if (reordered)
    issues.push({
      ...{ ...common, kind: 'body_order', fix: fixText({ kind: 'reorder_bodies', root: found.places[0]! }) },
      text: `the bodies are ${orderText(robot, found.places)}, but training reads them in the robot's order: read in this order, ${wrong} (tolerated: ${withUnit(FITS, 'm')}; ${sure}).`,
    });
  if (found === read && read.error > FITS)
    issues.push({
      ...{ ...common, kind: 'body_order', severity: 'warning', fix: 'reorder_bodies' },
      text: `the bodies do not fit this robot in any order: ${wrong} (tolerated: ${withUnit(FITS, 'm')}); the file may belong to another robot, or its bodies to another clip.`,
    });
  const joints = found.error <= 2 * FITS ? jointColumns(robot, motion, layout, found) : null;
  if (joints?.issue) issues.push({ ...joints.issue, frames });
  for (const stray of strayVelocities(motion, found.quaternions))
    issues.push({ ...strayIssue(robot, { places: found.places, columns: joints?.columns ?? null }, stray), frames });
  return { issues, clip: toClip(robot, motion, found, joints?.columns ?? null) };
}

/** Returns the reading that fits best, or `read` itself if no other reading is clearly better. */
function bestFit(robot: ClipRobot, layout: BodyLayout, read: Fit): Fit {
  const turns: readonly QuaternionOrder[] = ['wxyz', 'xyzw'];
  let best = read;
  const consider = (fit: Fit) => {
    if (fit.error < best.error) best = fit;
    return best.error <= EXACT;
  };
  for (const quaternions of turns)
    for (const { order } of bodyOrders(robot)) if (consider(layout.fit(quaternions, inverse(order)))) return best;
  for (let root = 0; root < robot.nbody; root++)
    for (const quaternions of turns) {
      const fit = layout.find(quaternions, root, best.error);
      if (fit && consider(fit)) return best;
    }
  return best.error < LIKELIER * read.error ? best : read;
}

function orderText(robot: ClipRobot, places: readonly number[]): string {
  const order = inverse(places);
  const known = bodyOrders(robot).find((candidate) => candidate.order.every((body, place) => body === order[place]));
  if (known) return known.name.startsWith('alphabetical') ? 'in alphabetical order' : `in ${known.name} order`;
  const names = order.slice(0, 4).map((body) => robot.facts.bodies[body]!.name);
  return `in an order of their own (${names.join(', ')}, …)`;
}

/** Finds the file's column of each joint, by the angles between the bodies. */
function jointColumns(robot: ClipRobot, motion: MotionNpz, layout: BodyLayout, fit: Fit) {
  const { facts } = robot;
  const angles = layout.angles(fit, bodyOfJoint(robot));
  const known = angles.flatMap((angle, joint) => (angle ? [joint] : []));
  if (known.length !== angles.length) return null; // slides and bodies with several joints are not supported
  const cost = angles.map((angle) =>
    Float64Array.from({ length: motion.joints }, (_, column) => {
      let sum = 0;
      for (const [k, frame] of layout.samples.entries())
        sum += Math.abs(wrapAngle(motion.jointPos[frame * motion.joints + column]! - angle![k]!));
      return Number.isFinite(sum) ? sum / layout.samples.length : 1e3;
    }),
  );
  const worstOf = (columns: readonly number[]) => {
    const errors = columns.map((column, joint) => cost[joint]![column]!);
    const error = Math.max(...errors);
    return { columns, error, joint: errors.indexOf(error) };
  };
  const read = worstOf(angles.map((_, joint) => joint));
  if (read.error <= ANGLE_FITS) return { columns: null, issue: null };
  const candidates = jointOrders(robot).map((candidate) => ({
    ...worstOf(inverse(candidate.order)),
    name: candidate.name,
  }));
  const [likely] = candidates.sort((a, b) => a.error - b.error);
  const found = likely!.error <= ANGLE_FITS ? likely! : { ...worstOf(assign(cost)), name: 'their own' };
  const wrong = `${facts.joints[read.joint]!.name} differs by ${withUnit(read.error, 'rad')} from what the bodies show`;
  const plot = { channels: [`joint.${facts.joints[read.joint]!.name}`], frame: 0 };
  if (found.error > ANGLE_FITS && found.error > LIKELIER * read.error) {
    const text = `the joint columns do not fit the bodies in any order: ${wrong} (tolerated: ${withUnit(ANGLE_FITS, 'rad')}).`;
    return { columns: null, issue: { kind: 'joint_order', severity: 'warning', text, plot, fix: null } as const };
  }
  const order = inverse(found.columns).map((joint) => facts.joints[joint]!.name);
  const sure = confidenceText(confidence(read.error, found.error, 0.01));
  const issue = {
    ...({
      kind: 'joint_order',
      severity: 'error',
      plot,
      fix: fixText({ kind: 'reorder_joints', columns: order }),
    } as const),
    text: `the joint columns are in ${found.name} order (${order.slice(0, 3).join(', ')}, …), but training reads them in the robot's order: read in this order, ${wrong} (tolerated: ${withUnit(ANGLE_FITS, 'rad')}; ${sure}).`,
  };
  return { columns: found.columns, issue };
}

/** Makes the issue for velocities in another order than the poses. Its fix computes all velocities again from root and
 *  joints. */
function strayIssue(
  robot: ClipRobot,
  read: { readonly places: readonly number[]; readonly columns: readonly number[] | null },
  { arrays, place, found }: StrayVelocities,
) {
  const { facts } = robot;
  const ofJoints = arrays === 'joint_vel';
  const bodies = inverse(read.places);
  const joints = read.columns && inverse(read.columns);
  const name = (at: number) => (ofJoints ? facts.joints[joints ? joints[at]! : at]! : facts.bodies[bodies[at]!]!).name;
  const kind = ofJoints ? 'joint_order' : 'body_order';
  return {
    ...({ kind, severity: 'error', fix: fixText({ kind: 'reorder_bodies', root: read.places[0]! }) } as const),
    text: `${arrays} is in another order than the poses in the file. The velocity of ${name(place)} is at the place of ${name(found)}. The repair "reorder_bodies" recomputes all velocities.`,
    plot: { channels: ofJoints ? [`joint.${name(place)}`] : heights(robot), frame: 0 },
  };
}

/** Builds the clip's rows from the root and joints that were found. The root's pose is the pose of the body at
 *  `places[0]`. */
function toClip(
  robot: ClipRobot,
  motion: MotionNpz,
  { quaternions, places }: Pick<Fit, 'quaternions' | 'places'>,
  columns: readonly number[] | null,
): ClipRows {
  const { nq } = robot;
  const { frames, joints, bodies, jointPos, bodyPosW, bodyQuatW } = motion;
  const rows = new Float64Array(frames * nq);
  const shift = quaternions === 'wxyz' ? 0 : 3;
  for (let frame = 0; frame < frames; frame++) {
    const root = frame * bodies + places[0]!;
    const at = frame * nq;
    for (let k = 0; k < 3; k++) rows[at + k] = bodyPosW[3 * root + k]!;
    for (let k = 0; k < 4; k++) rows[at + 3 + k] = bodyQuatW[4 * root + ((k + shift) % 4)]!;
    for (let j = 0; j < joints; j++) rows[at + 7 + j] = jointPos[frame * joints + (columns ? columns[j]! : j)]!;
  }
  return { fps: motion.fps, frames, rows };
}

function heights({ facts }: ClipRobot): string[] {
  return facts.wiring.feet.map((foot) => `height.${foot}`);
}

/** Inverts a permutation. */
function inverse(order: readonly number[]): number[] {
  const out = new Array<number>(order.length).fill(0);
  for (const [place, index] of order.entries()) out[index] = place;
  return out;
}
