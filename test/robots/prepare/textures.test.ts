import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeModel } from '../../../src/protocol/binaries.ts';
import { prepareModel } from '../../../src/robots/prepare/prepare-model.ts';
import { pngProblem } from '../../../src/robots/prepare/textures/png.ts';
import { buildRobotModel } from '../../../src/robots/robot-model.ts';
import { loadMujoco } from '../../../src/sim/mujoco.ts';
import { walkerSpec } from '../../support/models.ts';
import { MAGENTA, PAINTED_FILES, PAINTED_MJCF, png, pngOf } from '../../support/painted-robot.ts';

const mj = await loadMujoco();
const files = (change: Readonly<Record<string, Uint8Array>> = {}) =>
  new Map(Object.entries({ ...PAINTED_FILES, ...change }));
const build = (of = files()) => buildRobotModel(mj, of, walkerSpec({ model: 'painted.xml' })).geometry;

test('textured geoms name their picture, and a textured mesh has one texture coordinate per vertex', () => {
  const { description, binary, textures } = build();
  const textured = description.geoms.filter(({ texture }) => texture !== null);
  expect(textured.map(({ name, texture }) => [name, texture])).toEqual([
    ['trunk_shell', 'paint_1'],
    ['trunk_case', 'paint_1'],
  ]);
  expect(textures).toEqual([MAGENTA]);
  const [mesh] = description.meshes;
  expect(mesh?.uv?.[1]).toBe(mesh?.vert[1]);
  const { vertices, normals, faces, uvs } = decodeModel(Uint8Array.from(binary).buffer);
  expect([normals.length, uvs.length / 2]).toEqual([vertices.length, vertices.length / 3]);
  expect(Math.max(...faces)).toBe(mesh!.vert[1]! - 1);
  // Here v is measured from the upper edge of the picture; in OBJ, from the lower edge.
  const pairs = new Set(Array.from({ length: uvs.length / 2 }, (_, k) => `${uvs[2 * k]} ${uvs[2 * k + 1]}`));
  expect(pairs).toEqual(new Set(['0 1', '1 1', '0 0', '0.5 0.25']));
});

test('a mesh without texture does not have texture coordinates', () => {
  const plain = PAINTED_MJCF.replaceAll(' material="painted"', '');
  const { description, binary } = build(files({ 'painted.xml': Buffer.from(plain) }));
  expect(description.meshes.map(({ uv }) => uv)).toEqual([null]);
  expect(decodeModel(Uint8Array.from(binary).buffer).uvs).toHaveLength(0);
});

test('alpha and colours are clamped to 0..1', () => {
  const bright = PAINTED_MJCF.replaceAll('material="painted"', 'rgba="2 0.5 -1 3"');
  const { geoms } = build(files({ 'painted.xml': Buffer.from(bright) })).description;
  expect(geoms.find(({ name }) => name === 'trunk_case')?.rgba).toEqual([1, 0.5, 0, 1]);
});

const header = (width: number, height: number, depth = 8, type = 2) => {
  const out = Buffer.alloc(13);
  out.writeUInt32BE(width, 0);
  out.writeUInt32BE(height, 4);
  out.set([depth, type, 0, 0, 0], 8);
  return out;
};

test.each<[string, Uint8Array, RegExp]>([
  ['text', Buffer.from('not a picture'), /is not a PNG/],
  ['cut off', MAGENTA.subarray(0, 60), /is truncated/],
  ['damaged', Buffer.from(MAGENTA).fill(7, 45, 48), /has a damaged "IDAT" chunk/],
  ['huge', pngOf(header(60000, 60000), deflateSync(Buffer.alloc(10))), /60000 × 60000 pixels, the limit is 4096/],
  ['a bomb', pngOf(header(4, 4), deflateSync(Buffer.alloc(50_000_000))), /cannot be decoded/],
  ['empty', pngOf(header(64, 64), deflateSync(Buffer.alloc(10))), /fewer pixels than its header states/],
])('a texture that is %s is not drawn, and the warning names it', (_, bytes, message) => {
  expect(pngProblem(bytes)).toMatch(message);
  const { warnings, textures } = prepareModel(mj, files({ 'textures/paint.png': bytes }), 'painted.xml');
  expect(textures.size).toBe(0);
  expect(warnings.filter((warning) => warning.startsWith('texture'))).toEqual([
    expect.stringMatching(/^texture paint\/1 is not drawn: textures\/paint.png /),
  ]);
});

test('a missing texture is a warning; textures of the scenery are not read', () => {
  const missing = files();
  missing.delete('textures/paint.png');
  expect(prepareModel(mj, missing, 'painted.xml').warnings).toContain(
    'texture paint/1 is not drawn: paint.png is not among the files',
  );
  const ground = PAINTED_MJCF.replaceAll(' material="painted"', '').replace(
    'type="plane"',
    'type="plane" material="painted"',
  );
  missing.set('painted.xml', Buffer.from(ground));
  expect(prepareModel(mj, missing, 'painted.xml').warnings.join()).not.toContain('texture');
});

test('a PNG that can be decoded is accepted', () => {
  expect(pngProblem(png(5, 3, (x, y) => [x, y, 9]))).toBeNull();
});
