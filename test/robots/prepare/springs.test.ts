import { afterAll, expect, test } from 'vitest';
import { compileSpec, prepareModel } from '../../../src/robots/prepare/prepare-model.ts';
import { loadMujoco } from '../../../src/sim/mujoco.ts';
import { inspected } from '../../support/inspected.ts';
import { WALKER_MJCF } from '../../support/models.ts';

const mj = await loadMujoco();
const owned: { delete(): void }[] = [];

afterAll(() => {
  for (const handle of owned.reverse()) handle.delete();
});

/** Returns the walker with springs at its joints, and with actuators. */
const sprung = (attributes: string, actuators = '', which = /<joint name="\w+"/g) =>
  WALKER_MJCF.replaceAll(which, (tag) => `${tag} ${attributes}`).replace(
    '</mujoco>',
    `<actuator>${actuators}</actuator></mujoco>`,
  );
const MOTORS = ['left_hip', 'left_knee', 'right_hip', 'right_knee']
  .map((name) => `<motor joint="${name}_joint" gear="100" ctrlrange="-1 1"/>`)
  .join('');

/** Returns the stiffness and damping that remain at the joints. */
function passive(mjcf: string) {
  const prepared = prepareModel(mj, new Map([['robot.xml', Buffer.from(mjcf)]]), 'robot.xml');
  owned.push(prepared.spec);
  const model = compileSpec(mj, prepared.spec, 'robot.xml');
  owned.push(model);
  return { stiffness: [...model.jnt_stiffness].slice(1), damping: [...model.dof_damping].slice(6) };
}

test('stiff springs on all joints are read as gains, as in Isaac Gym, and reported', () => {
  const mjcf = sprung('stiffness="600" damping="60"', MOTORS);
  const { gains, warnings, spec } = inspected(mjcf);
  expect(gains['left_knee_joint']).toMatchObject({ stiffness: 600, damping: 60, effort_limit: 100 });
  expect(gains['left_knee_joint']!.source).toMatch(/^gains of the spring of the joint/);
  expect(spec.joints['left_knee_joint']).toMatchObject({ stiffness: 600, damping: 60 });
  expect(warnings.join()).toMatch(/used as gains of their servos, as in Isaac Gym.*4 joints, 600 to 600 Nm\/rad/);
  expect(passive(mjcf)).toEqual({ stiffness: [0, 0, 0, 0], damping: [0, 0, 0, 0] });
});

test('stiff springs are read as gains also without actuators; the effort is then unknown', () => {
  const { gains } = inspected(sprung('stiffness="200" damping="5"'));
  expect(gains['left_hip_joint']).toMatchObject({ stiffness: 200, damping: 5 });
});

test('springs too soft to support the robot are removed, and the dampers stay', () => {
  const mjcf = sprung('stiffness="10" damping="2"', MOTORS);
  const { gains, warnings } = inspected(mjcf);
  expect(gains['left_hip_joint']!.source).not.toMatch(/spring/);
  expect(warnings.join()).toMatch(/springs removed, because servos hold the joints: 4 joints/);
  expect(passive(mjcf)).toEqual({ stiffness: [0, 0, 0, 0], damping: [2, 2, 2, 2] });
});

test('a spring of the mechanism stays: its joint has no actuator, while others have one', () => {
  const mjcf = sprung(
    'stiffness="1500" damping="1"',
    '<motor joint="left_hip_joint"/>',
    /<joint name="\w+_knee_joint"/g,
  );
  expect(passive(mjcf).stiffness).toEqual([0, 1500, 0, 1500]);
});

test('gains of a position servo of the file take precedence over its springs', () => {
  const servo = '<position joint="left_hip_joint" kp="120" kv="3" forcerange="-50 50"/>';
  const { gains } = inspected(sprung('stiffness="600" damping="60"', servo));
  expect(gains['left_hip_joint']).toMatchObject({ stiffness: 120, damping: 3 });
});
