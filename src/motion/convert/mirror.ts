import { badInput } from '../../core/errors.ts';
import { otherSide } from '../../protocol/part-sides.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { ClipRobot } from '../clip-robot.ts';
import type { ClipRows } from '../clip-rows.ts';

/** The joint from which each mirrored joint takes its value, and the sign of that value. */
export interface MirrorMap {
  /** index of each joint's partner on the other side; its own index for a joint on the midline */
  readonly partner: readonly number[];
  readonly sign: readonly (1 | -1)[];
}

/** Minimum cosine of the angle between a joint's axis and the mirror image of its partner's axis. */
const LEAST_ALIGNMENT = 0.99;

/** A joint whose anchor is farther from the plane y = 0 than this share of the robot's size is on one side. A joint of
 *  the other side is at most this far from its mirror image. */
const BESIDE = 0.02;

/** Returns how clips of this robot are mirrored. @throws bad_input with the reason of {@link findMirrorMap} */
export function mirrorMap(robot: ClipRobot): MirrorMap {
  const map = findMirrorMap(robot);
  if (typeof map === 'string') throw badInput(`mirror: ${map}. Convert without mirror.`);
  return map;
}

/** Finds how clips of this robot are mirrored at its sagittal plane (y → −y), from the names of its joints, and from
 *  their places and axes in the zero pose. The axis of a hinge is an axial vector, mirrored as (x, y, z) → (−x, y, −z).
 *  The axis of a slide is a polar vector, mirrored to (x, −y, z).
 *  @returns the map, or the reason if a joint has no partner, or if its axis is not the mirror image of its partner's
 *  axis */
export function findMirrorMap(robot: ClipRobot): MirrorMap | string {
  const { facts, model, data, mj } = robot;
  const { qpos } = robot.views;
  qpos.fill(0);
  qpos[3] = 1;
  mj.mj_kinematics(model, data);
  // Joint 0 of the model is the free joint.
  const vectors = (values: unknown) => {
    const flat = values as Float64Array;
    return facts.joints.map((_, joint) => [...flat.subarray(3 * (joint + 1), 3 * (joint + 2))]);
  };
  const [axes, places] = [vectors(data.xaxis), vectors(data.xanchor)];
  const tolerance = BESIDE * Math.max(...places.map((place) => Math.hypot(...place)));
  const names = facts.joints.map(({ name }) => name);
  /** cosine of the angle between the axis of a joint and the mirror image of that of another one */
  const cosineOf = (joint: number, other: number) => {
    const [own, its] = [axes[joint]!, axes[other]!];
    const k = facts.joints[joint]!.type === 'hinge' ? -1 : 1;
    return k * own[0]! * its[0]! - k * own[1]! * its[1]! + k * own[2]! * its[2]!;
  };
  const isImage = (joint: number, other: number) => {
    const [own, its] = [places[joint]!, places[other]!];
    const isNear = Math.hypot(own[0]! - its[0]!, own[1]! + its[1]!, own[2]! - its[2]!) <= tolerance;
    const isAlike = facts.joints[joint]!.type === facts.joints[other]!.type;
    return isNear && isAlike && Math.abs(cosineOf(joint, other)) >= LEAST_ALIGNMENT;
  };
  const wanted = names.map((name) => otherSide(name, names));
  const named = wanted.map((name) => (name === null ? -1 : names.indexOf(name)));
  const partner: number[] = [];
  const sign: (1 | -1)[] = [];
  for (const [joint, { name }] of facts.joints.entries()) {
    let found = named[joint]!;
    if (found < 0 && wanted[joint] === null && Math.abs(places[joint]![1]!) <= tolerance) found = joint;
    if (found < 0) {
      const images = names.flatMap((_, other) => (named[other]! < 0 && isImage(joint, other) ? [other] : []));
      // A hinge about y turns in the plane of the mirror, wherever on its axis the model puts it.
      const isPitch = facts.joints[joint]!.type === 'hinge' && Math.abs(axes[joint]![1]!) >= LEAST_ALIGNMENT;
      if (images.length === 0 && isPitch && wanted[joint] === null) images.push(joint);
      if (images.length !== 1)
        return wanted[joint] === null
          ? `joint ${name} is beside the middle of the robot, and its partner on the other side is not known by its name or place`
          : `joint ${name} has no partner ${wanted[joint]} on the other side, and none at its mirrored place`;
      found = images[0]!;
    }
    const cosine = cosineOf(joint, found);
    if (Math.abs(cosine) < LEAST_ALIGNMENT) {
      const whose = found === joint ? 'its own' : `that of ${facts.joints[found]!.name}`;
      return `the axis of joint ${name} is not the mirror image of ${whose}`;
    }
    partner.push(found);
    sign.push(cosine > 0 ? 1 : -1);
  }
  const single = partner.findIndex((other, joint) => partner[other] !== joint);
  if (single >= 0) {
    const other = partner[single]!;
    return `joint ${names[single]} would be mirrored to ${names[other]}, but that joint to ${names[partner[other]!]}`;
  }
  return { partner, sign };
}

/** Returns the partner of each body on the other side, by index; its own index for a body on the midline. The body that
 *  a joint moves is the partner of the body that its partner moves, whatever the names. A body without joints, such as a
 *  foot fixed to an ankle, is found by its name. */
export function mirroredBodies({ joints, bodies }: RobotFacts, { partner }: MirrorMap): number[] {
  const names = bodies.map(({ name }) => name);
  return names.map((name, body) => {
    const joint = joints.findIndex((one) => one.body === body);
    if (joint >= 0) return joints[partner[joint]!]!.body;
    const at = names.indexOf(otherSide(name, names) ?? name);
    return at < 0 ? body : at;
  });
}

/** Mirrors a clip at the plane y = 0. */
export function mirrorRows(clip: ClipRows, { partner, sign }: MirrorMap): ClipRows {
  const { frames, fps, rows } = clip;
  const columns = rows.length / frames;
  const out = new Float64Array(rows.length);
  for (let frame = 0; frame < frames; frame += 1) {
    const row = frame * columns;
    out[row] = rows[row]!;
    out[row + 1] = -rows[row + 1]!;
    out[row + 2] = rows[row + 2]!;
    out[row + 3] = rows[row + 3]!;
    out[row + 4] = -rows[row + 4]!;
    out[row + 5] = rows[row + 5]!;
    out[row + 6] = -rows[row + 6]!;
    for (let joint = 0; joint < partner.length; joint += 1)
      out[row + 7 + joint] = sign[joint]! * rows[row + 7 + partner[joint]!]!;
  }
  return { fps, frames, rows: out };
}
