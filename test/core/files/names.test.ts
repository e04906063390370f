import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StudioError } from '../../../src/core/errors.ts';
import { checkName, type NameKind, nameProblem } from '../../../src/core/files/names.ts';

const IDENTIFIERS: NameKind[] = ['robot', 'preset', 'module', 'run'];
const FILES: NameKind[] = ['dataset', 'clip'];

describe('good names pass unchanged', () => {
  test.each(['g1', 'G1-29dof', 'a', '0', 'a.b_c-d', 'x'.repeat(64)])(
    'the identifier %s is accepted unchanged',
    (name) => {
      for (const kind of [...IDENTIFIERS, ...FILES]) expect(checkName(kind, name)).toBe(name);
    },
  );
  test.each(['walk 1 (slow)', 'café', '走る', '_x', 'a+b=c@d,e', 'x'.repeat(128)])(
    'the file name %s is accepted unchanged',
    (name) => {
      for (const kind of FILES) expect(checkName(kind, name)).toBe(name);
    },
  );
});

describe('bad names are refused with their reason', () => {
  test.each([
    ['', 'must not be empty'],
    ['..', 'must begin with'],
    ['a..b', 'must not contain ".."'],
    ['../x', 'must begin with'],
    ['a/b', 'contain only'],
    ['a\\b', 'contain only'],
    ['-rf', 'must begin with'],
    ['.hidden', 'must begin with'],
    ['%2e%2e', 'must begin with'],
    ['a%2f', 'contain only'],
    ['a\u0000', 'contain only'],
    ['a\n', 'contain only'],
    ['a.', 'end with a dot'],
    ['con', 'device name'],
    ['NUL.csv', 'device name'],
    ['Com7', 'device name'],
    ['constructor', 'is a reserved word of JavaScript'],
    ['prototype', 'is a reserved word of JavaScript'],
    ['a\u202eb', 'contain only'],
    ['😀', 'must begin with'],
    ['x'.repeat(129), 'at most'],
  ])('the name %j is refused with its reason', (name, reason) => {
    for (const kind of [...IDENTIFIERS, ...FILES]) expect(nameProblem(kind, name)).toContain(reason);
  });
  test.each(FILES)('%s names are refused with their reason', (kind) => {
    expect(nameProblem(kind, '__proto__')).toContain('is a reserved word of JavaScript');
    expect(nameProblem(kind, 'a ')).toContain('end with a dot or a space');
    expect(nameProblem(kind, 'cafe\u0301')).toContain('normal form C');
    expect(nameProblem(kind, '走'.repeat(67))).toContain('at most 200 bytes');
    expect(nameProblem(kind, '走'.repeat(66))).toBeNull();
  });
  test.each(IDENTIFIERS)('%s identifiers are refused with their reason', (kind) => {
    expect(nameProblem(kind, 'a b')).toContain('contain only');
    expect(nameProblem(kind, 'é')).toContain('must begin with');
    expect(nameProblem(kind, 'x'.repeat(65))).toContain('at most 64');
  });
});

test('reserved words of the API are refused as names', () => {
  expect(nameProblem('robot', 'import')).toContain('reserved');
  expect(nameProblem('preset', 'schema')).toContain('reserved');
  expect(nameProblem('preset', 'a--b')).toContain('--');
  expect(nameProblem('module', 'schema')).toBeNull();
  expect(nameProblem('module', 'a--b')).toBeNull();
});

test('the message names the field and quotes the name, control characters made visible', () => {
  expect(() => checkName('clip', 'a\u0007', 'clips[2]')).toThrow(/^clips\[2\]: "a\\u0007" must begin/);
  expect(() => checkName('robot', '')).toThrow(new StudioError('bad_input', 'robot: "" must not be empty'));
});

test('an accepted name is a single plain path segment', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 140 }), (name) => {
      if (nameProblem('clip', name) !== null) return;
      expect(name).not.toMatch(/[/\\\p{Cc}]|^\.|[. ]$|\.\./u);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
    }),
    { numRuns: 2000 },
  );
});
