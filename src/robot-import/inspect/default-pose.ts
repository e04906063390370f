import { type ModelJoint, type PosedModel, poseOf, withinRange } from '../../robots/kinematics/posed-model.ts';
import type { ModelPose, PreparedModel } from '../../robots/prepare/prepared-model.ts';
import { findLimbs, jointsOf, type Limb, lengthOf } from './limbs.ts';
import { openArms } from './open-arms.ts';
import { raiseLegs } from './raise-legs.ts';

/** Suggested flexion angle of knees, rad. */
const KNEE_BEND = 0.3;
/** Suggested angle of a knee whose range excludes 0, rad, clamped to its range. */
const CROUCH = 1.5;
const POSE_NAME = /home|stand|default|init|nominal|neutral/i;
/** Distance by which keyframes may exceed joint ranges, rad or m. */
const RANGE_SLACK = 1e-3;
/** Threshold from which a keyframe is unusual, rad: angle of a leg joint about the vertical, or difference between left
 *  and right. */
const ODD = 0.15;
/** A joint whose axis has at least this component along world y swings a leg forwards and backwards. */
const PITCH = 0.9;

export interface DefaultPose {
  /** joint positions by name, rad or m; every joint, within its range */
  readonly joints: ReadonlyMap<string, number>;
  readonly reason: string;
  readonly warnings: readonly string[];
}

/** Suggests the default pose, to which actions are relative, and leaves `posed` in this pose. Uses a keyframe of the
 *  model if one fits and stands on as many feet as the robot has. Otherwise starts with all joints at zero, or at the
 *  nearest limit. It then bends the knees slightly if the soles stay flat, or raises a robot that lies flat. In
 *  either pose, arms that overlap the body are opened. */
export function suggestPose(
  posed: PosedModel,
  { poses, mimics, passive }: Pick<PreparedModel, 'poses' | 'mimics' | 'passive'>,
): DefaultPose {
  const zero = poseOf(posed.joints, new Map(), mimics);
  posed.pose(zero);
  const moved = posed.joints.filter(({ name }) => zero.get(name) !== 0).map(({ name }) => name);
  const atZero = moved.length === 0 ? 'all joints at zero' : `zero, or the nearest limit (${moved.join(', ')})`;
  const bent = bendKnees(posed, zero, passive) ?? raised(posed, zero);
  const own = poseOf(posed.joints, bent?.joints ?? zero, mimics);
  const key = chooseKey(posed, poses, mimics, own);
  const start = key.pose?.joints ?? own;
  posed.pose(start);
  const opened = openArms(posed, start);
  // A spec has no default positions for joints without motors.
  const driven = [...(opened?.joints ?? start)].filter(([name]) => !passive.has(name));
  const joints = poseOf(posed.joints, new Map(driven), mimics);
  posed.pose(joints); // always needed: openArms leaves `posed` at the last angle that it tried
  const changes = [key.pose ? null : bent, opened].flatMap((change) => (change ? [change.reason] : []));
  const base = key.pose?.reason ?? atZero;
  const reason = changes.length === 0 ? base : `${base}, but ${changes.join('; ')}`;
  return { joints, reason, warnings: key.pose?.warnings ?? key.warnings };
}

/** Chooses the keyframe for the default pose. Skips keyframes in which fewer feet reach the floor than in the pose
 *  `otherwise`. Leaves `posed` in the chosen pose. */
function chooseKey(
  posed: PosedModel,
  poses: PreparedModel['poses'],
  mimics: PreparedModel['mimics'],
  otherwise: ReadonlyMap<string, number>,
): { readonly pose: DefaultPose | null; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const footCount = (joints: ReadonlyMap<string, number>) => {
    posed.pose(joints);
    return findLimbs(posed, [posed.tree.root]).legs.length;
  };
  const fitting = poses.toSorted((a, b) => rank(a) - rank(b)).filter((pose) => fits(posed, pose));
  const feet = fitting.length === 0 ? 0 : footCount(otherwise);
  for (const key of fitting) {
    const joints = poseOf(posed.joints, key.joints, mimics);
    const name = `keyframe ${key.name || 'of the model'}`;
    const count = footCount(joints);
    if (count < feet) {
      warnings.push(
        `${name} is not used as the default pose, because it puts only ${count} of ${feet} feet on the floor`,
      );
      continue;
    }
    const odd = oddLegs(posed, joints, name);
    posed.pose(joints);
    return { pose: { joints, reason: name, warnings: [...warnings, ...odd] }, warnings };
  }
  return { pose: null, warnings };
}

