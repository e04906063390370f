import { describe, expect, test } from 'vitest';
import { YamlText } from '../../../src/core/yaml-file.ts';
import { readGains } from '../../../src/robot-import/gains/read-gains.ts';

const read = (content: unknown) => {
  const stated = readGains(content, 'gains.json');
  return stated.kind === 'named' ? Object.fromEntries(stated.gains) : stated;
};
const yaml = (text: string) => read(new YamlText(text, 'gains.yaml').value);

const BOTH = { left_hip: { stiffness: 40, damping: 2 }, left_knee: { stiffness: 99, damping: 6 } };

describe('PD gains are read', () => {
  test.each<[string, unknown]>([
    ['by joint', { left_hip: { kp: 40, kd: 2 }, left_knee: { kp: 99, kd: 6 } }],
    ['below a key', { version: 2, gains: { left_hip: { Kp: 40, Kd: 2 }, left_knee: { P_gain: 99, d_gain: 6 } } }],
    ['as two mappings', { kp: { left_hip: 40, left_knee: 99 }, kd: { left_hip: 2, left_knee: 6 } }],
    ['as lists with names', { joint_names: ['left_hip', 'left_knee'], kps: [40, 99], kds: [2, 6] }],
    [
      'as a list of joints',
      [
        { name: 'left_hip', stiffness: 40, damping: 2 },
        { name: 'left_knee', stiffness: 99, damping: 6 },
      ],
    ],
    [
      'of a robot.yaml',
      {
        version: 1,
        wiring: { anchor: 'trunk' },
        joints: {
          left_hip: { stiffness: 40, damping: 2, torque_speed: { y1: 1, y2: 1, x1: 1, x2: 2 } },
          left_knee: { stiffness: 99, damping: 6 },
        },
      },
    ],
    [
      'of actuator groups, without the drive of the asset, which does not name joints',
      {
        scene: {
          robot: {
            spawn: { joint_drive: { gains: { stiffness: 0, damping: 0 } } },
            actuators: {
              hips: { joint_names_expr: ['left_hip'], stiffness: 40, damping: 2, effort_limit: null },
              knees: { joint_names_expr: ['left_knee'], stiffness: { left_knee: 99 }, damping: { left_knee: 6 } },
            },
          },
        },
      },
    ],
  ])('PD gains are read %s', (_, content) => {
    expect(read(content)).toEqual(BOTH);
  });

  test('PD gains are read from one number for all joints', () => {
    expect(yaml('control:\n  stiffness: 30\n  damping: 1\n')).toEqual({ '.*': { stiffness: 30, damping: 1 } });
  });

  test('PD gains are read from a number beside mappings, for all joints', () => {
    const control = { stiffness: { hip: 100, knee: 150 }, damping: 2, action_scale: 0.25, torque_limit: 88 };
    expect(read({ control })).toEqual({
      hip: { stiffness: 100 },
      knee: { stiffness: 150 },
      '.*': { damping: 2, action_scale: 0.25, effort_limit: 88 },
    });
  });

  test('PD gains are read with armature, effort limit and action scale if the file states them', () => {
    expect(read({ hip: { kp: 40, kd: 2, armature: 0.01, torque_limit: 88, action_scale: 0.5 } })).toEqual({
      hip: { stiffness: 40, damping: 2, armature: 0.01, effort_limit: 88, action_scale: 0.5 },
    });
  });

  test('a key named like a property of Object is read as a name', () => {
    expect(read(JSON.parse('{"__proto__": {"kp": 1, "kd": 2}, "constructor": {"kp": 3, "kd": 4}}'))).toEqual(
      Object.fromEntries([
        ['__proto__', { stiffness: 1, damping: 2 }],
        ['constructor', { stiffness: 3, damping: 4 }],
      ]),
    );
  });
});

describe('deploy.yaml', () => {
  const DEPLOY = `
joint_ids_map: [2, 0, 3, 1]
step_dt: 0.02
stiffness: [10, 20, 30, 40]
damping: [1, 2, 3, 4]
default_joint_pos: [0, 0, 0, 0]
actions:
  JointPositionAction:
    clip: null
    joint_names: [.*]
    scale: [0.1, 0.2, 0.3, 0.4]
    joint_ids: null
`;

  test('deploy.yaml has gains in the order of motors and scales in the order of the policy', () => {
    expect(yaml(DEPLOY)).toEqual({
      kind: 'motors',
      motors: [2, 0, 3, 1],
      gains: [
        { stiffness: 30, damping: 3, action_scale: 0.1 },
        { stiffness: 10, damping: 1, action_scale: 0.2 },
        { stiffness: 40, damping: 4, action_scale: 0.3 },
        { stiffness: 20, damping: 2, action_scale: 0.4 },
      ],
    });
  });

  test('a deploy.yaml that names its joints gives gains by name', () => {
    expect(yaml(DEPLOY.replace('[.*]', '[lk, lh, rk, rh]'))).toMatchObject({
      lh: { stiffness: 10, action_scale: 0.2 },
      rk: { stiffness: 40, action_scale: 0.3 },
    });
  });

  test.each([
    ['with motors that no joint uses', '[10, 0, 20, 0, 30]', '[1, 0, 2, 0, 3]'],
    ['with these motors left out', '[10, 20, 30]', '[1, 2, 3]'],
  ])('a deploy.yaml %s keeps the gains with their joints', (_, stiffness, damping) => {
    const text = `joint_ids_map: [4, 0, 2]\nstiffness: ${stiffness}\ndamping: ${damping}\n`;
    expect(yaml(text)).toEqual({
      kind: 'motors',
      motors: [2, 0, 1],
      gains: [
        { stiffness: 30, damping: 3 },
        { stiffness: 10, damping: 1 },
        { stiffness: 20, damping: 2 },
      ],
    });
  });
});

describe('content is refused, naming the value:', () => {
  test.each<[string, unknown, RegExp]>([
    ['no gains', { joints: { hip: 1 } }, /file: gains\.json has no gains/],
    ['a text', 'kp', /has no gains/],
    ['lists without names', { kp: [1, 2], kd: [1, 2] }, /gains\.json: kp: is a list without names. Add joint_names/],
    ['lists of another length', { joint_names: ['a', 'b'], kp: [1, 2, 3] }, /kp: has 3 values for 2 joint names/],
    ['a negative gain', { hip: { kp: -4, kd: 1 } }, /gains\.json: hip\.kp: must be a number ≥ 0/],
    ['a gain that is not a number', { kp: { hip: 'stiff' } }, /kp of hip: must be a number ≥ 0/],
    [
      'a motor named twice',
      { joint_ids_map: [0, 0], stiffness: [1, 1], damping: [1, 1] },
      /joint_ids_map: must list each motor once/,
    ],
    [
      'a deploy.yaml with too few gains',
      { joint_ids_map: [0, 1, 2], stiffness: [1, 1], damping: [1, 1] },
      /stiffness: has 2 values for 3 joints and motor 2/,
    ],
  ])('gains are refused, naming the value: %s', (_, content, text) => {
    expect(() => read(content)).toThrow(text);
  });

  test('gains nested deeper than the limit are not found', () => {
    const deep = Array.from({ length: 5000 }).reduce<unknown>((inner) => ({ in: inner }), { hip: { kp: 1, kd: 1 } });
    expect(() => read(deep)).toThrow(/has no gains/);
  });
});
