import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { loadClip } from '../../../src/data/clip/load-clip.ts';
import { clipFileType } from '../../../src/formats/clip-registry.ts';
import { formatRateLine } from '../../../src/formats/csv/rate-line.ts';
import { formatClipCsv } from '../../../src/formats/csv.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'joints-csv-'));
afterAll(() => rmSync(folder, { recursive: true }));
const csv = clipFileType('csv');
let files = 0;
function file(text: string): string {
  files += 1;
  const name = path.join(folder, `clip${files}.csv`);
  writeFileSync(name, text);
  return name;
}

const SEED_ROOT =
  'Frame,root_translateX,root_translateY,root_translateZ,root_rotateX,root_rotateY,root_rotateZ' as const;

/** Rotates a vector by a quaternion x y z w. */
function turned(q: readonly number[], [vx, vy, vz]: readonly [number, number, number]): number[] {
  const [x, y, z, w] = q as [number, number, number, number];
  const [tx, ty, tz] = [2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)];
  return [vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx];
}

/** Rotates a vector about the fixed axes x, y and z, in this order. @param degrees angles about x, y, z */
function turnedAbout(degrees: readonly number[], vector: readonly [number, number, number]): number[] {
  let [x, y, z] = vector;
  const [a, b, c] = degrees.map((angle) => (angle * Math.PI) / 180) as [number, number, number];
  [y, z] = [y * Math.cos(a) - z * Math.sin(a), y * Math.sin(a) + z * Math.cos(a)];
  [x, z] = [x * Math.cos(b) + z * Math.sin(b), z * Math.cos(b) - x * Math.sin(b)];
  [x, y] = [x * Math.cos(c) - y * Math.sin(c), x * Math.sin(c) + y * Math.cos(c)];
  return [x, y, z];
}

describe('a BONES-SEED CSV', () => {
  const text = `${SEED_ROOT},left_hip_joint_dof,knee_dof\n0,100,-50,76.5,0,0,90,180,-90\n1,101,-50,76,10,20,30,45,0\n`;

  test('a BONES-SEED CSV is converted from centimetres and degrees, at 120 frames per second', async () => {
    const clip = await csv.read(file(text));
    expect(clip).toMatchObject({ frames: 2, columns: 9, fps: 120, jointNames: ['left_hip_joint', 'knee'] });
    const expected = [1, -0.5, 0.765, 0, 0, Math.SQRT1_2, Math.SQRT1_2, Math.PI, -Math.PI / 2];
    for (const [column, value] of expected.entries()) expect(clip.rows[column]).toBeCloseTo(value, 12);
    expect(clip.assumed).toEqual([
      { what: 'fps', value: 120, from: 'format' },
      { what: 'units', value: 'cm', from: 'format' },
      { what: 'quaternion', value: 'euler_xyz', from: 'format' },
    ]);
  });

  test('a BONES-SEED CSV states the same assumptions in a listing, where only its header is read', async () => {
    const { notFinite, ...facts } = await csv.facts(file(text));
    const { rows: _rows, ...clip } = await csv.read(file(text));
    expect({ ...facts, layout: null }).toEqual({ ...clip, layout: null });
    expect(notFinite).toBeNull();
  });

  test('a BONES-SEED CSV has Euler angles about the fixed axes x, y, z in this order', async () => {
    const angle = fc.double({ min: -360, max: 360, noNaN: true });
    await fc.assert(
      fc.asyncProperty(angle, angle, angle, async (a, b, c) => {
        const clip = await csv.read(file(`${SEED_ROOT},knee_dof\n0,0,0,80,${a},${b},${c},0\n`));
        const own = turned([...clip.rows.subarray(3, 7)], [0.3, -0.5, 0.8]);
        const expected = turnedAbout([a, b, c], [0.3, -0.5, 0.8]);
        for (let k = 0; k < 3; k += 1) expect(own[k]).toBeCloseTo(expected[k]!, 9);
      }),
      { numRuns: 50 },
    );
  });

  test('a BONES-SEED CSV with joints in another order is reordered by joint names', async () => {
    const target = { columns: 9, jointNames: ['knee_joint', 'left_hip_joint'], fps: 30 };
    const { rows, fps } = await loadClip(file(text), 'csv', target);
    expect([rows[7], rows[8], fps]).toEqual([-Math.PI / 2, Math.PI, 120]);
  });

  test('a BONES-SEED CSV of another robot is refused, naming the joints that differ', async () => {
    const target = { columns: 10, jointNames: ['knee_joint', 'hip', 'ankle'], fps: 30 };
    await expect(loadClip(file(text), 'csv', target)).rejects.toThrow(
      'the joint "left_hip_joint" does not belong to this robot; the joints "hip", "ankle" of the robot have no column',
    );
  });

  test('a BONES-SEED CSV is read in metres or at another rate on request', async () => {
    const { rows, fps, assumed } = await csv.read(file(text), { units: 'm', fps: 60 });
    expect([rows[0], rows[2], fps]).toEqual([100, 76.5, 60]);
    expect(assumed.map(({ what }) => what)).toEqual(['quaternion']);
    await expect(csv.read(file(text), { quaternion: 'wxyz' })).rejects.toThrow(
      'quaternion: cannot be set for this file, because its format defines it: the file has euler_xyz',
    );
  });
});