/** A robot lies flat if its root is lower than this share of its legs' length. Quadrupeds stand at 0.5 to 0.8; one with
 *  folded legs lies on its trunk at 0.3. */
const FLAT_SHARE = 0.4;

/** Raises a robot that lies flat, unless a leg or wheel on which it stands would leave the floor. Leaves `posed` in an
 *  arbitrary pose. */
function raised(posed: PosedModel, zero: ReadonlyMap<string, number>) {
  posed.pose(zero);
  const height = (): number => posed.position(posed.tree.root)[2] - posed.lowest();
  const { legs, others } = findLimbs(posed, [posed.tree.root]);
  const length = Math.max(0, ...[...legs, ...others].map(({ chain }) => lengthOf(posed, chain)));
  if (!Number.isFinite(height()) || (legs.length >= 2 && height() >= FLAT_SHARE * length)) return null;
  const before = height();
  const found = raiseLegs(posed, zero);
  if (found === null) return null;
  posed.pose(found.joints);
  const standing = findLimbs(posed, [posed.tree.root]).legs.map(({ chain }) => chain[0]);
  const stands = standing.length >= 2 && legs.every(({ chain }) => standing.includes(chain[0]));
  return stands && height() > before ? found : null;
}

/** Returns warnings about leg joints of a keyframe that turn a leg about the vertical, or that differ between left and
 *  right. Leaves `posed` at zero. */
function oddLegs(posed: PosedModel, joints: ReadonlyMap<string, number>, keyframe: string): string[] {
  posed.pose(new Map());
  const legs = findLimbs(posed, [posed.tree.root]).legs.map((leg) => jointsOf(posed, leg));
  const value = ({ name }: ModelJoint) => joints.get(name)!;
  const text = (list: readonly ModelJoint[]) =>
    list.map((joint) => `${joint.name} ${value(joint).toFixed(2)}`).join(', ');
  const turned = legs.flat().filter((joint) => Math.abs(posed.axis(joint)[2]) > PITCH && Math.abs(value(joint)) > ODD);
  const uneven = legs.flatMap((leg, k) => {
    const other = k % 2 === 0 ? (legs[k + 1] ?? []) : [];
    const pairs = leg.length === other.length ? leg.map((joint, at) => [joint, other[at]!] as const) : [];
    return pairs.filter(([a, b]) => Math.abs(Math.abs(value(a)) - Math.abs(value(b))) > ODD).flat();
  });
  return [
    ...(turned.length > 0 ? [`${keyframe} turns legs about the vertical: ${text(turned)} rad`] : []),
    ...(uneven.length > 0 ? [`${keyframe} differs between left and right: ${text(uneven)} rad`] : []),
  ].map((odd) => `${odd}. The default pose keeps these angles. Set them to zero if they are not intended`);
}

const rank = ({ name }: ModelPose) => (POSE_NAME.test(name) ? 0 : 1);

/** Returns whether a keyframe is within the joint ranges, which MuJoCo does not check. Accepts a folded pose, because
 *  the user sees it. */
function fits(posed: PosedModel, pose: ModelPose): boolean {
  return posed.joints.every((joint) => {
    const value = pose.joints.get(joint.name) ?? 0;
    return Number.isFinite(value) && Math.abs(withinRange(joint, value) - value) <= RANGE_SLACK;
  });
}

