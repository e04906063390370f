import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LeRobotLayout } from '../../../../src/data/library/layouts/dataset-layout.ts';
import { findLayout } from '../../../../src/data/library/layouts/find-layout.ts';
import { listEpisodes, writeLeRobotEpisodes } from '../../../../src/data/library/layouts/lerobot-episodes.ts';
import { clipFileType } from '../../../../src/formats/clip-registry.ts';
import { writeNpz } from '../../../../src/formats/npz.ts';
import type { ReadOptions } from '../../../../src/protocol/schemas/reading.ts';
import { dataFile, writeLeRobot } from '../../../support/lerobot.ts';

const ROBOT = { jointNames: ['left_hip_joint', 'left_knee_joint', 'right_hip_joint'], rootHeight: 0.62 };
/** Names as Unitree's recorders write them: in camel case, nested, in another order, and with a hand. */
const NAMES = ['kRightHip.q', 'kLeftHip.q', 'kHandThumb.q', 'kLeftKnee.q'];
const STATE = { dtype: 'float32', shape: [4], names: [NAMES] };
const state = (frames: number, from = 0) =>
  Array.from({ length: frames }, (_, k) => [from + k, from + k + 0.25, 9, from + k + 0.5]);

let folder: string;
let into: string;
beforeEach(() => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'lerobot-')));
  folder = path.join(root, 'takes');
  into = path.join(root, 'into');
  mkdirSync(folder);
  mkdirSync(into);
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true }));

const find = async (read: ReadOptions = {}) => (await findLayout(folder, ROBOT, into, read)) as LeRobotLayout;

async function written(layout: LeRobotLayout): Promise<string[]> {
  const leftOut: string[] = [];
  for (const { path: file } of layout.files)
    leftOut.push(
      ...(await writeLeRobotEpisodes(file, await listEpisodes(file), layout.reading, ROBOT.jointNames, into)),
    );
  return leftOut;
}
const rowsOf = async (clip: string) => {
  const { rows, columns, jointNames } = await clipFileType('csv').read(path.join(into, `${clip}.csv`));
  expect(jointNames).toEqual(ROBOT.jointNames);
  return Array.from({ length: rows.length / columns }, (_, k) => [...rows.subarray(k * columns, (k + 1) * columns)]);
};

