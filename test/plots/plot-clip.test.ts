import { beforeAll, describe, expect, test } from 'vitest';
import { fromEulerXyz } from '../../src/core/math/quaternion.ts';
import type { ClipRobot } from '../../src/motion/clip-robot.ts';
import type { ClipRows } from '../../src/motion/clip-rows.ts';
import { clipChannels, clipColumns } from '../../src/plots/clip-channels.ts';
import { allocatePlots, type ClipPlots, PLOT_PASSES, plotClip, plotRange } from '../../src/plots/plot-clip.ts';
import { WALKER_MJCF } from '../support/models.ts';
import { walkerClipRobot } from '../support/robots.ts';

const GRAVITY = 9.81;
/** Mass of the trunk, two thighs and two feet, kg. */
const WALKER_MASS = 16;

let robot: ClipRobot;
beforeAll(async () => {
  // Shorten the thighs, so that only the feet can touch the floor.
  robot = await walkerClipRobot(WALKER_MJCF.replaceAll('0 0 -0.35', '0 0 -0.25'));
});

/** Returns a clip of the walker. @param pose at `t` s: x y z, roll pitch yaw, then hip and knee, left and right */
function clipOf(pose: (t: number) => readonly number[], frames = 51, fps = 50): ClipRows {
  const rows = Float64Array.from(
    Array.from({ length: frames }, (_, k) => {
      const [x, y, z, roll, pitch, yaw, ...joints] = pose(k / fps) as [number, number, number, number, number, number];
      return [x, y, z, ...fromEulerXyz([1, 0, 0, 0], roll, pitch, yaw), ...joints];
    }).flat(),
  );
  return { fps, frames, rows };
}

/** Returns the values of a channel over all frames. */
function values(data: Float32Array, id: string): number[] {
  const channels = clipChannels(robot.facts);
  const column = channels.findIndex((channel) => channel.id === id);
  if (column < 0) throw new Error(`no channel ${id}`);
  return Array.from({ length: data.length / channels.length }, (_, k) => data[k * channels.length + column]!);
}
const channel = (plots: ClipPlots, id: string) => values(plots.data, id);

test('each column has a channel with name, group and limits of the robot', () => {
  const channels = clipChannels(robot.facts);
  expect(channels).toHaveLength(clipColumns(robot.facts).count);
  expect(new Set(channels.map(({ id }) => id)).size).toBe(channels.length);
  expect([...new Set(channels.map(({ group }) => group))]).toEqual(['root', 'joints', 'torques', 'feet', 'velocities']);
  const of = (id: string) => channels.find((one) => one.id === id);
  expect(of('joint.left_knee_joint')).toEqual({
    id: 'joint.left_knee_joint',
    name: 'left_knee_joint',
    group: 'joints',
    unit: 'rad',
    lower: 0,
    upper: 2,
  });
  expect(of('torque.right_hip_joint')).toMatchObject({ unit: 'Nm', lower: -50, upper: 50 });
  expect(of('torque.right_hip_joint')?.limit_note).toMatch(/estimate/);
  expect(of('root.pos.z')).toMatchObject({ unit: 'm', lower: null, upper: null });
  expect(of('vel.left_hip_joint')).toMatchObject({ unit: 'raw', lower: null });
  expect(of('height.left_foot')).toMatchObject({ unit: 'm', group: 'feet' });
  expect(of('speed.left_foot')).toMatchObject({ unit: 'raw', group: 'feet' });
  expect(of('ground.lowest')).toMatchObject({ unit: 'm', group: 'root' });
  // SEED.md names every unit that a channel may have.
  for (const { id, unit } of channels) expect(['rad', 'm', 'Nm', 'reward', 'raw', ''], id).toContain(unit);
});

test('in free fall the root accelerates with gravity and joint torques are zero', () => {
  const fall = clipOf((t) => [0.4 * t, 0, 9 - (GRAVITY / 2) * t * t, 0, 0, 0, 0.5, 0.3, -0.2, 0.1]);
  const plots = plotClip(robot, fall);
  const vz = channel(plots, 'root.vel.z');
  for (let k = 1; k < 48; k++) expect((vz[k + 1]! - vz[k]!) * 50).toBeCloseTo(-GRAVITY, 2);
  expect(channel(plots, 'root.vel.x')[20]).toBeCloseTo(0.4, 5);
  for (const joint of robot.facts.joints)
    for (const torque of channel(plots, `torque.${joint.name}`)) expect(Math.abs(torque)).toBeLessThan(0.02);
});

