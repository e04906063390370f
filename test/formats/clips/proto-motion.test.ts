import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { clipFileTypeOf } from '../../../src/formats/clip-registry.ts';
import { type Pickled, PythonCall, Tensor, torchFile } from '../../support/pickles.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'motion-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FRAMES = 3;
const JOINTS = 2;
const BODIES = 4;

const counted = (count: number, start = 0) => Float32Array.from({ length: count }, (_, index) => start + index);

/** Returns the data that ProtoMotions saves: the joints are a view of qpos, and the last axis of the velocities is the
 *  frame. */
function motion(changes: { readonly [key: string]: Pickled } = {}): { [key: string]: Pickled } {
  const qpos = 7 + JOINTS;
  return {
    state_conversion: new PythonCall(
      'protomotions.simulator.base_simulator.simulator_state',
      'StateConversion',
      'common',
    ),
    fps: 30,
    dof_pos: new Tensor([FRAMES, JOINTS], counted(FRAMES * qpos), 7, [qpos, 1]),
    dof_vel: new Tensor([FRAMES, JOINTS], counted(FRAMES * JOINTS)),
    rigid_body_pos: new Tensor([FRAMES, BODIES, 3], counted(FRAMES * BODIES * 3, 100)),
    rigid_body_rot: new Tensor([FRAMES, BODIES, 4], counted(FRAMES * BODIES * 4, 500)),
    rigid_body_vel: new Tensor([FRAMES, BODIES, 3], counted(FRAMES * BODIES * 3), 0, [1, FRAMES, FRAMES * BODIES]),
    ...changes,
  };
}

let files = 0;
function written(value: Pickled, name = `${files++}.motion`): string {
  const file = path.join(folder, name);
  writeFileSync(file, torchFile(value));
  return file;
}
const facts = (file: string) => clipFileTypeOf(file)!.facts(file);
const read = (file: string) => clipFileTypeOf(file)!.read(file);

describe('a clip of ProtoMotions', () => {
  test('a ProtoMotions clip has body 0 as its root, in xyzw, and joints as a view of qpos', async () => {
    const file = written(motion());
    const { rows, columns, frames, fps, jointNames } = await read(file);
    expect({ columns, frames, fps, jointNames }).toEqual({ columns: 9, frames: 3, fps: 30, jointNames: null });
    expect(Array.from({ length: 3 }, (_, frame) => [...rows.subarray(9 * frame, 9 * frame + 9)])).toEqual([
      [100, 101, 102, 500, 501, 502, 503, 7, 8],
      [112, 113, 114, 516, 517, 518, 519, 16, 17],
      [124, 125, 126, 532, 533, 534, 535, 25, 26],
    ]);
    expect(await facts(file)).toMatchObject({
      frames: 3,
      columns: 9,
      fps: 30,
      assumed: [
        { what: 'fps', value: 30, from: 'file' },
        { what: 'quaternion', value: 'xyzw', from: 'format' },
        { what: 'units', value: 'm', from: 'format' },
      ],
    });
  });

  test('a ProtoMotions tensor stored with frames last is read only for its root', async () => {
    const last = new Tensor([FRAMES, BODIES, 3], counted(FRAMES * BODIES * 3), 0, [1, FRAMES, FRAMES * BODIES]);
    const { rows } = await read(written(motion({ rigid_body_pos: last })));
    expect([...rows.subarray(9, 12)]).toEqual([1, 1 + FRAMES * BODIES, 1 + 2 * FRAMES * BODIES]);
  });

  test('a ProtoMotions clip may store its rate in a tensor, or omit it', async () => {
    expect((await facts(written(motion({ fps: new Tensor([], Float32Array.of(50)) })))).fps).toBe(50);
    expect((await facts(written(motion({ fps: null })))).fps).toBeNull();
  });

  test.each<readonly [string, Pickled, string]>([
    [
      'the order of a simulator',
      motion({ state_conversion: 'simulator' }),
      'Call RobotState.convert_to_common before saving it.',
    ],
    [
      'a human skeleton',
      motion({ local_rigid_body_rot: new Tensor([FRAMES, BODIES, 4], counted(48)) }),
      'the motion of a human skeleton with ball joints; retarget it to the robot first, for example with GMR',
    ],
    [
      'frames that differ',
      motion({ rigid_body_rot: new Tensor([2, 1, 4], counted(8)) }),
      '"rigid_body_rot" has 2 frames',
    ],
    [
      'quaternions of three numbers',
      motion({ rigid_body_rot: new Tensor([3, 1, 3], counted(9)) }),
      'expected (frames, bo',
    ],
    ['no bodies', motion({ rigid_body_pos: new Tensor([3, 0, 3], counted(0)) }), '"rigid_body_pos" has no bodies'],
    ['no joints', motion({ dof_pos: new Tensor([3, 0], counted(0)) }), '"dof_pos" has no joints'],
    ['no tensor', motion({ dof_pos: 5 }), '"dof_pos" is a number, expected a tensor'],
    ['a list', [1], 'the file contains a list, expected a dict of dof_pos, rigid_body_pos, rigid_body_rot'],
    ['weights alone', { actor: 1 }, 'not a clip of ProtoMotions: the key "dof_pos" is missing'],
    ['a rate of zero', motion({ fps: 0 }), '"fps" must be a single number from'],
    ['code', motion({ fps: new PythonCall('os', 'system', 'true') }), 'os.system, which is not allowed'],
    [
      'a class of its name elsewhere',
      motion({ fps: new PythonCall('evil', 'StateConversion', 'common') }),
      'evil.StateConversion, which is not allowed',
    ],
  ])('a ProtoMotions clip with %s is refused', async (_, value, message) => {
    await expect(facts(written(value))).rejects.toThrow(message);
  });

  test('a ProtoMotions clip is refused if it is truncated or not a zip file', async () => {
    const whole = torchFile(motion());
    const file = path.join(folder, 'cut.motion');
    for (const [content, message] of [
      [Buffer.from('HIERARCHY'), 'not a clip of ProtoMotions of torch 1.6 or later: the file is not a zip file'],
      [whole.subarray(0, whole.length >> 1), 'not a readable zip file'],
    ] as const) {
      writeFileSync(file, content);
      await expect(facts(file)).rejects.toThrow(message);
    }
  });
});