describe('the order of columns', () => {
  const layouts = {
    'w first': ['x,y,z,qw,qx,qy,qz,knee', '1,2,3,0.9,0.1,0.2,0.3,5'],
    'joints first': ['knee,root_x,root_y,root_z,root_qx,root_qy,root_qz,root_qw', '5,1,2,3,0.1,0.2,0.3,0.9'],
    'a counter and a time': [
      'frame,time,root_pos_x,root_pos_y,root_pos_z,root_rot_w,root_rot_x,root_rot_y,root_rot_z,knee',
      '0,0.02,1,2,3,0.9,0.1,0.2,0.3,5',
    ],
  } as const;
  test.each(Object.entries(layouts))(
    'a header with %s determines the order of columns',
    async (name, [header, row]) => {
      const clip = await csv.read(file(`${header}\n${row}\n`));
      expect([...clip.rows]).toEqual([1, 2, 3, 0.1, 0.2, 0.3, 0.9, 5]);
      expect(clip).toMatchObject({ columns: 8, fps: null, jointNames: ['knee'] });
      const order = name === 'joints first' ? 'xyzw' : 'wxyz';
      expect(clip.assumed[0]).toEqual({ what: 'quaternion', value: order, from: 'file' });
    },
  );
});

describe('a header', () => {
  const row = '0.1,0.2,0.8,0.9,0.1,0.2,0.3,5';
  const kneeAt = async (text: string) => {
    const { rows, columns, jointNames } = await csv.read(file(text));
    expect(await csv.facts(file(text))).toMatchObject({ columns, jointNames });
    return { rows: [...rows.subarray(0, columns)], jointNames };
  };

  test.each([
    'root_pos_x,root_pos_y,root_pos_z,root_rot_qw,root_rot_qx,root_rot_qy,root_rot_qz,knee',
    'x,y,z,rw,rx,ry,rz,knee',
    'root_pos_w_x,root_pos_w_y,root_pos_w_z,root_quat_w_w,root_quat_w_x,root_quat_w_y,root_quat_w_z,knee',
    'trunk_x,trunk_y,trunk_z,trunk_quat.w,trunk_quat.x,trunk_quat.y,trunk_quat.z,knee',
  ])('the header %s states that w comes first', async (header) => {
    const { rows, jointNames } = await kneeAt(`${header}\n${row}\n`);
    expect(rows).toEqual([0.1, 0.2, 0.8, 0.1, 0.2, 0.3, 0.9, 5]);
    expect(jointNames).toEqual(['knee']);
  });

  test.each([
    ['trunk_quat_x,trunk_quat_y,trunk_quat_z,trunk_quat_w', '0.1,0.2,0.3,0.9'],
    ['trunk_quat_w,trunk_quat_x,trunk_quat_y,trunk_quat_z', '0.9,0.1,0.2,0.3'],
  ])('a header with the quaternion %s before the position determines the order', async (names, values) => {
    const { rows } = await kneeAt(`${names},trunk_pos_x,trunk_pos_y,trunk_pos_z,knee\n${values},1,2,3,5\n`);
    expect(rows).toEqual([1, 2, 3, 0.1, 0.2, 0.3, 0.9, 5]);
  });

  test('a header that names the axes of the root in an unknown order is refused', async () => {
    const names = 'trunk_z,trunk_y,trunk_x,trunk_qw,trunk_qx,trunk_qy,trunk_qz';
    await expect(kneeAt(`${names},knee\n${row}\n`)).rejects.toThrow(
      'is not clear from the column names. Name these columns x, y, z, qx, qy, qz, qw',
    );
  });

  test('a header with the usual order is not overruled by the numbers', async () => {
    const upsideDown = `x,y,z,qx,qy,qz,qw,knee\n${'0,0,0.8,1,0,0,0,0.5\n'.repeat(20)}`;
    const clip = await csv.read(file(upsideDown));
    expect([...clip.rows.subarray(3, 7)]).toEqual([1, 0, 0, 0]);
    expect(clip.assumed[0]).toEqual({ what: 'quaternion', value: 'xyzw', from: 'file' });
  });

  test('a header with units of length converts them', async () => {
    const clip = await csv.read(file(`x_cm,y_cm,z [cm],qw,qx,qy,qz,knee\n10,20,80,0.9,0.1,0.2,0.3,5\n`));
    expect([...clip.rows.subarray(0, 3)]).toEqual([0.1, 0.2, 0.8]);
    expect(clip.assumed).toContainEqual({ what: 'units', value: 'cm', from: 'file' });
    const usual = await csv.facts(file('x_mm,y_mm,z_mm,qx,qy,qz,qw,knee\n1,2,800,0,0,0,1,5\n'));
    expect(usual.assumed).toContainEqual({ what: 'units', value: 'mm', from: 'file' });
  });

  test.each(['trunk_x_cm,trunk_y_cm,trunk_z_cm', 'trunk x [cm],trunk y [cm],trunk z [cm]'])(
    'a header with other names of the root, %s, converts the units, too',
    async (position) => {
      const root = `${position},trunk_qx,trunk_qy,trunk_qz,trunk_qw`;
      const clip = await csv.read(file(`${root},knee\n10,20,80,0,0,0,1,5\n`));
      expect([...clip.rows]).toEqual([0.1, 0.2, 0.8, 0, 0, 0, 1, 5]);
      expect(clip.assumed).toContainEqual({ what: 'units', value: 'cm', from: 'file' });
    },
  );

  test('a header is refused if it has several units, or positions of an animation, which are in centimetres', async () => {
    await expect(kneeAt(`x_cm,y_cm,z,qx,qy,qz,qw,knee\n${row}\n`)).rejects.toThrow(
      'line 1, column 1: the header names positions in cm and m. Write all of them in one unit',
    );
    const animated = 'root_translateX,root_translateY,root_translateZ,root_quatW,root_quatX,root_quatY,root_quatZ';
    await expect(kneeAt(`${animated},knee\n${row}\n`)).rejects.toThrow('the header names "root_translateX"');
  });

  test.each(['time', 'frame'])('a last column %s is not a joint', async (name) => {
    const { rows, jointNames } = await kneeAt(`x,y,z,qx,qy,qz,qw,knee,${name}\n${row},0\n${row},0.02\n`);
    expect(rows).toEqual([0.1, 0.2, 0.8, 0.9, 0.1, 0.2, 0.3, 5]);
    expect(jointNames).toEqual(['knee']);
  });

  test('a header whose numbers of joints are sorted as texts is refused', async () => {
    const joints = ['joint_1', 'joint_10', 'joint_2'];
    await expect(kneeAt(`x,y,z,qx,qy,qz,qw,${joints}\n${row},6,7\n`)).rejects.toThrow(
      'line 1: the column "joint_2" comes after "joint_10". Sort the joint columns by number, or name the joints.',
    );
    expect((await kneeAt(`x,y,z,qx,qy,qz,qw,joint_1,joint_2\n${row},6\n`)).jointNames).toBeNull();
  });

  test('the numbers that pandas gives to rows and columns without names are refused', async () => {
    const text = `,0,1,2,3,4,5,6,7\n0,${row}\n1,${row}\n`;
    for (const reading of [csv.read(file(text)), csv.facts(file(text))])
      await expect(reading).rejects.toThrow('the first column numbers the rows, and the others have no names');
  });

  test.each(['', 'index', 'Unnamed: 0', 'step'])('the first column %j numbers the rows', async (name) => {
    const { rows, jointNames } = await kneeAt(`${name},x,y,z,qx,qy,qz,qw,knee\n0,${row}\n1,${row}\n`);
    expect(rows).toEqual([0.1, 0.2, 0.8, 0.9, 0.1, 0.2, 0.3, 5]);
    expect(jointNames).toEqual(['knee']);
  });

  test('the numbers that pandas gives to columns without names are not a frame', async () => {
    const text = `0,1,2,3,4,5,6,7\n${row}\n${row}\n`;
    expect(await csv.read(file(text))).toMatchObject({ frames: 2, columns: 8, jointNames: null });
    expect(await csv.facts(file(text))).toMatchObject({ frames: 2, columns: 8, jointNames: null });
  });
});