describe('held in the air', () => {
  test('in the air, the hip of a raised leg supports the moment of its weight', () => {
    const angle = 0.7;
    const plots = plotClip(
      robot,
      clipOf(() => [0, 0, 5, 0, 0, 0, angle, 0, 0, 0]),
    );
    // Thigh: 2 kg, 0.15 m below the hip; foot: 1 kg, 0.4 m below the hip, centred on the knee's axis.
    const moment = GRAVITY * (2 * 0.15 + 1 * 0.4) * Math.sin(angle);
    for (const torque of channel(plots, 'torque.left_hip_joint')) expect(torque).toBeCloseTo(moment, 4);
    expect(channel(plots, 'torque.left_knee_joint')[10]).toBeCloseTo(0, 5);
    expect(channel(plots, 'torque.right_hip_joint')[10]).toBeCloseTo(0, 5);
  });

  test('in the air, the knee supports the inertia of an accelerating foot', () => {
    const acceleration = 6;
    const knee = (t: number) => 0.2 + (acceleration / 2) * t * t;
    const plots = plotClip(
      robot,
      clipOf((t) => [0, 0, 5, 0, 0, 0, 0, knee(t), 0, 0], 26),
    );
    // Inertia about y of a box of 1 kg and 0.2 × 0.08 × 0.04 m, plus the inertia of the rotor.
    const inertia = (0.2 ** 2 + 0.04 ** 2) / 12 + 0.01;
    for (const torque of channel(plots, 'torque.left_knee_joint'))
      expect(torque).toBeCloseTo(inertia * acceleration, 4);
    expect(channel(plots, 'vel.left_knee_joint')[10]).toBeCloseTo(acceleration * 0.2, 5);
  });
});

test('the speed of a sole is the speed of its slowest point, and the lowest point is measured', () => {
  const plots = plotClip(
    robot,
    clipOf((t) => [0.4 * t, 0.3 * t, 0.65, 0, 0, 0, 0, 0, 0, 0]),
  );
  expect(channel(plots, 'speed.left_foot')[0]).toBe(0);
  for (const speed of channel(plots, 'speed.left_foot').slice(1)) expect(speed).toBeCloseTo(0.5, 5);
  for (const height of channel(plots, 'ground.lowest')) expect(height).toBeCloseTo(0.03, 6);
  // The foot turns about its toe: its slowest point moves far less than the ankle.
  const turning = plotClip(
    robot,
    clipOf((t) => [0, 0, 0.62, 0, 0, 0, 0, t, 0, 0]),
  );
  expect(channel(turning, 'speed.right_foot')[20]).toBe(0);
  expect(channel(turning, 'speed.left_foot')[20]).toBeGreaterThan(0.01);
});

describe('on its feet', () => {
  test('standing upright on straight legs, torques of hips and knees are zero', () => {
    const plots = plotClip(
      robot,
      clipOf(() => [0, 0, 0.62, 0, 0, 0, 0, 0, 0, 0]),
    );
    for (const joint of robot.facts.joints)
      expect(Math.abs(channel(plots, `torque.${joint.name}`)[20]!)).toBeLessThan(1e-3);
    // The spec does not state the height of the sole, so it is measured on the foot's box. This box is on the floor
    // here.
    expect(channel(plots, 'height.left_foot')[0]).toBeCloseTo(0, 6);
  });

  test('leaning on level feet, each knee supports half of the weight times its lever arm', () => {
    // The legs are tilted back by 0.1 rad below an upright trunk. The feet are level.
    const hip = 0.1;
    const height = 0.2 + 0.4 * Math.cos(hip) + 0.02;
    const plots = plotClip(
      robot,
      clipOf(() => [0, 0, height, 0, 0, 0, hip, -hip, hip, -hip]),
    );
    const kneeX = -0.4 * Math.sin(hip);
    const comX = (2 * (2 * (0.15 / 0.4) + 1) * kneeX) / WALKER_MASS;
    const moment = (GRAVITY * WALKER_MASS * (comX - kneeX)) / 2;
    for (const side of ['left', 'right'])
      for (const torque of channel(plots, `torque.${side}_knee_joint`)) expect(torque).toBeCloseTo(moment, 3);
  });

  test('with one foot raised, the other leg supports the whole weight', () => {
    const plots = plotClip(
      robot,
      clipOf(() => [0, 0, 0.62, 0, 0, 0, 0, 0, 0.9, 0.9]),
    );
    const moment = GRAVITY * (2 * 0.15 + 1 * 0.4) * Math.sin(0.9);
    expect(channel(plots, 'torque.right_hip_joint')[20]).toBeCloseTo(moment, 3);
  });
});

