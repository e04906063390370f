import { badInput } from '../../core/errors.ts';
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

/** Words that name a side, with the word for the other side. */
const SIDES: readonly (readonly [RegExp, string])[] = [
  [/left/, 'right'],
  [/right/, 'left'],
  [/Left/, 'Right'],
  [/Right/, 'Left'],
  [/LEFT/, 'RIGHT'],
  [/RIGHT/, 'LEFT'],
  [/(?<=^|_)l(?=_|$)/, 'r'],
  [/(?<=^|_)r(?=_|$)/, 'l'],
  [/(?<=^|_)L(?=_|$)/, 'R'],
  [/(?<=^|_)R(?=_|$)/, 'L'],
];

/** Returns how clips of this robot are mirrored. @throws bad_input with the reason of {@link findMirrorMap} */
export function mirrorMap(robot: ClipRobot): MirrorMap {
  const map = findMirrorMap(robot);
  if (typeof map === 'string') throw badInput(`mirror: ${map}. Convert without mirror.`);
  return map;
}

/** Finds how clips of this robot are mirrored at its sagittal plane (y → −y), from the joint axes in the zero pose. The
 *  axis of a hinge is an axial vector, mirrored as (x, y, z) → (−x, y, −z). The axis of a slide is a polar vector,
 *  mirrored to (x, −y, z).
 *  @returns the map, or the reason if a joint has no partner, or if its axis is not the mirror image of its partner's
 *  axis */
export function findMirrorMap(robot: ClipRobot): MirrorMap | string {
  const { facts, model, data, mj } = robot;
  const { qpos } = robot.views;
  qpos.fill(0);
  qpos[3] = 1;
  mj.mj_kinematics(model, data);
  const axes = Float64Array.from(data.xaxis as Float64Array);
  const index = new Map(facts.joints.map(({ name }, joint) => [name, joint]));
  const partner: number[] = [];
  const sign: (1 | -1)[] = [];
  for (const [joint, { name, type }] of facts.joints.entries()) {
    const wanted = otherSide(name);
    const found = wanted === null ? joint : index.get(wanted);
    if (found === undefined) return `joint ${name} has no partner ${wanted} on the other side`;
    // Joint 0 of the model is the free joint.
    const own = axes.subarray(3 * (joint + 1), 3 * (joint + 2));
    const other = axes.subarray(3 * (found + 1), 3 * (found + 2));
    const k = type === 'hinge' ? -1 : 1;
    const cosine = k * own[0]! * other[0]! - k * own[1]! * other[1]! + k * own[2]! * other[2]!;
    if (Math.abs(cosine) < LEAST_ALIGNMENT) {
      const whose = found === joint ? 'its own' : `that of ${facts.joints[found]!.name}`;
      return `the axis of joint ${name} is not the mirror image of ${whose}`;
    }
    partner.push(found);
    sign.push(cosine > 0 ? 1 : -1);
  }
  return { partner, sign };
}

/** Returns the name of the same part on the other side; null for a part on the midline. */
export function otherSide(name: string): string | null {
  for (const [side, other] of SIDES) if (side.test(name)) return name.replace(side, other);
  return null;
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
