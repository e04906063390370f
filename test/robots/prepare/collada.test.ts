import { expect, test } from 'vitest';
import { readCollada } from '../../../src/robots/prepare/meshes/collada.ts';
import { intakeMesh } from '../../../src/robots/prepare/meshes/intake.ts';
import { bounds, readBinaryStl } from '../../../src/robots/prepare/meshes/triangles.ts';
import { collada, PLACE } from './collada.ts';

const read = (text: string) => readCollada(Buffer.from(text), 'a.dae');
const whole = (text: string) => {
  const intake = intakeMesh('a.dae', Buffer.from(text));
  if (!intake.usable) throw new Error(intake.problem);
  return readBinaryStl(intake.bytes)!;
};

test('faces are split by the diffuse colours that the instance binds', () => {
  expect(read(collada()).map(({ corners, rgba }) => [corners.length / 9, rgba])).toEqual([
    [3, [0.8, 0.1, 0.1, 1]],
    [1, [0.1, 0.1, 0.8, 1]],
  ]);
});

test('lengths are scaled by the unit, and Y_UP does not turn the mesh', () => {
  const asset = '<unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis>';
  const corners = whole(collada({ asset, positions: '0 0 0  1 0 0  0 2 0  0 0 3' }));
  const { low, high } = bounds(corners);
  expect(low).toEqual([0, 0, 0]);
  expect(high.map((x) => Number(x.toFixed(6)))).toEqual([0.01, 0.02, 0.03]);
});

test('transforms of nodes apply from the outermost to the innermost, in the order of the file', () => {
  const node = `<translate>10 0 0</translate><rotate>0 0 1 90</rotate><node><scale>2 1 1</scale>${PLACE}</node>`;
  const { low, high } = bounds(whole(collada({ node })));
  const rounded = (v: readonly number[]) => v.map((x) => Math.round(x * 1e5) / 1e5 + 0);
  expect([rounded(low), rounded(high)]).toEqual([
    [9, 0, 0],
    [10, 2, 1],
  ]);
});

test('the faces of a mirrored node still face outwards', () => {
  const volume = (corners: Float32Array) => {
    let sum = 0;
    for (let at = 0; at < corners.length; at += 9) {
      const [a, b, c, d, e, f, g, h, i] = corners.subarray(at, at + 9) as unknown as number[];
      sum += (a! * (e! * i! - f! * h!) - b! * (d! * i! - f! * g!) + c! * (d! * h! - e! * g!)) / 6;
    }
    return sum;
  };
  expect(volume(whole(collada()))).toBeCloseTo(1 / 6, 6);
  expect(volume(whole(collada({ node: `<scale>-1 1 1</scale>${PLACE}` })))).toBeCloseTo(1 / 6, 6);
});

test('polygons, fans and strips become triangles', () => {
  const input = '<input semantic="VERTEX" source="#v" offset="0"/>';
  const positions = '0 0 0  1 0 0  1 1 0  0 1 1';
  const faces = (primitives: string) => whole(collada({ primitives, positions })).length / 9;
  expect(faces(`<polygons count="2">${input}<p>0 1 2 3</p><p>0 3 1</p></polygons>`)).toBe(3);
  expect(faces(`<trifans count="1">${input}<p>0 1 2 3</p></trifans>`)).toBe(2);
  const strip = whole(collada({ primitives: `<tristrips count="1">${input}<p>0 1 3 2</p></tristrips>`, positions }));
  expect(Array.from(strip)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 0]);
});

test('a node that is placed twice is drawn twice', () => {
  const node = '<instance_node url="#leg"/><node><translate>0 0 5</translate><instance_node url="#leg"/></node>';
  const corners = whole(collada({ node, nodes: `<node id="leg">${PLACE}</node>` }));
  expect([corners.length / 9, bounds(corners).high[2]]).toEqual([8, 6]);
});

test('a file without a scene shows its geometries', () => {
  const text = collada().replace(/<library_visual_scenes>[\s\S]*<\/scene>/, '');
  expect(whole(text).length / 9).toBe(4);
});

test('a file with very many colours is drawn in the colour of most of its faces', () => {
  const many = Array.from({ length: 40 }, (_, k) => {
    const colour = `<effect id="e${k}"><profile_COMMON><technique><phong><diffuse><color>${k / 40} 0 0 1</color></diffuse></phong></technique></profile_COMMON></effect>`;
    return { colour, bound: `<material id="m${k}"><instance_effect url="#e${k}"/></material>` };
  });
  const input = '<input semantic="VERTEX" source="#v" offset="0"/>';
  const primitives = many.map((_, k) => `<triangles material="m${k}">${input}<p>0 2 1 0 1 3</p></triangles>`).join('');
  const text = collada({ primitives, node: '<instance_geometry url="#shell"/>' })
    .replace('</library_effects>', `${many.map(({ colour }) => colour).join('')}</library_effects>`)
    .replace('</library_materials>', `${many.map(({ bound }) => bound).join('')}</library_materials>`);
  const intake = intakeMesh('a.dae', Buffer.from(text));
  expect(intake.usable && intake.parts?.map(({ rgba }) => rgba)).toEqual([[0, 0, 0, 1]]);
});

const bomb = Array.from(
  { length: 40 },
  (_, k) => `<node id="n${k}"><instance_node url="#n${k + 1}"/><instance_node url="#n${k + 1}"/></node>`,
).join('');
const input = '<input semantic="VERTEX" source="#v" offset="0"/>';

test.each<[string, string, RegExp]>([
  ['another XML', '<robot/>', /not Collada: its root element is <robot>/],
  ['cut off', collada().slice(0, 900), /line \d+: .*(never closed|ends inside)/],
  ['not a number', collada({ positions: '0 0 0 1 0 x' }), /line \d+: <float_array>: "x" is not a number/],
  [
    'a vertex that does not exist',
    collada({ primitives: `<triangles>${input}<p>0 1 9</p></triangles>` }),
    /<triangles>: refers to vertex 9, but the file has 4/,
  ],
  [
    'a polygon with a false number of corners',
    collada({ primitives: `<polylist count="1">${input}<vcount>4000000000</vcount><p>0 1 2</p></polylist>` }),
    /is truncated: its polygons have 4000000000 corners, but the file contains 3/,
  ],
  ['a node that contains itself', collada({ node: '<instance_node url="#root"/>' }), /nested deeper than 64 levels/],
  ['nodes that multiply', collada({ node: '<instance_node url="#n0"/>', nodes: bomb }), /more than 10000 geometries/],
  ['entities', `<!DOCTYPE x [<!ENTITY a "b">]>${collada()}`, /document type with declarations is not accepted/],
  ['a short matrix', collada({ node: `<matrix>1 0 0</matrix>${PLACE}` }), /<matrix> has 3 numbers, expected 16/],
  ['without faces', collada({ primitives: '<lines count="1"/>' }), /has no faces/],
])('%s: the mesh is not used, and one sentence says why', (_, text, message) => {
  const intake = intakeMesh('a.dae', Buffer.from(text));
  expect(intake.usable ? null : intake.problem).toMatch(message);
});

test('a false count of numbers does not allocate memory', () => {
  const text = collada()
    .replace('count="12"', 'count="4000000000"')
    .replace('count="4" stride', 'count="4000000000" stride');
  expect(whole(text).length / 9).toBe(4);
});
