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
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatYaml } from '../../src/core/yaml-file.ts';
import { finish, request } from '../support/client.ts';
import { dataFile, writeLeRobot } from '../support/lerobot.ts';
import { writeSonicClip } from '../support/sonic.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker, walkerClip } from '../support/workspace.ts';

const studio = useStudio();
const SOON = { timeout: 30_000 };
const JOINTS = ['left_hip_joint', 'left_knee_joint', 'right_hip_joint', 'right_knee_joint'];

let root: string;
let source: string;
let count = 0;

beforeAll(async () => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'layouts-')));
  addWalker(studio.workspace);
  await studio.start();
  expect(await finish(studio.address, 'POST /api/robot/select', { name: 'walker' })).toMatchObject({ state: 'done' });
});
afterAll(() => rmSync(root, { recursive: true }));
beforeEach(() => {
  source = path.join(root, `source_${++count}`);
  mkdirSync(source);
});

const inData = (...parts: string[]) => path.join(studio.workspace, 'data/walker', ...parts);
const importing = (body: object) =>
  finish(studio.address, 'POST /api/data/import', body) as Promise<{
    state: string;
    error: string | null;
    message: string;
    result: object | null;
  }>;
const refusal = async (body: object) => {
  const { status, body: reply } = await request(studio.address, 'POST /api/data/import', body);
  expect(status).toBe(400);
  return reply.detail!;
};
const clipsOf = async (dataset: string) =>
  (await request(studio.address, 'GET /api/data/clips', { dataset, size: '1000' })).body.clips;
