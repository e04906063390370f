import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isInside, relativePathProblem, resolveInside } from '../../../src/core/files/path-guard.ts';

let base: string;
let root: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'guard-')));
  root = path.join(base, 'robot');
  mkdirSync(path.join(root, 'meshes'), { recursive: true });
  mkdirSync(path.join(base, 'robot-2'));
  writeFileSync(path.join(base, 'secret'), '');
  writeFileSync(path.join(root, 'file'), '');
  symlinkSync(path.join(root, 'meshes'), path.join(root, 'inner'));
  symlinkSync(base, path.join(root, 'out'));
  symlinkSync(path.join(base, 'robot-2'), path.join(root, 'sibling'));
  symlinkSync(path.join(base, 'secret'), path.join(root, 'secret'));
  symlinkSync('../nowhere', path.join(root, 'dangling'));
});
afterAll(() => rmSync(base, { recursive: true }));

test.each(['a.stl', 'meshes/a.stl', 'new/deep/er/a.stl', 'inner/a.stl', 'with space/ä.stl'])(
  'the path %j stays inside its root',
  async (relative) => {
    expect(await resolveInside(root, relative)).toBe(path.join(root, relative));
  },
);

test.each([
  ['', 'empty'],
  ['..', '".."'],
  ['meshes/../../secret', '".."'],
  ['./a', '"."'],
  ['a//b', 'empty segments'],
  ['a/', 'empty segments'],
  ['/etc/passwd', 'absolute'],
  ['C:/x', 'absolute'],
  ['a\\b', '"/"'],
  ['a\u0000b', 'control'],
  ['a/b.', 'ends with a dot'],
  ['x'.repeat(256), '255 bytes'],
  ['x/'.repeat(600), '1024 bytes'],
])('the path %j is refused without a look at the disk', (relative, reason) => {
  expect(relativePathProblem(relative)).toContain(reason);
});

test.each(['out/x', 'out/secret', 'secret', 'sibling/a.stl', 'dangling', 'dangling/x'])(
  'the link %j cannot lead out of its root',
  async (relative) => {
    await expect(resolveInside(root, relative, 'model')).rejects.toThrow(
      `model: "${relative}" leads out of its folder`,
    );
  },
);

test('a path below a file is refused', async () => {
  await expect(resolveInside(root, 'file/x')).rejects.toMatchObject({ code: 'bad_input' });
});

test('a folder whose name begins with the name of the root is not inside it', () => {
  expect(isInside('/a/b', '/a/bc')).toBe(false);
  expect(isInside('/a/b', '/a/b')).toBe(true);
  expect(isInside('/a/b', '/a/b/..c')).toBe(true);
  expect(isInside('/a/b', '/a')).toBe(false);
});
