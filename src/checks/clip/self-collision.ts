import type { ClipRobot } from '../../motion/clip-robot.ts';
import { qposOf } from '../../robots/robot-facts.ts';
import { findContacts } from '../../sim/contacts.ts';
import { clipCheck } from '../check-spec.ts';
import { threshold } from '../threshold.ts';
import type { CheckedClip } from './checked-clip.ts';
import { type ClipIssue, issuesOf, mergeRanges, type Range, withUnit } from './issue.ts';
import { bodyLimbs } from './limbs.ts';

/** Number of frames checked per second. Bodies take longer than 1/15 s to pass through each other. */
const LOOKS = 15;
/** Maximum number of issues per pair of limbs, and in total. */
const EACH = 2;
const LISTED = 6;
/** Height by which the robot is lifted, m, so that MuJoCo does not compute contacts with the floor. */
const LIFT = 1000;

/** Reports overlapping bodies, found with MuJoCo's collision detection: the deepest overlaps of each pair of limbs.
 *  Ignores neighbouring bodies, pairs that the model excludes, and bodies that overlap in the default pose, which is
 *  a defect of the model. */
export const SELF_COLLISION = clipCheck({
  kind: 'self_collision',
  version: 2,
  thresholds: {
    info: threshold(0.015, 'm, depth by which two bodies overlap'),
    // No bodies overlap in the built-in clips. In retargeted clips a hand overlaps a thigh by up to 0.095 m.
    warning: threshold(0.03, 'm'),
  },
  run: checkSelfCollision,
});

/** Overlaps of a clip, m, sampled at about {@link LOOKS} frames per second. For the key of a pair of bodies see
 *  `bodiesOf`. */
interface Looks {
  readonly step: number;
  /** overlaps in the default pose */
  readonly standing: ReadonlyMap<number, number>;
  readonly frames: readonly { readonly frame: number; readonly depths: ReadonlyMap<number, number> }[];
}

function looksOf({ robot, clip }: CheckedClip): Looks {
  const { facts, nq } = robot;
  const step = Math.max(1, Math.round(clip.fps / LOOKS));
  const standing = qposOf(
    facts.rootHeight,
    facts.joints.map((joint) => joint.default),
  );
  const frames: { frame: number; depths: Map<number, number> }[] = [];
  for (let frame = 0; frame < clip.frames; frame += step)
    frames.push({ frame, depths: overlaps(robot, clip.rows.subarray(frame * nq, (frame + 1) * nq)) });
  return { step, standing: overlaps(robot, standing), frames };
}

/** Returns the share of the sampled frames, 0..1, in which bodies overlap by more than the default threshold. */
export function overlapShare(checked: CheckedClip): number {
  const { standing, frames } = checked.shared(looksOf);
  const limit = SELF_COLLISION.thresholds.info.default;
  const isReal = ([pair, depth]: [number, number]) => depth > limit && (standing.get(pair) ?? 0) <= limit;
  return frames.filter(({ depths }) => [...depths].some(isReal)).length / frames.length;
}

function checkSelfCollision(checked: CheckedClip, limits: { info: number; warning: number }): ClipIssue[] {
  const { robot } = checked;
  const { frames } = checked.clip;
  const { facts } = robot;
  const { step, standing, frames: looks } = checked.shared(looksOf);
  const limbs = bodyLimbs(facts);
  /** ranges by pair of limbs */
  const found = new Map<string, Range[]>();
  const share = new Map<string, number>();
  for (const { frame, depths } of looks) {
    const seen = new Set<string>();
    for (const [pair, depth] of depths) {
      if (depth <= limits.info || (standing.get(pair) ?? 0) > limits.info) continue;
      const [a, b] = bodiesOf(pair, robot);
      const touching = [limbs[a]!, limbs[b]!].sort().join(' and ');
      const range = { start: frame, end: Math.min(frames - 1, frame + step - 1), peak: depth, at: frame, which: pair };
      found.set(touching, [...(found.get(touching) ?? []), range]);
      seen.add(touching);
    }
    for (const touching of seen) share.set(touching, (share.get(touching) ?? 0) + 1);
  }
  const places = [...found].flatMap(([limbs, parts]) =>
    mergeRanges(parts, Math.max(5, step))
      .sort((a, b) => b.peak - a.peak)
      .slice(0, EACH)
      .map((range) => ({ limbs, range })),
  );
  places.sort((a, b) => b.range.peak - a.range.peak);
  return places.slice(0, LISTED).flatMap(({ limbs, range: place }) => {
    const percent = (100 * share.get(limbs)!) / Math.ceil(frames / step);
    return issuesOf('self_collision', [place], (range) => {
      const [a, b] = bodiesOf(range.which, robot);
      return {
        severity: range.peak > limits.warning ? 'warning' : 'info',
        text: `${facts.bodies[a]!.name} and ${facts.bodies[b]!.name} are ${withUnit(range.peak, 'm', 3)} inside each other at frame ${range.at} (tolerated: ${withUnit(limits.info, 'm', 3)}); ${limbs} overlap in ${withUnit(percent, '%', percent < 1 ? 1 : 0)} of the clip`,
        body: facts.bodies[a]!.name,
        channels: [...new Set([a, b].map((body) => jointOf(robot, body)))].flatMap((joint) =>
          joint === null ? [] : [`joint.${joint}`],
        ),
      };
    });
  });
}

/** Returns the depth, m, of each pair of overlapping bodies. The key encodes the pair as one number, see `bodiesOf`. */
function overlaps(robot: ClipRobot, row: Float64Array): Map<number, number> {
  const { mj, model, data, nbody } = robot;
  const { qpos } = robot.views;
  qpos.set(row);
  qpos[2] = LIFT;
  mj.mj_kinematics(model, data);
  mj.mj_comPos(model, data);
  const depths = new Map<number, number>();
  for (const { bodies, depth } of findContacts(mj, model, data)) {
    const [a, b] = [bodies[0] - 1, bodies[1] - 1];
    if (a < 0 || b < 0) continue;
    const pair = Math.min(a, b) * nbody + Math.max(a, b);
    depths.set(pair, Math.max(depths.get(pair) ?? 0, depth));
  }
  return depths;
}

function bodiesOf(pair: number, { nbody }: ClipRobot): [number, number] {
  return [Math.floor(pair / nbody), pair % nbody];
}

/** Returns the joint of a body, or of its nearest ancestor that has a joint; null for the root. */
function jointOf({ model, facts }: ClipRobot, body: number): string | null {
  const moved = facts.joints.map((_, index): number => model.jnt_bodyid[index + 1] - 1);
  for (let at = body; at > 0; at = facts.bodies[at]!.parent) {
    const joint = moved.lastIndexOf(at);
    if (joint >= 0) return facts.joints[joint]!.name;
  }
  return null;
}
