import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileIndex, joinPath } from '../../../src/robots/prepare/find-file.ts';

const index = (...paths: string[]) => fileIndex(new Map(paths.map((path) => [path, new Uint8Array(0)])));

test.each([
  ['package://bot/meshes/a.stl', 'meshes/a.stl'],
  ['package://bot/visual/a.stl', 'meshes/visual/a.stl'],
  ['PACKAGE://bot/MESHES/A.STL', 'meshes/a.stl'],
  ['file:///C:/ws/meshes/a.stl', 'meshes/a.stl'],
  ['/opt/ws/meshes/a.stl', 'meshes/a.stl'],
  ['C:\\ws\\meshes\\a.stl', 'meshes/a.stl'],
  ['a%20b.stl', 'a%20b.stl'],
  ['package://bot/with%20space.stl', 'with space.stl'],
  ['$(find bot)/meshes/a.stl', 'meshes/a.stl'],
  ['./meshes//a.stl', 'meshes/a.stl'],
  ['other.stl', null],
  ['', null],
  ['..', null],
  ['meshes/', null],
])('the reference %s finds %s', (reference, path) => {
  expect(index('meshes/a.stl', 'meshes/visual/a.stl', 'a%20b.stl', 'with space.stl').find(reference)).toBe(path);
});

test('of two files that differ only in case, the one with the exact spelling is found', () => {
  const files = index('meshes/foot.STL', 'meshes/foot.stl', 'Meshes/foot.stl');
  for (const path of ['meshes/foot.stl', 'meshes/foot.STL', 'Meshes/foot.stl'])
    expect(files.find(`package://bot/${path}`)).toBe(path);
});

test('the path of a relative reference is preferred to a better match elsewhere', () => {
  const files = index('robot/a.stl', 'meshes/a.stl', 'a.stl');
  expect(files.find('a.stl', ['robot'])).toBe('robot/a.stl');
  expect(files.find('../meshes/a.stl', ['robot'])).toBe('meshes/a.stl');
  expect(files.find('../../a.stl', ['robot'])).toBe('a.stl');
  expect(files.find('a.stl', ['x', 'meshes'])).toBe('meshes/a.stl');
});

describe('for any upload and any reference', () => {
  const part = fc.stringMatching(/^[A-Za-z0-9 _.%-]{1,6}$/).filter((name) => !/^\.+$/.test(name));
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  const prefix = fc.constantFrom(
    '',
    './/',
    '../',
    '../../',
    '/',
    'package://',
    'package://bot/',
    'file:///',
    'C:\\',
    'model://x/',
  );

  test('a match is an uploaded file of the same name', () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 8 }), prefix, path, part, (paths, start, reference, folder) => {
        const found = index(...paths).find(start + reference, ['', folder]);
        if (found === null) return;
        expect(paths).toContain(found);
        const last = reference.split('/').at(-1)!.toLowerCase();
        let decoded = last;
        try {
          decoded = decodeURIComponent(last);
        } catch {
          // not percent-encoded
        }
        expect([last, decoded]).toContain(found.split('/').at(-1)!.toLowerCase());
      }),
    );
  });

  test('an uploaded file is found by package:// and its path, for any upload', () => {
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 8 }), (paths) => {
        const plain = paths.filter((name) => !name.includes('%'));
        for (const name of plain) {
          expect(
            index(...plain)
              .find(`package://some_package/${name}`)
              ?.toLowerCase(),
          ).toBe(name.toLowerCase());
        }
      }),
    );
  });

  test('the found file shares the longest ending of its path with the reference', () => {
    const shared = (a: string, b: string) => {
      const [p, q] = [a.toLowerCase().split('/').reverse(), b.toLowerCase().split('/').reverse()];
      let k = 0;
      while (k < p.length && p[k] === q[k]) k++;
      return k;
    };
    const name = fc.constantFrom('a', 'b', 'c', 'A');
    const short = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.array(short, { maxLength: 10 }), short, (paths, reference) => {
        const found = index(...paths).find(`package://${reference}`);
        const best = Math.max(0, ...paths.map((candidate) => shared(candidate, reference)));
        expect(found === null ? 0 : shared(found, reference)).toBe(best);
      }),
    );
  });

  test('the part of a path that would leave the folder is not used', () => {
    fc.assert(
      fc.property(path, fc.array(fc.constantFrom('..', '.', 'a', 'b')), (folder, steps) => {
        const joined = joinPath(folder, steps.join('/'));
        if (joined !== null) expect(joined.split('/')).not.toContain('..');
      }),
    );
  });
});
