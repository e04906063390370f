import { expect, test } from 'vitest';
import { commonLimit, MAX_TOTAL_FACES, statedFaces } from '../../../src/robots/prepare/meshes/face-budget.ts';
import { intakeMesh } from '../../../src/robots/prepare/meshes/intake.ts';
import { compileSpec, prepareModel } from '../../../src/robots/prepare/prepare-model.ts';
import { loadMujoco } from '../../../src/sim/mujoco.ts';
import { collada } from './collada.ts';
import { asciiStl, ball, binaryStl, obj, tetrahedron } from './meshes.ts';

test('meshes above a common limit are decimated so that the sum fits; smaller meshes stay', () => {
  expect(commonLimit([10, 20, 30], 60)).toBe(Number.POSITIVE_INFINITY);
  expect(commonLimit([100, 10, 100], 110)).toBe(50);
  expect(commonLimit([], 10)).toBe(Number.POSITIVE_INFINITY);
});

test('faces are counted without decoding the file', () => {
  expect(statedFaces('a.STL', binaryStl(tetrahedron()))).toBe(4);
  expect(statedFaces('a.stl', asciiStl(tetrahedron()))).toBe(4);
  expect(statedFaces('a.obj', obj(tetrahedron()))).toBe(4);
  expect(statedFaces('a.obj', Buffer.from('v 0 0 0\r\nf 1 2 3 4\r\n  f 1/1 2/2 3/3 \nfoo 1 2 3\n'))).toBe(3);
  expect(statedFaces('a.dae', Buffer.from(collada()))).toBe(5); // the polygon has four corners: two triangles
});

test('a false number of faces is ignored', () => {
  const stl = binaryStl(tetrahedron());
  new DataView(stl.buffer, stl.byteOffset).setUint32(80, 4_000_000_000, true);
  expect(statedFaces('a.stl', stl)).toBe(0);
  const dae = Buffer.from(collada().replace('<triangles count="3"', '<triangles count="400000000"'));
  expect(statedFaces('a.dae', dae)).toBeLessThan(dae.byteLength);
  const msh = Buffer.alloc(200);
  msh.writeInt32LE(100_000_000, 0);
  expect(intakeMesh('a.msh', msh)).toMatchObject({
    usable: false,
    problem: 'is damaged: its header states 1200000016 bytes, but the file has 200',
  });
});

test('many medium meshes are decimated to a total, with one warning', async () => {
  const mj = await loadMujoco();
  const mesh = binaryStl(ball(61));
  const count = 30;
  const link = (k: number) =>
    `<link name="l${k}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
     <visual><geometry><mesh filename="m${k}.stl"/></geometry></visual></link>`;
  const joint = (k: number) =>
    `<joint name="j${k}" type="revolute"><parent link="l0"/><child link="l${k}"/><limit lower="-1" upper="1"/></joint>`;
  const links = Array.from({ length: count }, (_, k) => link(k) + (k > 0 ? joint(k) : '')).join('');
  const files = new Map<string, Uint8Array>([['bot.urdf', Buffer.from(`<robot name="bot">${links}</robot>`)]]);
  for (let k = 0; k < count; k++) files.set(`m${k}.stl`, mesh);
  const { spec, warnings } = prepareModel(mj, files, 'bot.urdf');
  const total = count * (statedFaces('m.stl', mesh) as number);
  expect(total).toBeGreaterThan(MAX_TOTAL_FACES);
  expect(warnings.filter((warning) => warning.includes('faces in total'))).toEqual([
    `the meshes have ${total} faces in total, the limit is 400000: meshes with more than 13333 faces are reduced to that number`,
  ]);
  expect(warnings.filter((warning) => /^mesh m/.test(warning))).toEqual([]);
  const model = compileSpec(mj, spec, 'bot.urdf');
  expect(model.nmeshface).toBeLessThanOrEqual(MAX_TOTAL_FACES);
  expect(model.nmeshface).toBeGreaterThan(MAX_TOTAL_FACES / 4);
  model.delete();
});
