import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { intakeMesh } from '../../../src/robots/prepare/meshes/intake.ts';
import { decimate, flatNormal, thicken } from '../../../src/robots/prepare/meshes/repair.ts';
import { bounds, readBinaryStl } from '../../../src/robots/prepare/meshes/triangles.ts';
import { asciiStl, ball, binaryStl, obj, SHEET, tetrahedron } from './meshes.ts';

const problem = (path: string, bytes: Uint8Array) => {
  const intake = intakeMesh(path, bytes);
  return intake.usable ? null : intake.problem;
};

describe('reading meshes', () => {
  test('meshes that MuJoCo can read are passed on unchanged', () => {
    for (const [path, bytes] of [
      ['a.STL', binaryStl(tetrahedron())],
      ['a.obj', obj(tetrahedron())],
    ] as const) {
      expect(intakeMesh(path, bytes)).toMatchObject({ usable: true, bytes, change: null });
    }
  });

  test('a text STL becomes a binary STL with the same vertices', () => {
    const intake = intakeMesh('a.stl', asciiStl(tetrahedron(0.25)));
    expect(intake).toMatchObject({ usable: true, ending: '.stl', change: 'is a text STL, converted to binary' });
    if (intake.usable) expect(Buffer.from(intake.bytes)).toEqual(Buffer.from(binaryStl(tetrahedron(0.25))));
  });

  test('a binary STL whose header starts with "solid" is read as binary', () => {
    const bytes = binaryStl(tetrahedron());
    bytes.set(Buffer.from('solid exported by someone'));
    expect(intakeMesh('a.stl', bytes)).toMatchObject({ usable: true, change: null });
  });

  test.each<[string, string, Uint8Array, RegExp]>([
    [
      'cut off',
      'a.stl',
      binaryStl(tetrahedron()).subarray(0, 150),
      /truncated: its header states 4 faces, but the file contains 1/,
    ],
    ['nearly empty', 'a.stl', Buffer.from('STL'), /has 3 bytes, which is too few for an STL file/],
    ['without faces', 'a.stl', binaryStl([]), /has no faces/],
    ['of not-a-numbers', 'a.stl', binaryStl([[Number.NaN, 0, 0, 0, 1, 0, 1, 0, 0]]), /not finite numbers/],
    ['text, cut off', 'a.stl', Buffer.from('solid a\nfacet\nvertex 0 0 0\nvertex 1 0 0\n'), /ends within a triangle/],
    ['text, no numbers', 'a.stl', Buffer.from('solid a\nfacet\nvertex 0 0 x\n'), /line 3: "x" is not a number/],
    [
      'an OBJ face out of range',
      'a.obj',
      Buffer.from('v 0 0 0\nv 1 0 0\nf 1 2 9\n'),
      /line 3: a face refers to vertices/,
    ],
    ['an OBJ vertex of two numbers', 'a.obj', Buffer.from('v 0 0\n'), /line 1: a vertex must have three numbers/],
    ['PLY', 'a.ply', Buffer.from('ply'), /is a .ply file\. Use \.stl, \.obj or \.dae\./],
    ['nameless', 'mesh', Buffer.from(''), /no file extension/],
  ])('%s: reported, and not used', (_, path, bytes, message) => {
    expect(problem(path, bytes)).toMatch(message);
  });

  test('a mesh file of arbitrary bytes gives a mesh or a reason', () => {
    const file = fc.constantFrom('a.stl', 'a.obj', 'a.STL', 'a.dae', 'a');
    fc.assert(
      fc.property(file, fc.uint8Array({ maxLength: 300 }), (path, bytes) => {
        const intake = intakeMesh(path, bytes);
        expect(intake.usable || intake.problem.length > 0).toBe(true);
      }),
    );
  });
});

describe('repair', () => {
  const corners = (faces: readonly (readonly number[])[]) => readBinaryStl(binaryStl(faces))!;

  test('decimation keeps the extent and stays within the limit', () => {
    const sphere = corners(ball(60));
    for (const limit of [200, 1000, 5000]) {
      const thin = decimate(sphere, limit);
      expect(thin.length / 9).toBeLessThanOrEqual(limit);
      expect(thin.length / 9).toBeGreaterThan(limit / 10);
      const { low, high } = bounds(thin);
      for (let axis = 0; axis < 3; axis++) {
        expect(high[axis]).toBeCloseTo(1, 0);
        expect(low[axis]).toBeCloseTo(-1, 0);
      }
    }
  });

  test('a mesh within one plane is detected as flat, in any orientation', () => {
    expect(flatNormal(corners(tetrahedron()))).toBeNull();
    expect(flatNormal(corners(SHEET))?.map(Math.abs)).toEqual([0, 0, 1]);
    const tilted = SHEET.map((face) =>
      face.map((_, k) => (k % 3 === 2 ? 0.5 * face[k - 2]! + face[k - 1]! + 3 : face[k]!)),
    );
    const normal = flatNormal(corners(tilted))!;
    expect(Math.hypot(...normal)).toBeCloseTo(1, 6);
    expect(flatNormal(thicken(corners(tilted), normal))).toBeNull();
  });
});
