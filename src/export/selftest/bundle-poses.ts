import { badInput } from '../../core/errors.ts';
import { angleBetween } from '../../core/math/quaternion.ts';
import { type ClipRobotSource, openClipRobot } from '../../motion/clip-robot.ts';
import { convertClip } from '../../motion/convert/convert-clip.ts';
import { stackMotions } from '../../motion/library/load-motion-library.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { Bundle } from '../layouts/bundle.ts';

/** Maximum difference between the pose of a body in the clip and its pose computed from the joints, m and rad. */
const SAME_POSITION = 0.02;
const SAME_ANGLE = 0.05;
/** Number of frames of the clip that are compared. */
const FRAMES = 40;
const LEAST_FRAMES = 3;

/** Returns the clip of a bundle as a motion library. The root and the joints are found by name; the other bodies are
 *  computed by forward kinematics. @throws StudioError bad_input for a clip without the pose of the root */
export async function bundleLibrary({ clip, joints, stepS }: Bundle, source: ClipRobotSource): Promise<MotionLibrary> {
  const { facts } = source;
  const root = facts.bodies[0]!.name;
  if (clip.frames < LEAST_FRAMES) throw badInput(`the clip has ${clip.frames} frames, expected at least 3`);
  const width = 7 + facts.joints.length;
  // Repeat the last frame, because the conversion drops the frame at the end time of a clip.
  const rows = new Float64Array((clip.frames + 1) * width);
  for (let frame = 0; frame <= clip.frames; frame += 1) {
    const { bodyPos, bodyQuat, jointPos } = clip.at(Math.min(frame, clip.frames - 1));
    const [pos, quat] = [bodyPos.get(root), bodyQuat.get(root)];
    if (!pos || !quat) throw badInput(`body_names: must include the root body ${root}, because its pose is needed`);
    rows.set(pos, frame * width);
    rows.set(quat, frame * width + 3);
    for (const [j, { name }] of facts.joints.entries()) rows[frame * width + 7 + j] = jointPos[joints.indexOf(name)]!;
  }
  if (!rows.every(Number.isFinite)) throw badInput('the clip contains a number that is not finite');
  const robot = await openClipRobot(source);
  const fps = Math.round(1 / stepS);
  const { motion } = convertClip(robot, { fps, frames: clip.frames + 1, rows }, { outputFps: fps, debiasZ: false });
  return stackMotions([{ name: clip.name ?? 'clip', motion }], facts);
}

/** Compares the body poses in the clip with the poses computed from the joints. @returns one sentence per wrong body,
 *  which names the joints */
export function poseProblems({ clip }: Bundle, library: MotionLibrary, facts: RobotFacts): string[] {
  const wrong = new Set<number>();
  const known = new Set<number>();
  for (let k = 0; k < FRAMES; k += 1) {
    const frame = Math.floor((k * (library.frames - 1)) / (FRAMES - 1));
    const { bodyPos, bodyQuat } = clip.at(frame);
    for (const [index, { name }] of facts.bodies.entries()) {
      const [pos, quat] = [bodyPos.get(name), bodyQuat.get(name)];
      if (!pos || !quat) continue;
      known.add(index);
      const own = 3 * (frame * library.bodies + index);
      const away = Math.hypot(...[0, 1, 2].map((axis) => pos[axis]! - library.bodyPosW[own + axis]!));
      const from = 4 * (frame * library.bodies + index);
      const turned = angleBetween(quat, library.bodyQuatW.subarray(from, from + 4));
      if (!(away <= SAME_POSITION) || !(turned <= SAME_ANGLE)) wrong.add(index);
    }
  }
  // Bodies below a wrong one are also wrong, so name only the first of each chain.
  const first = [...wrong].filter((body) => !wrong.has(knownParent(body, known, facts)));
  return first.slice(0, 4).map((body) => {
    const names = jointsTo(body, known, facts);
    return `${names.join(', ')}: ${facts.bodies[body]!.name} is not where the clip has it. Check the order of the joints`;
  });
}

/** Returns the nearest body towards the root whose pose the clip contains; −1 if there is none. */
function knownParent(body: number, known: ReadonlySet<number>, { bodies }: RobotFacts): number {
  let at = bodies[body]!.parent;
  while (at >= 0 && !known.has(at)) at = bodies[at]!.parent;
  return at;
}

/** Returns the joints between a body and its nearest known parent. */
function jointsTo(body: number, known: ReadonlySet<number>, facts: RobotFacts): string[] {
  const end = knownParent(body, known, facts);
  const names: string[] = [];
  for (let at = body; at >= 0 && at !== end; at = facts.bodies[at]!.parent)
    names.unshift(...facts.joints.filter((joint) => joint.body === at).map((joint) => joint.name));
  return names;
}
