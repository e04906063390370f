import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { type ClipRobotSource, openClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { bodyMotion } from '../../motion/convert/body-motion.ts';
import { clipVelocities } from '../../motion/convert/velocities.ts';
import { stackMotions } from '../../motion/library/load-motion-library.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import { readExportedPolicy } from '../../policy/onnx/exported-policy.ts';
import { embeddedFps } from '../../runs/params/embedded-fps.ts';
import { readParams } from '../../runs/params/params-file.ts';
import { deployFiles } from '../../runs/store/deploy-files.ts';
import { inRobotOrder, orderOfNames } from './joint-order.ts';

/** Minimum number of frames: an angular velocity needs the previous and the next frame. */
const LEAST_FRAMES = 3;

/** Reads the clip embedded in a policy file as a motion library. Joints and root come from the file. The other bodies
 *  come from the robot's forward kinematics, because the file contains tracked bodies only. The clip has one frame per
 *  control step of `deploy.yaml`, without which it has 50 frames per second.
 *  @throws StudioError bad_input for a file without a clip, or a clip with other joints or without the pose of the
 *  root */
export async function readEmbeddedLibrary(folder: string, source: ClipRobotSource): Promise<MotionLibrary> {
  const files = deployFiles(folder);
  const { motion, metadata } = readExportedPolicy(path.join(folder, files.onnx));
  const where = 'policy.onnx: the embedded clip';
  if (!motion) throw badInput('motion: the policy.onnx of the run does not contain a clip. Choose another library.');
  const { facts } = source;
  const names = metadata.jointNames ?? facts.joints.map(({ name }) => name);
  const order = orderOfNames(names, facts, 'policy.onnx: metadata joint_names');
  if (motion.joints !== order.length) throw badInput(`${where}: has ${motion.joints} joints, expected ${order.length}`);
  if (motion.frames < LEAST_FRAMES)
    throw badInput(`${where}: has ${motion.frames} frames, expected at least ${LEAST_FRAMES}`);
  const root = facts.bodies[0]!.name;
  const bodies =
    metadata.bodyNames ?? (motion.bodies === facts.bodies.length ? facts.bodies.map(({ name }) => name) : []);
  const place = bodies.indexOf(root);
  if (place < 0 || bodies.length !== motion.bodies)
    throw badInput(`${where}: the names in its metadata do not include the root body "${root}"`);

  const { frames, joints } = motion;
  const robot = await openClipRobot(source);
  const rows = new Float64Array(frames * robot.nq);
  const jointPos = new Float32Array(frames * joints);
  const jointVel = new Float32Array(frames * joints);
  for (let frame = 0; frame < frames; frame += 1) {
    const body = frame * motion.bodies + place;
    rows.set(motion.bodyPosW.subarray(3 * body, 3 * body + 3), frame * robot.nq);
    rows.set(motion.bodyQuatW.subarray(4 * body, 4 * body + 4), frame * robot.nq + 3);
    const from = frame * joints;
    jointPos.set(inRobotOrder([...motion.jointPos.subarray(from, from + joints)], order), from);
    jointVel.set(inRobotOrder([...motion.jointVel.subarray(from, from + joints)], order), from);
    rows.set(jointPos.subarray(from, from + joints), frame * robot.nq + 7);
  }
  if (!rows.every(Number.isFinite)) throw badInput(`${where}: contains a number that is not finite`);
  const fps = embeddedFps(await readParams(folder, files.deploy));
  const clip: ClipRows = { fps, frames, rows };
  const { posW, quatW, linVelW, angVelW } = bodyMotion(robot, clip, clipVelocities(clip));
  const whole = {
    fps,
    frames,
    joints,
    bodies: robot.nbody,
    jointPos,
    jointVel,
    bodyPosW: posW,
    bodyQuatW: quatW,
    bodyLinVelW: linVelW,
    bodyAngVelW: angVelW,
    jointNames: null,
    robot: facts.id,
    warnings: [],
  };
  return stackMotions([{ name: 'embedded', motion: whole }], facts);
}