describe('a LeRobot v3 dataset', () => {
  test('a LeRobot v3 dataset gives one clip per episode, whatever the row groups, with the joints sorted by name', async () => {
    const first = [
      { episode: 0, features: { 'observation.state': state(5) } },
      { episode: 1, features: { 'observation.state': state(3, 10) } },
    ];
    const second = [{ episode: 2, features: { 'observation.state': state(2, 20) } }];
    writeLeRobot(
      folder,
      { 'observation.state': STATE },
      {
        'chunk-000/file-000.parquet': dataFile(first, 2),
        'chunk-000/file-001.parquet': dataFile(second),
      },
    );
    const layout = await find();
    expect(layout).toMatchObject({ kind: 'lerobot', title: 'LeRobot v3.0 dataset', fps: 25, leftOut: [] });
    expect(layout.assumed).toEqual([
      'the root stays at its standing height of 0.62 m: no position is recorded',
      'the root stays upright: no orientation is recorded',
    ]);
    expect(await written(layout)).toEqual([]);
    expect(readdirSync(into)).toEqual(['episode_000000.csv', 'episode_000001.csv', 'episode_000002.csv']);
    expect(await rowsOf('episode_000001')).toEqual([
      [0, 0, 0.62, 0, 0, 0, 1, 10.25, 10.5, 10],
      [0, 0, 0.62, 0, 0, 0, 1, 11.25, 11.5, 11],
      [0, 0, 0.62, 0, 0, 0, 1, 12.25, 12.5, 12],
    ]);
    expect((await rowsOf('episode_000000')).length).toBe(5);
  });

  test('a LeRobot dataset takes the root from named values of the state, with the quaternion in any order', async () => {
    const names = ['root_qw', 'root_qx', 'root_qy', 'root_qz', 'root_z', 'root_x', 'root_y', ...ROBOT.jointNames];
    const row = [0.5, 0.5, -0.5, 0.5, 0.9, 1, 2, 0.1, 0.2, 0.3];
    writeLeRobot(
      folder,
      { 'observation.state': { dtype: 'float64', shape: [10], names: { motors: names } } },
      { 'chunk-000/file-000.parquet': dataFile([{ episode: 7, features: { 'observation.state': [row] } }]) },
    );
    const layout = await find();
    expect(layout.assumed).toEqual([]);
    await written(layout);
    const [read] = await rowsOf('episode_000007');
    for (const [k, value] of [1, 2, 0.9, 0.5, -0.5, 0.5, 0.5, 0.1, 0.2, 0.3].entries())
      expect(read![k]).toBeCloseTo(value, 6);
  });

  test('a LeRobot dataset takes the root from separate features, and states the assumed order', async () => {
    const features = {
      action: { dtype: 'float32', shape: [3], names: ROBOT.jointNames },
      'observation.root_orientation': { dtype: 'float32', shape: [4], names: null },
      'observation.init_base_quat': { dtype: 'float32', shape: [4], names: null },
    };
    const rows = {
      action: [[1, 2, 3]],
      'observation.root_orientation': [[0, 0, 0, 1]],
      'observation.init_base_quat': [[1, 0, 0, 0]],
    };
    writeLeRobot(folder, features, { 'chunk-000/file-000.parquet': dataFile([{ episode: 0, features: rows }]) });
    const layout = await find();
    expect(layout.assumed).toContain('the quaternion of "observation.root_orientation" is read as w x y z');
    await written(layout);
    expect(await rowsOf('episode_000000')).toEqual([[0, 0, 0.62, 0, 0, 1, 0, 1, 2, 3]]);
  });

  test('a LeRobot dataset is read with the rate, unit, quaternion order and joint order of the import request', async () => {
    const features = {
      action: { dtype: 'float32', shape: [3], names: null },
      'observation.root_pos': { dtype: 'float32', shape: [3], names: null },
      'observation.root_quat': { dtype: 'float32', shape: [4], names: null },
    };
    const rows = {
      action: [[1, 2, 3]],
      'observation.root_pos': [[100, 50, 75]],
      'observation.root_quat': [[0, 0, 0, 1]],
    };
    writeLeRobot(folder, features, { 'chunk-000/file-000.parquet': dataFile([{ episode: 0, features: rows }]) });
    const joint_order = ['right_hip_joint', 'left_hip_joint', 'left_knee_joint'];
    const layout = await find({ fps: 60, units: 'cm', quaternion: 'xyzw', joint_order });
    expect(layout).toMatchObject({ fps: 60, assumed: [] });
    await written(layout);
    expect(await rowsOf('episode_000000')).toEqual([[1, 0.5, 0.75, 0, 0, 0, 1, 2, 3, 1]]);
  });

  test('a LeRobot dataset of another robot is refused with the joints that differ', async () => {
    const names = ['shoulder_pan.pos', 'left_knee.pos', 'gripper.pos'];
    writeLeRobot(folder, { 'observation.state': { dtype: 'float32', shape: [3], names } }, {}, { robot_type: 'so101' });
    await expect(find()).rejects.toThrow(
      'source: the LeRobot dataset (robot_type "so101") belongs to another robot, or to a part of this robot: "observation.state" lacks left_hip_joint, right_hip_joint and has shoulder_pan.pos, gripper.pos',
    );
  });

  test('a LeRobot dataset without names is read in the order of the robot if the widths agree, and says so', async () => {
    const feature = (size: number) => ({ 'observation.state': { dtype: 'float32', shape: [size], names: null } });
    const file = dataFile([{ episode: 0, features: { 'observation.state': [[1, 2, 3]] } }]);
    writeLeRobot(folder, feature(3), { 'chunk-000/file-000.parquet': file });
    expect((await find()).assumed[0]).toContain("have no names and are read in the robot's joint order");
    writeLeRobot(folder, feature(5), {});
    await expect(find()).rejects.toThrow(
      'has no feature with joint positions. Expected a feature with named values, or with 3 values, one per joint of this robot',
    );
  });

  test.each<[string, unknown]>([
    [
      'lists per limb',
      { right: ['right_hip_joint'], left: ['left_hip_joint'], hand: ['thumb'], knee: ['left_knee_joint'] },
    ],
    ['a map from name to index', { thumb: 2, left_knee_joint: 3, right_hip_joint: 0, left_hip_joint: 1 }],
  ])('a LeRobot dataset with names as %s is read by name', async (_, names) => {
    const file = dataFile([{ episode: 0, features: { 'observation.state': state(4) } }]);
    writeLeRobot(folder, { 'observation.state': { ...STATE, names } }, { 'chunk-000/file-000.parquet': file });
    await written(await find());
    expect((await rowsOf('episode_000000'))[2]!.slice(7)).toEqual([2.25, 2.5, 2]);
  });

  test('a LeRobot dataset with a joint of one name in both limbs is refused', async () => {
    const limb = ['left_hip_joint', 'left_knee_joint', 'right_hip_joint'];
    const names = { one: limb, other: limb };
    writeLeRobot(folder, { 'observation.state': { dtype: 'float32', shape: [6], names } }, {});
    await expect(find()).rejects.toThrow('"observation.state" lacks left_hip_joint, left_knee_joint, right_hip_joint');
  });

  test('a LeRobot dataset with names in an unknown form is refused instead of read in the order of the robot', async () => {
    const names = { joints: { left_hip_joint: 'a', left_knee_joint: 'b', right_hip_joint: 'c' } };
    writeLeRobot(folder, { 'observation.state': { dtype: 'float32', shape: [3], names } }, {});
    await expect(find()).rejects.toThrow(
      'source: the names of "observation.state" in meta/info.json are not a list of 3 names: {"joints":{"left_hip_joint":"a"',
    );
  });

  test('an episode without finite numbers or with too few values is left out of a LeRobot dataset', async () => {
    const file = dataFile([
      { episode: 0, features: { 'observation.state': [...state(2), [1, Number.NaN, 0, 0]] } },
      { episode: 1, features: { 'observation.state': [[1, 2, 3]] } },
      { episode: 2, features: { 'observation.state': state(1) } },
    ]);
    writeLeRobot(folder, { 'observation.state': STATE }, { 'chunk-000/file-000.parquet': file });
    expect(await written(await find())).toEqual([
      'episode_000000: frame 2 has NaN as left_hip_joint, not a finite number',
      'episode_000001: frame 0 has 3 values of "observation.state"; value 4 is missing',
    ]);
    expect(readdirSync(into)).toEqual(['episode_000002.csv']);
  });

  test('a LeRobot dataset that is damaged, of an old version or only links is refused with the remedy', async () => {
    writeLeRobot(folder, { 'observation.state': STATE }, { 'chunk-000/file-000.parquet': new Uint8Array(40) });
    await expect(written(await find())).rejects.toThrow('file-000.parquet: is not a Parquet file, or it is truncated');
    const whole = dataFile([{ episode: 0, features: { 'observation.state': state(400) } }]);
    for (const at of [whole.length / 3, whole.length - 60].map(Math.floor)) {
      const broken = Uint8Array.from(whole);
      broken.fill(0xee, at, at + 20);
      writeFileSync(path.join(folder, 'data/chunk-000/file-000.parquet'), broken);
      await expect(written(await find())).rejects.toMatchObject({ code: 'bad_input' });
    }
    writeLeRobot(folder, { 'observation.state': STATE }, {}, { codebase_version: 'v1.6' });
    await expect(find()).rejects.toThrow('LeRobot datasets of version v1.6 are not supported. Convert it to v3.0');
    writeLeRobot(folder, { 'observation.state': STATE }, {}, { fps: 0 });
    await expect(find()).rejects.toThrow('meta/info.json: fps must be a number from 1 to 1000');
    writeLeRobot(folder, { 'observation.state': STATE }, {});
    rmSync(path.join(folder, 'data'), { recursive: true });
    mkdirSync(path.join(folder, 'data/chunk-000'), { recursive: true });
    writeFileSync(path.join(into, 'blob'), whole);
    symlinkSync(path.join(into, 'blob'), path.join(folder, 'data/chunk-000/file-000.parquet'));
    await expect(find()).rejects.toThrow('are links out of it, as in a cache of Hugging Face');
  });

  test('a LeRobot dataset with frames in another order is refused', async () => {
    const file = dataFile([
      { episode: 0, features: { 'observation.state': state(3) } },
      { episode: 0, features: { 'observation.state': state(3) } },
    ]);
    writeLeRobot(folder, { 'observation.state': STATE }, { 'chunk-000/file-000.parquet': file });
    await expect(written(await find())).rejects.toThrow('row 4: frame 0 comes after frame 2');
  });
});

