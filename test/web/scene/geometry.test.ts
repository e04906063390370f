import { expect, test } from 'vitest';
import type { Geom } from '../../../src/protocol/schemas/robots.ts';
import { visualGeoms } from '../../../src/protocol/visual-geoms.ts';
import { buildGeometry } from '../../../web/src/scene/geometry/build-geometry.ts';
import { coarsen } from '../../../web/src/scene/geometry/coarsen.ts';
import { creased } from '../../../web/src/scene/geometry/crease.ts';
import { box, capsule, cylinder, ellipsoid, type Shape, sphere } from '../../../web/src/scene/geometry/primitives.ts';

function extent(shape: Shape): number[] {
  return [0, 1, 2].map((axis) => Math.max(...shape.positions.filter((_, k) => k % 3 === axis)));
}

/** Returns the volume by the divergence theorem, m³. It is positive only if the triangles face outwards. */
function volume({ positions, indices }: Shape): number {
  let sum = 0;
  for (let at = 0; at < indices.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [...positions.subarray(3 * indices[at + k]!, 3 * indices[at + k]! + 3)]) as [
      number[],
      number[],
      number[],
    ];
    sum +=
      a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) +
      a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) +
      a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!);
  }
  return sum / 6;
}

test.each([
  ['sphere', sphere(0.1), [0.1, 0.1, 0.1], (4 / 3) * Math.PI * 1e-3],
  ['capsule', capsule(0.05, 0.1), [0.05, 0.05, 0.15], Math.PI * 0.0025 * 0.2 + (4 / 3) * Math.PI * 0.000125],
  ['cylinder', cylinder(0.1, 0.2), [0.1, 0.1, 0.2], Math.PI * 0.01 * 0.4],
  ['ellipsoid', ellipsoid([0.1, 0.2, 0.3]), [0.1, 0.2, 0.3], (4 / 3) * Math.PI * 0.006],
  ['box', box([0.1, 0.2, 0.3]), [0.1, 0.2, 0.3], 8 * 0.006],
] as const)('a %s has the same size as in MuJoCo, faces outwards and has unit normals', (_, shape, size, content) => {
  for (const [axis, reach] of extent(shape).entries()) expect(reach).toBeCloseTo(size[axis]!, 3);
  expect(volume(shape) / content).toBeGreaterThan(0.95); // rims and round shapes lose a little volume
  expect(volume(shape) / content).toBeLessThan(1.001);
  for (let at = 0; at < shape.normals.length; at += 3) {
    expect(Math.hypot(...shape.normals.subarray(at, at + 3))).toBeCloseTo(1, 5);
  }
});

/** Returns a unit cube of 12 triangles. Every triangle has separate corners, as in STL files. */
function cube(): { vertices: Float32Array; faces: Uint32Array } {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1, (k >> 1) & 1, (k >> 2) & 1]);
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  const vertices = quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d].flatMap((k) => corners[k!]!));
  return { vertices: Float32Array.from(vertices), faces: Uint32Array.from({ length: 36 }, (_, k) => k) };
}

test('edges of 90° stay sharp: a cube has exactly three normals per corner', () => {
  const { vertices, faces } = cube();
  const shape = creased(vertices, faces);
  expect(shape.positions.length / 3).toBe(24);
  expect([...shape.normals].every((x) => [0, 1].includes(Math.abs(Math.round(x * 1e6) / 1e6)))).toBe(true);
});

test('a fine sphere is smooth: one outward normal per vertex', () => {
  const { positions, indices } = sphere(0.5);
  const soup = Float32Array.from([...indices].flatMap((k) => [...positions.subarray(3 * k, 3 * k + 3)]));
  const shape = creased(
    soup,
    Uint32Array.from({ length: indices.length }, (_, k) => k),
  );
  expect(shape.positions.length / 3).toBeLessThan(positions.length / 3 + 1);
  for (let at = 0; at < shape.positions.length; at += 3) {
    const along = [0, 1, 2].reduce((sum, k) => sum + shape.positions[at + k]! * shape.normals[at + k]!, 0);
    expect(along / 0.5).toBeGreaterThan(0.98);
  }
});