const numbers = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => !/[a-z#]/.test(line))
    .map((line) => line.split(',').map(Number));

/** Converts a dataset and opens one of its clips. */
async function convertAndOpen(dataset: string, clip: string) {
  const { body } = await request(studio.address, 'POST /api/data/convert', { dataset });
  const jobStatus = async () =>
    (await request(studio.address, 'GET /api/jobs')).body.jobs.find(({ name }) => name === body.job)?.status;
  await expect.poll(jobStatus, SOON).toBe('done');
  for (const from of ['raw', 'npz'])
    expect(await finish(studio.address, 'POST /api/data/load', { dataset, clip, source: from })).toMatchObject({
      state: 'done',
    });
  return (await request(studio.address, 'GET /api/data/preview')).body;
}

describe('a TWIST2 dataset yaml', () => {
  const list = (motions: object[], more: object = {}) =>
    writeFileSync(path.join(source, 'list.yaml'), formatYaml({ ...more, motions }));
  beforeEach(() => {
    mkdirSync(path.join(source, 'walks'));
    for (const file of ['a.csv', 'walks/b.csv', 'walks/a.csv']) writeFileSync(path.join(source, file), walkerClip(31));
  });

  test('a TWIST2 dataset yaml gives the listed clips with their weights, from its folder or its file', async () => {
    list([
      { file: 'a.csv', weight: 0.5, description: 'standing' },
      { file: 'walks/b.csv', weight: 3 },
      { file: 'gone.csv', weight: 1 },
    ]);
    const busy = await importing({ source, name: 'twist' });
    expect(busy).toMatchObject({ state: 'done', result: { dataset: 'twist' } });
    expect(busy.message).toBe('TWIST2 dataset yaml: 2 clips. Skipped: "gone.csv" does not exist');
    expect(await clipsOf('twist')).toMatchObject([
      { name: 'a', weight: 0.5, frames: 31, error: null },
      { name: 'b', weight: 3, frames: 31, error: null },
    ]);
    expect(await importing({ source: path.join(source, 'list.yaml') })).toMatchObject({ result: { dataset: 'list' } });
    expect((await clipsOf('list')).length).toBe(2);
    expect((await convertAndOpen('twist', 'b')).source).toBe('npz');
  });

  test('a TWIST2 dataset yaml adds up the weights of a file listed twice, and distinguishes files of the same name', async () => {
    list([
      { file: 'a.csv', weight: 1 },
      { file: './a.csv', weight: 1.5 },
      { file: 'walks/a.csv', weight: 4 },
    ]);
    await importing({ source, name: 'twice' });
    expect((await clipsOf('twice')).map(({ name, weight }) => [name, weight])).toEqual([
      ['a', 2.5],
      ['walks_a', 4],
    ]);
  });

  test('a TWIST2 dataset yaml finds its files below an absolute root_path, or beside itself if that folder does not exist', async () => {
    const elsewhere = path.join(root, 'lists');
    mkdirSync(elsewhere);
    writeFileSync(
      path.join(elsewhere, 'l.yaml'),
      formatYaml({ root_path: source, motions: [{ file: 'walks/b.csv' }] }),
    );
    await importing({ source: path.join(elsewhere, 'l.yaml'), name: 'rooted' });
    expect(await clipsOf('rooted')).toMatchObject([{ name: 'b', weight: 1 }]);
    list([{ file: 'a.csv' }], { root_path: '/home/somebody/motions' });
    const { message } = await importing({ source, name: 'moved' });
    expect(message).toContain('its root_path "/home/somebody/motions" does not exist here');
  });

  test('a TWIST2 dataset yaml with paths out of its root or into the workspace is refused', async () => {
    writeFileSync(path.join(root, 'secret.csv'), walkerClip(3));
    symlinkSync(path.join(root, 'secret.csv'), path.join(source, 'way-out.csv'));
    const refused: [object[], object, string][] = [
      [[{ file: '../secret.csv' }], {}, 'list.yaml:2: motions[0].file: "../secret.csv" must not contain ".."'],
      [[{ file: path.join(root, 'secret.csv') }], {}, 'must not be absolute'],
      [[{ file: 'a.csv' }], { root_path: '..' }, 'leads out of the folder of the list. Use an absolute path.'],
      [[{ file: 'a.csv' }], { root_path: `${studio.workspace}/data` }, 'is inside the datasets of this workspace'],
      [[{ file: 'way-out.csv' }], {}, '"way-out.csv" is a link out of the source'],
      [[{ file: 'a.csv', weight: -1 }], {}, 'motions[0].weight: must be a number from 0 to 1000000'],
      [[{ file: 'a.csv', weight: 'much' }], {}, 'motions[0].weight: must be a number'],
      [[{ file: 'gone.csv' }], {}, 'none of the 1 files of list.yaml can be read'],
    ];
    for (const [motions, more, detail] of refused) {
      list(motions, more);
      expect(await refusal({ source, name: 'never' })).toContain(detail);
    }
    list([{ file: 'a.csv' }]);
    expect(await refusal({ source, name: 'never', link: true })).toContain('link: the source is a TWIST2 dataset yaml');
    writeFileSync(path.join(source, 'other.yaml'), formatYaml({ motions: [{ file: 'a.csv' }] }));
    expect(await refusal({ source, name: 'never' })).toContain('several lists of motions (list.yaml, other.yaml)');
    writeFileSync(path.join(source, 'settings.yaml'), 'fps: 3\n');
    expect(await refusal({ source: path.join(source, 'settings.yaml') })).toContain('lists no motions');
    expect(readdirSync(inData()).filter((name) => name === 'never' || name.startsWith('.'))).toEqual([]);
  });
});

describe('a SONIC deploy folder', () => {
  /** Returns rows with the joints in the robot's order. */
  const rows = (frames: number) =>
    Array.from({ length: frames }, (_, k) => [k / 100, 0.1, 0.62, 0.6, 0, 0, 0.8, 0.1, 0.2, -0.1, 0.3]);
  /** Breadth-first order: both hips, then both knees. */
  const ISAAC = [0, 2, 1, 3];

  test('a SONIC deploy folder gives one clip per folder at 50 Hz, with breadth-first joints sorted and wxyz converted to xyzw', async () => {
    for (const name of ['kick_001', 'walk_002']) writeSonicClip(path.join(source, name), rows(26), { order: ISAAC });
    writeFileSync(path.join(source, 'kick_001/joint_vel.csv'), 'joint_vel_0\n0\n');
    const busy = await importing({ source, name: 'sonic' });
    expect(busy).toMatchObject({ state: 'done', result: { dataset: 'sonic' } });
    expect(busy.message).toBe(
      'SONIC deploy folder: 2 clips. Assumed: 50 frames per second, the rate of SONIC deployments',
    );
    expect(await clipsOf('sonic')).toMatchObject([
      { name: 'kick_001', frames: 26, fps: 50, error: null },
      { name: 'walk_002', frames: 26, fps: 50, error: null },
    ]);
    expect(numbers(inData('sonic/kick_001.csv'))).toEqual(
      rows(26).map(([x, y, z, w, qx, qy, qz, ...joints]) => [x, y, z, qx, qy, qz, w, ...joints]),
    );
    expect(await convertAndOpen('sonic', 'kick_001')).toMatchObject({ fps: 50, frames: 25 });
  });

  test('a SONIC folder of a single clip is one clip; joint names in the header override the breadth-first order', async () => {
    writeSonicClip(source, rows(5), { order: [3, 1, 0, 2], header: [3, 1, 0, 2].map((joint) => JOINTS[joint]!) });
    expect(await importing({ source, name: 'one' })).toMatchObject({ state: 'done' });
    expect(numbers(inData(`one/${path.basename(source)}.csv`))[0]).toEqual([
      0, 0.1, 0.62, 0, 0, 0.8, 0.6, 0.1, 0.2, -0.1, 0.3,
    ]);
  });

  test('a SONIC folder is read with the rate, unit, quaternion order and joint order of the import request', async () => {
    const odd = rows(5).map(([x, y, z, w, qx, qy, qz, ...joints]) => [
      x! * 100,
      y! * 100,
      z! * 100,
      qx!,
      qy!,
      qz!,
      w!,
      ...joints,
    ]);
    writeSonicClip(path.join(source, 'odd'), odd, { order: [0, 1, 2, 3] });
    const read = { fps: 120, units: 'cm', quaternion: 'xyzw', joint_order: JOINTS };
    expect(await importing({ source, name: 'asked', read })).toMatchObject({ message: 'SONIC deploy folder: 1 clip' });
    expect(await clipsOf('asked')).toMatchObject([{ name: 'odd', fps: 120 }]);
    expect(numbers(inData('asked/odd.csv'))[0]).toEqual([0, 0.1, 0.62, 0, 0, 0.8, 0.6, 0.1, 0.2, -0.1, 0.3]);
  });

  test('a SONIC folder without recorded positions keeps the root at its standing height', async () => {
    const still = rows(5).map(([, , , ...rest]) => [0, 0, 0, ...rest]);
    writeSonicClip(path.join(source, 'still'), still, { order: ISAAC });
    await importing({ source, name: 'still' });
    expect(numbers(inData('still/still.csv'))[0]!.slice(0, 3)).toEqual([0, 0, 0.62]);
  });

  test('clips of a SONIC folder are left out if their tables do not fit together, the root is missing or the rate differs', async () => {
    writeSonicClip(path.join(source, 'good'), rows(5), { order: ISAAC });
    writeSonicClip(path.join(source, 'short'), rows(5), { order: ISAAC });
    writeFileSync(path.join(source, 'short/body_quat.csv'), '1,0,0,0\n');
    writeSonicClip(path.join(source, 'torso'), rows(5), { order: ISAAC, bodies: [3, 0] });
    writeSonicClip(path.join(source, 'high_rate'), rows(5), { order: ISAAC, more: 'fps: 100\n' });
    writeSonicClip(path.join(source, 'odd name?'), rows(5), { order: ISAAC });
    const { message } = await importing({ source, name: 'parts' });
    expect(message).toContain('short: its tables differ in length: joint_pos.csv 5, body_pos.csv 5, body_quat.csv 1');
    expect(message).toContain('torso: the first body in its tables is number 3, expected the root (0)');
    expect(message).toContain('high_rate: it has 100 frames per second, the first clip has 50');
    expect(message).toContain('"odd name?" must begin with a letter');
    expect(await clipsOf('parts')).toMatchObject([{ name: 'good' }]);
  });

  test('a SONIC folder of another robot is refused', async () => {
    writeSonicClip(path.join(source, 'walk'), [[0, 0, 1, 1, 0, 0, 0, 0.1, 0.2]], { order: [0, 1] });
    expect(await refusal({ source })).toContain(
      'walk/joint_pos.csv has 2 columns, this robot has 4 joints: the clips are of another robot',
    );
    expect(await refusal({ source, link: true })).toContain('another robot');
  });
});

describe('a LeRobot dataset', () => {
  const state = (frames: number) =>
    Array.from({ length: frames }, (_, k) => [k / 100, 0, 0.62, 1, 0, 0, 0, 0.5, 0.25, -0.5, 0.125]);
  const NAMES = ['root_x', 'root_y', 'root_z', 'root_qw', 'root_qx', 'root_qy', 'root_qz', ...JOINTS];
  const features = { 'observation.state': { dtype: 'float32', shape: [11], names: NAMES } };

  test('a LeRobot dataset gives one clip per episode at its rate', async () => {
    const episodes = [0, 1, 2].map((episode) => ({ episode, features: { 'observation.state': state(26 + episode) } }));
    writeLeRobot(source, features, { 'chunk-000/file-000.parquet': dataFile(episodes, 40) });
    const busy = await importing({ source, name: 'episodes' });
    expect(busy).toMatchObject({
      state: 'done',
      message: 'LeRobot v3.0 dataset: 3 clips',
      result: { dataset: 'episodes' },
    });
    expect(await clipsOf('episodes')).toMatchObject([
      { name: 'episode_000000', frames: 26, fps: 25 },
      { name: 'episode_000001', frames: 27, fps: 25 },
      { name: 'episode_000002', frames: 28, fps: 25 },
    ]);
    expect(await convertAndOpen('episodes', 'episode_000002')).toMatchObject({ fps: 50, frames: 54 });
    expect(await refusal({ source, name: 'linked', link: true })).toContain(
      'link: the source is a LeRobot v3.0 dataset, whose clips are converted to new files, so it cannot be linked. Import it without "link".',
    );
  });

  test('a LeRobot dataset that is damaged, or has an episode in two files, leaves no dataset behind', async () => {
    const file = dataFile([{ episode: 4, features: { 'observation.state': state(3) } }]);
    writeLeRobot(source, features, { 'chunk-000/file-000.parquet': file, 'chunk-000/file-001.parquet': file });
    expect(await importing({ source, name: 'broken' })).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('episode 4 is stored twice'),
    });
    writeFileSync(path.join(source, 'data/chunk-000/file-001.parquet'), 'version https://git-lfs.github.com/spec/v1\n');
    expect(await importing({ source, name: 'broken' })).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('Files of git-lfs must be fetched first'),
    });
    expect(readdirSync(inData()).filter((name) => name === 'broken' || name.startsWith('.'))).toEqual([]);
  });

  test('a LeRobot dataset of another robot is refused before anything is written', async () => {
    const other = { 'observation.state': { dtype: 'float32', shape: [2], names: ['gripper.pos', 'elbow.pos'] } };
    writeLeRobot(source, other, { 'chunk-000/file-000.parquet': new Uint8Array(4) }, { robot_type: 'so101' });
    expect(await refusal({ source })).toContain(
      '(robot_type "so101") belongs to another robot, or to a part of this robot: "observation.state" lacks left_hip_joint',
    );
  });
});
