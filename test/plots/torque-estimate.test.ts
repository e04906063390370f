import { expect, test } from 'vitest';
import { clipColumns } from '../../src/plots/clip-channels.ts';
import { plotClip } from '../../src/plots/plot-clip.ts';
import { humanoidClipRobot } from '../support/robots.ts';

/** 2 s at 50 Hz. */
const FRAMES = 100;

test('torques estimated from the poses of a standing simulated robot match its motors within 0.1 Nm', async () => {
  // The built-in robot stands, driven by position servos. The plots get only its poses.
  const robot = await humanoidClipRobot();
  const { mj, model, data, nq, nv, facts } = robot;
  const pose = facts.joints.map((joint) => joint.default);
  mj.mj_resetData(model, data);
  data.qpos.set([0, 0, facts.rootHeight, 1, 0, 0, 0, ...pose]);
  data.ctrl.set(pose);
  const rows = new Float64Array(FRAMES * nq);
  const motors = new Float64Array(FRAMES * (nv - 6));
  for (let frame = 0; frame < FRAMES; frame += 1) {
    for (let step = 0; step < 4; step += 1) mj.mj_step(model, data);
    rows.set(data.qpos, frame * nq);
    motors.set(data.qfrc_actuator.subarray(6), frame * (nv - 6));
  }
  expect(data.qpos[2]).toBeGreaterThan(0.9 * facts.rootHeight); // the robot stands

  const plots = plotClip(robot, { fps: 50, frames: FRAMES, rows });
  const { count, torque } = clipColumns(facts);
  let largest = 0;
  for (let frame = 15; frame < 60; frame += 1) {
    for (let joint = 0; joint < nv - 6; joint += 1) {
      const motor = motors[frame * (nv - 6) + joint]!;
      largest = Math.max(largest, Math.abs(motor));
      expect(Math.abs(plots.data[frame * count + torque + joint]! - motor)).toBeLessThan(0.1);
    }
  }
  expect(largest).toBeGreaterThan(4); // Nm, at the knees
});