test.each(['GZIP', 'BROTLI', 'UNCOMPRESSED'] as const)('a LeRobot data file packed with %s is read', async (codec) => {
  const file = dataFile([{ episode: 0, features: { 'observation.state': state(4) } }], 1000, codec);
  writeLeRobot(folder, { 'observation.state': STATE }, { 'chunk-000/file-000.parquet': file });
  await written(await find());
  expect((await rowsOf('episode_000000'))[3]).toEqual([0, 0, 0.62, 0, 0, 0, 1, 3.25, 3.5, 3]);
});

test('a LeRobot v2.1 dataset, with one episode per file, is read as well', async () => {
  const file = (episode: number) => dataFile([{ episode, features: { 'observation.state': state(2) } }]);
  writeLeRobot(
    folder,
    { 'observation.state': STATE },
    { 'chunk-000/episode_000000.parquet': file(0), 'chunk-000/episode_000001.parquet': file(1) },
    { codebase_version: 'v2.1' },
  );
  const layout = await find();
  expect(layout.title).toBe('LeRobot v2.1 dataset');
  await written(layout);
  expect(readdirSync(into)).toEqual(['episode_000000.csv', 'episode_000001.csv']);
  expect(readFileSync(path.join(into, 'episode_000001.csv'), 'utf8').split('\n')[0]).toBe(
    'x,y,z,qx,qy,qz,qw,left_hip_joint,left_knee_joint,right_hip_joint',
  );
});

test('a folder of human motion is refused with the remedy, a folder of clips is not', async () => {
  const amass = writeNpz([['poses', { dtype: 'f4', shape: [2, 156], data: new Float32Array(312) }]]);
  for (const name of ['a_poses', 'b_poses']) writeFileSync(path.join(folder, `${name}.npz`), amass);
  await expect(find()).rejects.toThrow(/is a clip of a robot\. The first file: a_poses\.npz: .*SMPL.*retarget it.*GMR/);
  writeFileSync(path.join(folder, 'a.csv'), '0,0,1,0,0,0,1,0\n');
  expect(await find()).toBeNull();
});