describe('the rate of a file', () => {
  const timed = (times: readonly (number | string)[], name = 'time') =>
    `${name},x,y,z,qx,qy,qz,qw,knee\n${times.map((time) => `${time},0,0,0.8,0,0,0,1,0.5`).join('\n')}\n`;
  const steps = (step: (k: number) => number | string) => timed(Array.from({ length: 90 }, (_, k) => step(k)));
  const rateOf = async (text: string) => {
    const [read, listed] = [await csv.read(file(text)), await csv.facts(file(text))];
    expect([listed.fps, listed.assumed]).toEqual([read.fps, read.assumed]);
    if (read.fps !== null) expect(read.assumed).toContainEqual({ what: 'fps', value: read.fps, from: 'file' });
    return read.fps;
  };

  test('a column of times states the rate', async () => {
    expect(await rateOf(steps((k) => 12.5 + k * 0.02))).toBe(50);
    expect(await rateOf(steps((k) => (k / 30).toFixed(3)))).toBe(30);
    expect(await rateOf(steps((k) => (k / 29.97).toFixed(6)))).toBeCloseTo(29.97, 3);
    expect(await rateOf(steps((k) => k * 20))).toBe(50);
    expect(await rateOf(steps((k) => 1_700_000_000_000 + k * 8000))).toBe(125);
    expect(await rateOf(steps((k) => k * 0.001))).toBe(1000);
    // One row in ten is lost.
    expect(await rateOf(steps((k) => ((k + Math.floor(k / 9)) * 0.01).toFixed(4)))).toBe(100);
  });

  test('a column that numbers the rows, or has no regular times, does not', async () => {
    expect(await rateOf(steps((k) => k))).toBeNull();
    expect(await rateOf(steps((k) => k * k * 0.001))).toBeNull();
    expect(await rateOf(steps((k) => -k * 0.02))).toBeNull();
    expect(await rateOf(timed([0.5]))).toBeNull();
  });

  test('a comment above the rows states the rate', async () => {
    const rows = `${'0,0,0.8,0,0,0,1,0.5\n'.repeat(3)}`;
    expect(await rateOf(`# robot: g1\n# fps: 60\n${rows}`)).toBe(60);
    expect(await rateOf(`#fps=59.94\r\n${rows}`)).toBe(59.94);
    expect(await rateOf(`# sample_rate: 50 Hz\n${timed([0, 0.01, 0.02, 0.03])}`)).toBe(50);
    expect(await rateOf(`${rows}# fps: 60\n`).catch(() => null)).toBeNull();
  });

  test('only a clip that this service wrote has its order of the quaternion without a header', async () => {
    const pose = [0, 0, 0.8, 1, 0, 0, 0, 0.5];
    const rows = Array.from({ length: 20 }, (_, k) => pose.with(0, k / 50));
    const order = async (text: string) => (await csv.read(file(text))).assumed[0]!.value;
    expect(await order(`${formatRateLine(50)}${formatClipCsv(rows.flat(), 8)}`)).toBe('xyzw');
    const plain = rows.join('\n');
    expect(await order(`# robot: g1\n# fps: 50\n${plain}\n`)).toBe('wxyz');
    // numpy: np.savetxt(file, qpos, delimiter=',', header='fps: 50')
    const numpy = rows.map((cells) => cells.map((value) => value.toExponential(18)).join(',')).join('\n');
    expect(await order(`# fps: 50\n${numpy}\n`)).toBe('wxyz');
  });

  test('a BONES-SEED CSV that was resampled states its rate', async () => {
    const row = '0,100,-50,76.5,0,0,90,180';
    expect(await rateOf(`# fps: 60\n${SEED_ROOT},knee_dof\n${row}\n`)).toBe(60);
    const timed = Array.from({ length: 9 }, (_, k) => `${row},${k * 0.02}`).join('\n');
    expect(await rateOf(`${SEED_ROOT},knee_dof,time\n${timed}\n`)).toBe(50);
  });
});

