import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { factsProblem, readClipFacts } from '../../../src/data/clip/clip-facts.ts';
import { checkClipFile } from '../../../src/data/clip/clip-quality.ts';
import { jointOrder } from '../../../src/data/clip/joint-order.ts';
import { loadClip } from '../../../src/data/clip/load-clip.ts';
import { parseClipCsv } from '../../../src/formats/csv.ts';
import { writeNpz } from '../../../src/formats/npz.ts';
import { hasKit, KIT } from '../../support/kit.ts';
import { clipSource, preparedHumanoid } from '../../support/robots.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'load-'));
afterAll(() => rmSync(folder, { recursive: true }));
function file(name: string, content: string | Uint8Array): string {
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
}
const target = { columns: 9, jointNames: ['hip', 'knee'], fps: 30 };
const RAW_CSV = 'quaternion=xyzw format;units=m format;fps=30 guess;joint_order=robot guess';
const row = '1,2,3,0.5,-0.5,0.5,0.5,0.25,0.75';

describe('a raw clip', () => {
  test('a raw clip is read with quaternion wxyz, and all other numbers as in the file', async () => {
    const clip = await loadClip(file('a.csv', `${row}\n${row}\n`), 'csv', target);
    expect(clip).toMatchObject({ fps: 30, frames: 2 });
    const expected = [1, 2, 3, 0.5, 0.5, -0.5, 0.5, 0.25, 0.75];
    expect([...clip.rows]).toEqual([...expected, ...expected]);
    expect(clip.rows.buffer.byteLength).toBe(18 * 8);
  });

  test("a raw clip with joints in another order is reordered to the robot's order", async () => {
    const named = file('named.csv', `x,y,z,qx,qy,qz,qw,robot/knee,robot/hip\n${row}\n`);
    expect([...(await loadClip(named, 'csv', target)).rows].slice(7)).toEqual([0.75, 0.25]);
  });

  test('a raw clip may omit "_joint" from joint names; unknown joint names are refused', async () => {
    const joints = { ...target, jointNames: ['hip_joint', 'knee_joint'] };
    const short = file('short.csv', `x,y,z,qx,qy,qz,qw,robot/knee,hip_joint\n${row}\n`);
    expect([...(await loadClip(short, 'csv', joints)).rows].slice(7)).toEqual([0.75, 0.25]);
    const twice = file('twice.csv', `x,y,z,qx,qy,qz,qw,knee,knee_joint\n${row}\n`);
    await expect(loadClip(twice, 'csv', joints)).rejects.toThrow('the joint "knee_joint" has two columns');
    const other = file('other.csv', `x,y,z,qx,qy,qz,qw,ankle,hip\n${row}\n`);
    await expect(loadClip(other, 'csv', joints)).rejects.toThrow(
      'the joint "ankle" does not belong to this robot; the joint "knee_joint" of the robot has no column',
    );
  });

  test('a raw clip with a non-finite cell is refused by row, column and content', async () => {
    const bad = file('gap.csv', `${row}\n1,2,NaN,0,0,0,1,0,0\n`);
    await expect(loadClip(bad, 'csv', target)).rejects.toThrow(
      'gap.csv: row 2, column 3 (z) is NaN, not a finite number. Repair or remove that frame.',
    );
    expect(await readClipFacts(bad, 'csv')).toEqual({
      ...{ frames: 2, fps: null, columns: 9 },
      error: 'gap.csv: line 2 contains nan or inf instead of a finite number. Repair or remove the line.',
      assumed: RAW_CSV,
    });
    const named = file('named.csv', `x,y,z,qx,qy,qz,qw,knee,Inf_joint\n\n${row}\r\n${row}\n1,2,3,0,0,0,1,-INF,0\n`);
    expect((await readClipFacts(named, 'csv')).error).toMatch(/^named\.csv: line 5 contains nan or inf/);
  });

  test('quaternions of a raw clip are normalised; those of nearly unit length stay unchanged', async () => {
    const odd = file('odd.csv', '0,0,1,0,0,0,2,0,0\n0,0,1,0,0,0,1.0005,0,0\n');
    const { rows } = await loadClip(odd, 'csv', target);
    expect([rows[3], rows[9 + 3]]).toEqual([1, 1.0005]);
  });

  test('a raw clip with a quaternion of length 0 is refused by row and column', async () => {
    const zero = file('zero.csv', `${row}\n0,0,1,0,0,0,0,0,0\n`);
    await expect(loadClip(zero, 'csv', target)).rejects.toThrow(
      'zero.csv: row 2, column 4: the quaternion qx qy qz qw has length zero. Repair or remove that frame.',
    );
  });

  test('a raw clip of another robot is refused with the columns found and the columns needed', async () => {
    const other = file('other.csv', `${row},1,2\n`);
    const message =
      'the clip has 11 columns (7 of the root, 4 joints), this robot needs 9 columns (7 of the root, 2 joints): select the robot of the clip, or retarget it';
    await expect(loadClip(other, 'csv', target)).rejects.toThrow(`other.csv: ${message}`);
    const facts = await readClipFacts(other, 'csv');
    expect(facts).toEqual({ frames: 1, fps: null, columns: 11, error: null, assumed: RAW_CSV });
    expect([factsProblem(facts, 9), factsProblem(facts, 11)]).toEqual([message, null]);
  });
});