function bendKnees(
  posed: PosedModel,
  zero: ReadonlyMap<string, number>,
  passive: ReadonlySet<string>,
): { readonly joints: ReadonlyMap<string, number>; readonly reason: string } | null {
  const { legs } = findLimbs(posed, [posed.tree.root]);
  const pitches = legs.map((leg) => pitchJoints(posed, leg).filter(({ joint }) => !passive.has(joint.name)));
  if (legs.length === 2 && pitches.every((joints) => joints.length === 3))
    return bendOverSoles(posed, zero, legs, pitches);
  // Four-legged robots: the foot stays below its hip if the thigh turns back by half of the knee's angle.
  const crouching = pitches.filter((joints) => joints.length === 2 && withinRange(joints[1]!.joint, 0) !== 0);
  if (legs.length <= 2 || crouching.length !== legs.length) return null;
  const joints = new Map(zero);
  for (const [thigh, knee] of pitches) {
    const bend = withinRange(knee!.joint, Math.sign(zero.get(knee!.joint.name)!) * CROUCH);
    joints.set(knee!.joint.name, bend);
    joints.set(thigh!.joint.name, withinRange(thigh!.joint, (-knee!.sign * thigh!.sign * bend) / 2));
  }
  return {
    joints,
    reason: 'knees bent within their range and thighs by half as much, so that feet stay below the hips',
  };
}

interface Pitch {
  readonly joint: ModelJoint;
  /** 1 if positive angles turn about +y (a hanging leg swings back), otherwise −1 */
  readonly sign: number;
}

function pitchJoints(posed: PosedModel, leg: Limb): Pitch[] {
  return jointsOf(posed, leg).flatMap((joint) => {
    const y = posed.axis(joint)[1];
    const isWheel = joint.body === leg.end && joint.lower === null;
    return joint.type === 'hinge' && Math.abs(y) > PITCH && !isWheel ? [{ joint, sign: Math.sign(y) }] : [];
  });
}

/** Bends hip, knee and ankle so that the soles stay flat. Chooses how much the hip bends so that the centre of mass is
 *  closest to the middle of the soles. */
function bendOverSoles(
  posed: PosedModel,
  zero: ReadonlyMap<string, number>,
  legs: readonly Limb[],
  pitches: readonly (readonly Pitch[])[],
) {
  const bent = (hipShare: number): Map<string, number> => {
    const joints = new Map(zero);
    for (const [hip, knee, ankle] of pitches) {
      const { lower, upper } = knee!.joint;
      const forwards = knee!.sign * ((lower ?? -1) + (upper ?? 1)) >= 0 ? 1 : -1;
      const bend = knee!.sign * withinRange(knee!.joint, knee!.sign * forwards * KNEE_BEND);
      const turns: [Pitch, number][] = [
        [hip!, -hipShare * bend],
        [knee!, bend],
        [ankle!, (hipShare - 1) * bend],
      ];
      for (const [{ joint, sign }, turn] of turns) joints.set(joint.name, withinRange(joint, sign * turn));
    }
    return joints;
  };
  const offset = (joints: ReadonlyMap<string, number>): number => {
    posed.pose(joints);
    const [back, front] = soles(posed, legs);
    return posed.subtreeCentre(posed.tree.root)[0] - (back + front) / 2;
  };
  const tried = Array.from({ length: 21 }, (_, k) => {
    const joints = bent(k / 20);
    return { joints, off: offset(joints) };
  });
  const best = tried.reduce((least, one) => (Math.abs(one.off) < Math.abs(least.off) ? one : least));
  const rounded = new Map([...best.joints].map(([name, value]) => [name, Number(value.toFixed(4))]));
  const mm = Math.round(1000 * best.off);
  const [hip, , ankle] = pitches[0]!.map(({ joint }) => Math.abs(rounded.get(joint.name)!).toFixed(2));
  return {
    joints: rounded,
    reason:
      `knees bent by ${KNEE_BEND} rad, hips by ${hip} and ankles by ${ankle}, which keeps the soles flat and the centre of ` +
      `mass ${Math.abs(mm)} mm ${mm < 0 ? 'behind' : 'in front of'} their middle`,
  };
}

/** Returns the range of x from heels to toes, m. */
function soles(posed: PosedModel, legs: readonly Limb[]): readonly [number, number] {
  const reach = legs.map(({ end }) => posed.extent(end, 0));
  return [Math.min(...reach.map(([back]) => back)), Math.max(...reach.map(([, front]) => front))];
}