describe('without a header, the order of the quaternion', () => {
  /** Returns a clip of a robot that walks with its heading around `yaw`. The quaternion order is that of a generator (w
   *  first) or of LAFAN. */
  const walk = (yaw: number, order: 'wxyz' | 'xyzw', lean = 0.05) => {
    const lines = Array.from({ length: 60 }, (_, frame) => {
      const half = (yaw + 0.2 * Math.sin(frame / 9)) / 2;
      const tilt = lean * Math.sin(frame / 4);
      const [x, y, z, w] = [tilt, 0, Math.sin(half), Math.sqrt(1 - tilt ** 2) * Math.cos(half)];
      const scale = 1 / Math.hypot(x, y, z, w);
      const q = order === 'wxyz' ? [w, x, y, z] : [x, y, z, w];
      return [frame / 60, 0, 0.8, ...q.map((value) => (value * scale).toFixed(6)), 0.1, 0.2].join(',');
    });
    return file(`${lines.join('\n')}\n`);
  };
  const orderOf = async (name: string) => {
    const [own, listed] = [await csv.read(name), await csv.facts(name)];
    const [of, inList] = [own, listed].map(({ assumed }) => assumed.find(({ what }) => what === 'quaternion'));
    expect(inList).toEqual(of);
    return of!;
  };

  test('without a header the quaternion is w x y z if the robot would be upside down otherwise', async () => {
    const clip = await csv.read(walk(0, 'wxyz'));
    expect(clip.rows[6]).toBeGreaterThan(0.99);
    expect(await orderOf(walk(0, 'wxyz'))).toEqual({ what: 'quaternion', value: 'wxyz', from: 'guess' });
    expect(await orderOf(walk(0.8, 'wxyz'))).toMatchObject({ value: 'wxyz', from: 'guess' });
  });

  test('without a header the quaternion stays x y z w if both are plausible, and for a robot that lies or flips', async () => {
    for (const name of [walk(0, 'xyzw'), walk(3, 'xyzw'), walk(Math.PI, 'wxyz'), walk(0, 'xyzw', 0.9)])
      expect(await orderOf(name)).toEqual({ what: 'quaternion', value: 'xyzw', from: 'format' });
    const lying = Array.from({ length: 40 }, () => '0,0,0.1,0.7071,0,0,0.7071,0.3').join('\n');
    expect(await orderOf(file(`${lying}\n`))).toMatchObject({ value: 'xyzw' });
  });

  test('without a header the quaternion has the order that the user chose', async () => {
    const both = [await csv.read(walk(0, 'wxyz'), { quaternion: 'wxyz' }), await csv.read(walk(0, 'wxyz'))];
    expect([...both[0]!.rows]).toEqual([...both[1]!.rows]);
    const raw = await csv.read(walk(0, 'wxyz'), { quaternion: 'xyzw' });
    expect(raw.rows[3]).toBeGreaterThan(0.99);
    expect(raw.assumed.some(({ what }) => what === 'quaternion')).toBe(false);
  });
});
