import { beforeAll, describe, expect, test } from 'vitest';
import { writeOnnx } from '../../src/formats/onnx/write-onnx.ts';
import type { RobotSpec } from '../../src/protocol/schemas/robots.ts';
import { request } from '../support/client.ts';
import { WALKER_MJCF, walkerSpec } from '../support/models.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

/** Timeout for compiling models in new threads on a loaded machine. */
const SLOW_MS = 120_000;

const put = async (id: string, file: string, content: string | Uint8Array) => {
  const where = `${studio.address}/api/robots/import/upload/${id}/${file}`;
  const response = await fetch(where, { method: 'PUT', body: content as never });
  expect([file, response.status]).toEqual([file, 200]);
};
const gains = (body: object) => request(studio.address, 'POST /api/robots/import/gains', body);
const check = async (spec: object) => (await request(studio.address, 'POST /api/robots/import/check', { spec })).body;
const save = (spec: object) => request(studio.address, 'POST /api/robots/import/save', { spec });

let suggested: RobotSpec;

beforeAll(async () => {
  await studio.start();
  await put('legs', 'walker.xml', WALKER_MJCF);
  const found = await request(studio.address, 'POST /api/robots/import/inspect', { id: 'legs', model: 'walker.xml' });
  suggested = found.body.spec;
}, SLOW_MS);

/** Returns an ONNX policy without layers, with metadata as rsl_rl exports it. */
function policy(metadata: Readonly<Record<string, string>>): Uint8Array {
  return writeOnnx({
    nodes: [],
    initializers: new Map(),
    inputs: [{ name: 'obs', shape: [1, 4] }],
    outputs: [{ name: 'obs', shape: [1, 4] }],
    metadata: new Map(Object.entries(metadata)),
  });
}

