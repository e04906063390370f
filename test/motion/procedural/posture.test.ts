import { afterAll, beforeAll, expect, test } from 'vitest';
import * as quaternion from '../../../src/core/math/quaternion.ts';
import { solveLeg } from '../../../src/motion/procedural/leg-solver.ts';
import { balanced, centreOfMass, jointAngles, type Posture, STANDING } from '../../../src/motion/procedural/posture.ts';
import { humanoidMjcf, humanoidSpec } from '../../../src/robots/humanoid/humanoid.ts';
import { loadMujoco, type MainModule, type MjData, type MjModel } from '../../../src/sim/mujoco.ts';

let mj: MainModule;
let model: MjModel;
let data: MjData;
beforeAll(async () => {
  mj = await loadMujoco();
  model = mj.MjModel.from_xml_string(humanoidMjcf());
  data = new mj.MjData(model);
});
afterAll(() => {
  data.delete();
  model.delete();
});

/** All parameters at once: pelvis tilted and turned, feet apart, turned and rolled, arms and waist moved. */
const ODD: Posture = {
  position: [0.02, -0.03, 0.6],
  rpy: [0.08, 0.2, 0.3],
  feet: [
    { x: 0.12, y: 0.1, z: 0.09, pitch: 0.3, yaw: 0.5 },
    { x: -0.06, y: -0.1, z: 0.062, pitch: -0.1, yaw: 0.1 },
  ],
  waist: 0.4,
  arms: [
    { pitch: -0.8, roll: 0.5, yaw: 0.3, elbow: -1 },
    { pitch: 0.3, roll: 0.9, yaw: -0.4, elbow: -0.3 },
  ],
};

function show(posture: Posture): void {
  const root = quaternion.fromEulerXyz([1, 0, 0, 0], ...posture.rpy);
  data.qpos.set([...posture.position, ...root, ...jointAngles(posture)]);
  mj.mj_kinematics(model, data);
  mj.mj_comPos(model, data);
}

test('the leg angles place both feet as requested, also by MuJoCo’s kinematics', () => {
  show(ODD);
  for (const [side, foot] of ODD.feet.entries()) {
    const name = `${side === 0 ? 'left' : 'right'}_ankle_roll_link`;
    const body = mj.mj_name2id(model, mj.mjtObj.mjOBJ_BODY.value, name);
    const [x, y, z] = data.xpos.subarray(3 * body, 3 * body + 3) as Float64Array;
    expect(Math.hypot(x! - foot.x, y! - foot.y, z! - foot.z)).toBeLessThan(1e-5); // the model's text has 5 decimals
    const turn = quaternion.fromEulerXyz([1, 0, 0, 0], 0, foot.pitch, foot.yaw);
    expect(quaternion.angleBetween(turn, data.xquat.subarray(4 * body, 4 * body + 4))).toBeLessThan(1e-6);
  }
});

test('the centre of mass equals that of MuJoCo', () => {
  show(ODD);
  const centre = centreOfMass(ODD);
  for (const k of [0, 1, 2]) expect(Math.abs(centre[k]! - data.subtree_com[3 + k])).toBeLessThan(1e-5);
});

test('standing gives the default joint angles', () => {
  const defaults = Object.values(humanoidSpec().joints).map((joint) => joint.default);
  for (const [k, angle] of jointAngles(STANDING).entries()) expect(Math.abs(angle - defaults[k]!)).toBeLessThan(1e-9);
});

test('balancing moves the centre of mass over the requested point and keeps the feet in place', () => {
  const moved = balanced(STANDING, 0.03, 0.04);
  const [x, y] = centreOfMass(moved);
  expect(Math.hypot(x - 0.03, y - 0.04)).toBeLessThan(1e-5);
  expect(moved.feet).toBe(STANDING.feet);
});

test('a foot that cannot be reached is an error with the distance', () => {
  expect(() => solveLeg([1, 0, 0, 0], [0, 0, 1], { x: 0, y: 0, z: 0.06, pitch: 0, yaw: 0 })).toThrow(
    'a leg of 0.58 m cannot reach 0.9400 m',
  );
});