describe('columns that look like the pose of an object', () => {
  const humanoidQpos = (robot: Awaited<ReturnType<typeof preparedHumanoid>>, frames: number) => {
    const { joints, rootHeight } = robot.facts;
    const row = (k: number) => [
      0,
      0,
      rootHeight,
      1,
      0,
      0,
      0,
      ...joints.map((joint) => joint.default),
      k / 99,
      1,
      1,
      0,
      0,
      1,
      0,
    ];
    const rows = Array.from({ length: frames }, (_, k) => row(k));
    const data = Float64Array.from(rows.flat());
    return writeNpz([['qpos', { dtype: 'f8', shape: [frames, rows[0]!.length], data }]]);
  };

  test('columns that look like the pose of an object are reported, and named if the number of columns is wrong', async () => {
    const prepared = await preparedHumanoid();
    const clip = file('object.npz', humanoidQpos(prepared, 60));
    const { issues, error } = await checkClipFile(clip, 'npz-source', clipSource(prepared), {}, {});
    expect(error).toBeNull();
    const width = 14 + prepared.facts.joints.length;
    expect(issues.filter(({ kind }) => kind === 'joint_order')).toMatchObject([
      {
        severity: 'warning',
        text: `the last 7 of the ${width} columns of the file look like the pose of an object and were left out; if they are joints, name all joints in the array "joint_names".`,
      },
    ]);
    const wide = { columns: width, jointNames: Array.from({ length: width - 7 }, (_, k) => `j${k}`), fps: 30 };
    await expect(loadClip(clip, 'npz-source', wide)).rejects.toThrow(
      `this robot needs ${width} columns (7 of the root, ${width - 7} joints): select the robot of the clip, or retarget it; the last 7 of the ${width} columns`,
    );
  });
});