describe('gains of a file', () => {
  test('gains of a file replace those of the joints that it names; the reply lists the other joints, which keep theirs', async () => {
    const file = {
      left_hip: { kp: 100, kd: 4 },
      left_knee_joint: { kp: 120, kd: 5, effort_limit: 80 },
      head: { kp: 1 },
    };
    await put('legs', 'gains/pd.json', JSON.stringify(file, null, '\t'));
    const { status, body } = await gains({ id: 'legs', file: 'gains/pd.json' });
    expect([status, body.detail]).toEqual([200, undefined]);
    const { left_hip_joint: hip, right_hip_joint: other } = suggested.joints;
    expect(body).toMatchObject({
      ok: true,
      joints_unmatched: ['right_hip_joint', 'right_knee_joint', 'head'],
      notes: [],
      gains: {
        left_hip_joint: {
          stiffness: 100,
          damping: 4,
          armature: hip!.armature,
          effort_limit: hip!.effort_limit,
          source: 'stiffness, damping of pd.json',
        },
        left_knee_joint: {
          stiffness: 120,
          damping: 5,
          effort_limit: 80,
          action_scale: 0.166667,
          stated: ['stiffness', 'damping', 'effort_limit'],
        },
      },
    });
    expect(Object.keys(body.gains)).toEqual(['left_hip_joint', 'left_knee_joint']);
    expect(body.spec.joints['left_hip_joint']).toMatchObject({ default: hip!.default, stiffness: 100 });
    expect(body.spec.joints['right_hip_joint']).toEqual(other);
    expect((await check(body.spec)).checks.find(({ name }) => name === 'gains')!.ok).toBe(true);
  });

  test('gains of a deploy.yaml without names are in the order of the motors, and the reply states this assumption', async () => {
    await put(
      'legs',
      'params/deploy.yaml',
      'joint_ids_map: [2, 3, 0, 1]\nstep_dt: 0.02\nstiffness: [10, 20, 30, 40]\ndamping: [1, 2, 3, 4]\n' +
        'actions:\n  JointPositionAction: {joint_names: [.*], scale: [0.1, 0.2, 0.3, 0.4], joint_ids: null}\n',
    );
    const { body } = await gains({ id: 'legs', file: 'params/deploy.yaml' });
    expect(body.joints_unmatched).toEqual([]);
    expect(body.notes).toEqual([
      'params/deploy.yaml does not name its 4 joints, so they are assumed to be in the order of the model',
    ]);
    expect(body.gains).toMatchObject({
      left_hip_joint: { stiffness: 30, damping: 3, action_scale: 0.1 },
      left_knee_joint: { stiffness: 40, damping: 4, action_scale: 0.2 },
      right_hip_joint: { stiffness: 10, damping: 1, action_scale: 0.3 },
      right_knee_joint: { stiffness: 20, damping: 2, action_scale: 0.4 },
    });
  });

  test('gains are read from the metadata of a policy', async () => {
    const joints = 'right_knee_joint,left_knee_joint,right_hip_joint,left_hip_joint';
    const lists = { joint_stiffness: '21,22,23,24', joint_damping: '1,2,3,4', action_scale: '0.5' };
    await put('legs', 'policy.onnx', policy({ joint_names: joints, ...lists }));
    const { body } = await gains({ id: 'legs', file: 'policy.onnx' });
    expect(body.gains).toMatchObject({
      left_hip_joint: { stiffness: 24, damping: 4, action_scale: 0.5 },
      right_knee_joint: { stiffness: 21, damping: 1, action_scale: 0.5 },
    });
    await put('legs', 'bare.onnx', policy({}));
    expect((await gains({ id: 'legs', file: 'bare.onnx' })).body.detail).toMatch(
      /^bare\.onnx: its metadata has no joint_names with joint_stiffness/,
    );
  });

  test('gains may be in another upload, which does not become the draft', async () => {
    await put(
      'bring',
      'isaac.yaml',
      'actuators: {legs: {joint_names_expr: [".*"], stiffness: {".*": 55}, damping: 3.0}}',
    );
    const { body } = await gains({ id: 'legs', file: 'isaac.yaml', from: 'bring' });
    expect(Object.values(body.gains).map(({ stiffness, damping }) => [stiffness, damping])).toEqual(
      Array.from({ length: 4 }, () => [55, 3]),
    );
    expect((await request(studio.address, 'GET /api/robots/import')).body.draft).toEqual({
      id: 'legs',
      model: 'walker.xml',
    });
  });

  test('unusable gains are refused with 400, naming what is wrong', async () => {
    await put('legs', 'other.json', '{"kp": {"FL_hip": 1, "FR_hip": 2}}');
    await put('legs', 'bad.json', '{"kp": ');
    await put('legs', 'loop.json', '{"kp": {"(a+)+b": 1}}');
    await put('legs', 'deep.yaml', `kp: ${'['.repeat(5000)}`);
    await put('unread', 'walker.xml', WALKER_MJCF);
    for (const [body, text] of [
      [{ id: 'legs' }, 'file: is missing. Name a file of the upload, or a robot in "robot".'],
      [{ id: 'legs', file: 'a.json', robot: 'humanoid' }, 'robot: give either "file" or "robot", not both'],
      [{ id: 'nope', file: 'a.json' }, 'id: unknown upload "nope"'],
      [{ id: 'unread', file: 'walker.xml' }, 'id: inspect a model of the upload "unread" first'],
      [{ id: 'legs', file: 'a.json' }, 'file: the upload "legs" has no file "a.json"'],
      [{ id: 'legs', file: '../legs/a.json' }, 'file: "../legs/a.json" must not contain ".."'],
      [{ id: 'legs', robot: 'nope' }, 'robot: unknown robot "nope"'],
      [{ id: 'legs', file: 'walker.xml' }, 'file: walker.xml has no gains'],
      [
        { id: 'legs', file: 'other.json' },
        'none of the 2 joints of other.json (FL_hip, FR_hip) is a joint of the robot (left_hip_joint, left_knee_joint',
      ],
      [{ id: 'legs', file: 'bad.json' }, 'bad.json: is not valid JSON'],
      [{ id: 'legs', file: 'loop.json' }, 'file: the joint pattern "(a+)+b" is not supported'],
      [{ id: 'legs', file: 'deep.yaml' }, 'deep.yaml:1: is nested too deeply'],
      [{ id: 'legs', file: 'pd.json', speed: 1 }, 'speed'],
    ] as const) {
      const { status, body: answer } = await gains(body);
      expect([body, status]).toEqual([body, 400]);
      expect(answer.detail).toContain(text);
    }
  });
});