test('orientation is plotted as roll, pitch and yaw; root position and joints are plotted unchanged', () => {
  const plots = plotClip(
    robot,
    clipOf((t) => [1, 2, 3, 0.3, -0.4, 2 * t, 0.1, 0.2, -0.3, 0.4]),
  );
  expect(channel(plots, 'root.rpy.roll')[30]).toBeCloseTo(0.3, 6);
  expect(channel(plots, 'root.rpy.pitch')[30]).toBeCloseTo(-0.4, 6);
  expect(channel(plots, 'root.rpy.yaw')[30]).toBeCloseTo(1.2, 6);
  expect(channel(plots, 'root.pos.y')[7]).toBe(2);
  expect(channel(plots, 'joint.right_hip_joint')[7]).toBe(Math.fround(-0.3));
});

test('the raw source is sampled at the times of the clip, by its own frame rate', () => {
  const pose = (t: number) => [2 * t, 0, 5, 0, 0, t, t, 0.1, 0, 0];
  const clip = clipOf(pose, 45, 50); // 0.88 s
  const raw = clipOf((t) => pose(t), 13, 20); // 0.6 s: shorter than the clip
  const { ref } = plotClip(robot, clip, raw);
  const x = values(ref!, 'root.pos.x');
  expect(x).toHaveLength(45);
  expect(x[17]).toBeCloseTo(2 * 0.34, 6);
  expect(values(ref!, 'root.rpy.yaw')[17]).toBeCloseTo(0.34, 6);
  expect(values(ref!, 'vel.left_hip_joint')[17]).toBeCloseTo(1, 4);
  expect(x[44]).toBeCloseTo(1.2, 6);
  expect(values(ref!, 'torque.left_hip_joint').every(Number.isNaN)).toBe(true);
  expect(values(ref!, 'height.left_foot').some(Number.isNaN)).toBe(false);
});

test.each([1, 2, 3, 17, 64])('a clip plotted %i frames at a time is bit-equal to one plotted at once', (length) => {
  const wave = (t: number) => [Math.sin(t), t, 0.5 + 0.1 * Math.sin(9 * t), 0.1, 0.3 * Math.sin(7 * t), 2 * t];
  const clip = clipOf((t) => [...wave(t), Math.sin(11 * t), 0.5, Math.cos(5 * t), 0.3], 64);
  const raw = clipOf((t) => [...wave(t), Math.sin(12 * t), 0.4, 0, 0.2], 29, 30);
  const whole = plotClip(robot, clip, raw);
  const parts = { data: allocatePlots(robot.facts, 64), ref: allocatePlots(robot.facts, 64) };
  for (const pass of PLOT_PASSES)
    for (let from = 0; from < 64; from += length)
      plotRange(parts, robot, { clip, raw }, pass, { from, to: Math.min(64, from + length) });
  expect(parts).toEqual(whole);
  expect(Math.max(...channel(whole, 'torque.left_hip_joint'))).toBeGreaterThan(1);
});

test.each([1, 2])('a clip of %i frames has values and zero velocities', (frames) => {
  const plots = plotClip(
    robot,
    clipOf((t) => [t, 0, 5, 0, 0, 0, 0.7, 0, 0, 0], frames),
  );
  expect(plots.data.every(Number.isFinite)).toBe(true);
  expect(channel(plots, 'root.vel.x')[0]).toBe(0);
  expect(channel(plots, 'torque.left_hip_joint')[0]).toBeCloseTo(GRAVITY * 0.7 * Math.sin(0.7), 4);
});

test('plotting leaves the contacts of the model enabled', () => {
  const flags: number = robot.model.opt.disableflags;
  plotClip(
    robot,
    clipOf(() => [0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0], 5),
  );
  expect(robot.model.opt.disableflags).toBe(flags);
  expect(flags & robot.mj.mjtDisableBit.mjDSBL_CONSTRAINT.value).toBe(0);
});