describe('joint names', () => {
  test.each([
    [
      'unknown',
      ['hip', 'kne'],
      'the joint "kne" does not belong to this robot; the joint "knee" of the robot has no column; did you mean "knee"?',
    ],
    [
      'of another robot',
      ['hip', 'wing'],
      'the joint "wing" does not belong to this robot; the joint "knee" of the robot has no column; the clip may belong to another robot',
    ],
    ['twice', ['hip', 'robot/hip'], 'the joint "hip" has two columns'],
    ['missing', ['hip'], 'the joint "knee" of the robot has no column'],
  ])('joint names of a clip: %s', (_, names, message) => {
    expect(() => jointOrder(names, ['hip', 'knee'], 'a.csv')).toThrow(`a.csv: ${message}`);
  });

  test('joint names of a clip are found in any order', () => {
    const shuffled = fc
      .uniqueArray(fc.stringMatching(/^[a-z_]{1,12}$/), { minLength: 1, maxLength: 12 })
      .chain((names) => fc.tuple(fc.constant(names), fc.shuffledSubarray(names, { minLength: names.length })));
    fc.assert(
      fc.property(shuffled, ([wanted, names]) => {
        const order = jointOrder(names, wanted, 'a.csv') ?? wanted.map((_, index) => index);
        expect(order.map((column) => names[column])).toEqual(wanted);
      }),
    );
  });
});

describe('a converted clip', () => {
  const npz = (jointPos: readonly number[], names: readonly string[] | null = null) =>
    writeNpz([
      ['fps', { dtype: 'f4', shape: [1], data: Float32Array.of(50) }],
      ...(names ? [['joint_names', { dtype: 'U', shape: [names.length], data: names }] as const] : []),
      ['joint_pos', { dtype: 'f4', shape: [1, 2], data: Float32Array.from(jointPos) }],
      ['body_pos_w', { dtype: 'f4', shape: [1, 1, 3], data: Float32Array.of(1, 2, 3) }],
      ['body_quat_w', { dtype: 'f4', shape: [1, 1, 4], data: Float32Array.of(0, 1, 0, 0) }],
    ]);

  test('a converted clip keeps its frame rate and quaternion wxyz, and its joints are ordered by name', async () => {
    const clip = await loadClip(file('a.npz', npz([0.25, 0.5], ['knee', 'hip'])), 'npz', target);
    expect(clip).toMatchObject({ fps: 50, frames: 1 });
    expect([...clip.rows]).toEqual([1, 2, 3, 0, 1, 0, 0, 0.5, 0.25]);
    expect(await readClipFacts(path.join(folder, 'a.npz'), 'npz')).toEqual({
      frames: 1,
      fps: 50,
      columns: 9,
      error: null,
      assumed: 'fps=50 file;joint_order=robot guess',
    });
  });

  test('a converted clip with a non-finite number is refused by row, column and joint', async () => {
    const bad = file('nan.npz', npz([0.25, Number.NaN], ['hip', 'knee']));
    await expect(loadClip(bad, 'npz', target)).rejects.toThrow(
      'nan.npz: row 1, column 9 (knee) is NaN, not a finite number. Repair or remove that frame.',
    );
    await expect(loadClip(file('inf.npz', npz([Infinity, 0])), 'npz', target)).rejects.toThrow('column 8 (joint 1)');
  });
});

test('an unreadable file is listed with its error', async () => {
  expect(await readClipFacts(path.join(folder, 'gone.csv'), 'csv')).toEqual({
    frames: null,
    fps: null,
    columns: null,
    error: 'gone.csv: the file no longer exists',
    assumed: null,
  });
});

test.skipIf(!hasKit)('a real clip keeps every row, with its quaternion converted to wxyz', async () => {
  const source = path.join(KIT, 'clips/walk1_subject1.csv');
  const jointNames = Array.from({ length: 29 }, (_, index) => `joint${index}`);
  const { rows, frames } = await loadClip(source, 'csv', { columns: 36, jointNames, fps: 30 });
  const raw = parseClipCsv(readFileSync(source)).rows;
  expect(frames).toBe(7840);
  for (const frame of [0, 100, 5000]) {
    const at = frame * 36;
    expect([...rows.subarray(at, at + 3)]).toEqual([...raw.subarray(at, at + 3)]);
    expect([...rows.subarray(at + 3, at + 7)]).toEqual([raw[at + 6], raw[at + 3], raw[at + 4], raw[at + 5]]);
    expect([...rows.subarray(at + 7, at + 36)]).toEqual([...raw.subarray(at + 7, at + 36)]);
  }
});