test('decimation removes most triangles and keeps size and orientation', () => {
  const fine = capsule(0.04, 0.1);
  const dense: Shape = creased(fine.positions, fine.indices);
  const coarse = coarsen({ ...dense });
  expect(dense.indices.length / coarse.indices.length).toBeGreaterThan(1.2);
  for (const [axis, reach] of extent(coarse).entries())
    expect(Math.abs(reach - extent(dense)[axis]!)).toBeLessThan(0.004);
  expect(volume(coarse) / volume(dense)).toBeGreaterThan(0.85);
  expect(coarsen(box([1, 1, 1])).indices.length).toBe(box([1, 1, 1]).indices.length); // small meshes are not reduced
});

const geom = (more: Partial<Geom>): Geom => ({
  name: '',
  body: 0,
  type: 'sphere',
  pos: [0, 0, 0],
  quat: [1, 0, 0, 0],
  size: [0.1, 0, 0],
  rgba: [1, 1, 1, 1],
  group: 0,
  mesh: null,
  collision: false,
  texture: null,
  ...more,
});

const drawn = (geoms: Geom[], fixed = false) =>
  visualGeoms({
    bodies: [
      { name: 'root', parent: -1, fixed: false },
      { name: 'child', parent: 0, fixed },
    ],
    geoms,
  });

test('collision shapes are drawn only if nothing else is visible; planes and invisible geoms never are', () => {
  const hit = geom({ collision: true });
  const seen = geom({});
  expect(drawn([hit, seen])).toEqual([seen]);
  expect(drawn([hit])).toEqual([hit]);
  expect(drawn([seen, geom({ collision: true, body: 1 })])).toHaveLength(2); // body 1 has no visual geom
  expect(drawn([geom({ type: 'plane' }), geom({ rgba: [1, 1, 1, 0] })])).toEqual([]);
});

test('a collision shape on a body fixed to visuals is not drawn over them, unless its group is for drawing', () => {
  const visual = geom({ group: 2 });
  const hidden = geom({ body: 1, collision: true, group: 3 });
  const foot = geom({ body: 1, collision: true, group: 0 });
  expect(drawn([visual, hidden], true)).toEqual([visual]);
  expect(drawn([visual, hidden], false)).toEqual([visual, hidden]); // a moving part without visuals stays visible
  expect(drawn([visual, foot], true)).toEqual([visual, foot]);
  const behind = geom({ collision: true, group: 0 });
  expect(drawn([visual, behind, foot], true)).toEqual([visual, foot]); // its own visual may have been left out
});

test('geoms of one colour become one part in the frames of their bodies, and each body has a bounding box', () => {
  const model = {
    bodies: [
      { name: 'root', parent: -1, fixed: false },
      { name: 'arm', parent: 0, fixed: false },
    ],
    meshes: [],
    geoms: [
      geom({ body: 0 }),
      geom({
        body: 1,
        type: 'capsule',
        size: [0.02, 0.1, 0],
        pos: [0, 0, 1],
        quat: [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
      }),
      geom({ body: 1, rgba: [0, 0, 1, 1], type: 'box', size: [0.1, 0.1, 0.1] }),
    ],
  };
  const { parts, boxes } = buildGeometry(model, {
    vertices: new Float32Array(),
    normals: new Float32Array(),
    faces: new Uint32Array(),
    uvs: new Float32Array(),
  });
  expect(parts.map((part) => part.rgba)).toEqual([
    [1, 1, 1, 1],
    [0, 0, 1, 1],
  ]);
  expect(new Set(parts[0]?.fine.bodies)).toEqual(new Set([0, 1]));
  const rounded = (from: number) => [...boxes.subarray(from, from + 6)].map((x) => Math.round(100 * x) / 100 + 0);
  expect(rounded(0)).toEqual([-0.1, -0.1, -0.1, 0.1, 0.1, 0.1]);
  expect(rounded(6)).toEqual([-0.12, -0.1, -0.1, 0.12, 0.1, 1.02]); // the capsule is along x at height 1
});