describe('a saved robot', () => {
  test(
    'a saved robot takes gains from another robot and from its own files without an upload, and is saved with them',
    async () => {
      await put('soft', 'walker.xml', WALKER_MJCF);
      await put('soft', 'stiff.json', '{"kp": 70, "kd": 3}');
      expect((await save({ ...walkerSpec(), id: 'soft', name: 'Soft' })).body.detail).toBeUndefined();
      const fromRobot = await gains({ id: 'legs', robot: 'soft' });
      expect(fromRobot.body.gains['left_hip_joint']).toMatchObject({
        stiffness: 40,
        damping: 2,
        armature: 0.01,
        effort_limit: 50,
        action_scale: 0.3,
        source: expect.stringMatching(/of Soft$/),
      });
      const { body } = await gains({ id: 'soft', file: 'stiff.json' });
      expect(body.spec).toMatchObject({ name: 'Soft', joints: { left_hip_joint: { stiffness: 70, damping: 3 } } });
      expect((await save(body.spec)).body).toMatchObject({ ok: true, id: 'soft' });
      expect((await gains({ id: 'legs', robot: 'soft' })).body.gains['left_knee_joint']).toMatchObject({
        stiffness: 70,
      });
      const own = await gains({ id: 'legs', file: 'robot.yaml', from: 'soft' });
      expect(own.body.gains['left_knee_joint']).toMatchObject({ stiffness: 70, damping: 3 });
    },
    SLOW_MS,
  );
});

describe('check and save agree', () => {
  const joint = (change: object) => ({
    joints: { ...walkerSpec().joints, left_hip_joint: { ...walkerSpec().joints['left_hip_joint'], ...change } },
  });
  const wiring = (change: object) => ({ wiring: { ...walkerSpec().wiring, ...change } });
  const { left_hip_joint: _, ...others } = walkerSpec().joints;

  test.each<[what: string, change: object, check: string, field: RegExp]>([
    ['an actuated joint without gains', { joints: others }, 'joints', /1 actuated joint has no gains: left_hip_joint/],
    ['no stiffness', joint({ stiffness: 0 }), 'gains', /stiffness of left_hip_joint/],
    [
      'gains that act as a switch',
      joint({ stiffness: 5000 }),
      'gains',
      /left_hip_joint 0\.01 rad \(50 Nm at 5000 Nm\/rad\)/,
    ],
    ['no key bodies', wiring({ keybodies: [] }), 'wiring', /no key bodies/],
    ['a key body twice', wiring({ keybodies: ['trunk', 'trunk'] }), 'wiring', /keybodies name trunk twice/],
    ['no feet', wiring({ feet: [] }), 'feet', /wiring\.feet is empty/],
    ['a foot twice', wiring({ feet: ['left_foot', 'left_foot'] }), 'wiring', /feet name left_foot twice/],
    ['a hand twice', { end_effectors: ['left_foot', 'left_foot'] }, 'wiring', /end_effectors name left_foot twice/],
    [
      'a body that does not touch itself',
      { contacts: { exclude: [['trunk', 'trunk']] } },
      'wiring',
      /contacts\.exclude has a pair with trunk twice/,
    ],
  ])('check and save agree on %s', { timeout: SLOW_MS }, async (_, change, name, field) => {
    const spec = { ...walkerSpec(), id: 'legs', ...change };
    const report = await check(spec);
    expect(report.checks.find((one) => one.name === name)).toMatchObject({
      ok: false,
      text: expect.stringMatching(field),
    });
    const { status, body } = await save(spec);
    expect([status, body.detail]).toEqual([400, expect.stringMatching(field)]);
    expect(body.detail).toContain(`the check "${name}" fails`);
  });

  test(
    'check and save agree on a root below the floor',
    async () => {
      const spec = { ...walkerSpec(), id: 'legs', root_height: -1 };
      expect((await check(spec)).checks.find(({ name }) => name === 'ground')).toMatchObject({
        ok: false,
        text: expect.stringContaining('set root_height to 0.62 m'),
      });
      const { status, body } = await save(spec);
      expect([status, body.detail]).toEqual([400, 'spec.root_height: must be a number ≥ 0']);
    },
    SLOW_MS,
  );

  test(
    'a robot with a joint that is soft for its effort is saved with a warning that names the joint',
    async () => {
      const spec = { ...walkerSpec(), id: 'legs', ...joint({ stiffness: 10 }) };
      expect((await check(spec)).checks.find(({ name }) => name === 'gains')).toMatchObject({
        ok: true,
        warning: true,
        text: expect.stringMatching(/soft for the effort limit.*left_hip_joint 5 rad \(50 Nm at 10 Nm\/rad\)/),
      });
    },
    SLOW_MS,
  );
});
