import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameMatcher } from '../../../src/data/listing/wildcard.ts';
import { cpuMs } from '../../support/cpu-time.ts';

test.each([
  ['', 'anything', true],
  ['walk', 'fast_Walk_2', true],
  ['WALK', 'walk1', true],
  ['run', 'walk1', false],
  ['walk*', 'walk1_subject1', true],
  ['walk*', 'a_walk', false],
  ['*_M', 'flip_A304_m', true],
  ['walk?', 'walk1', true],
  ['walk?', 'walk', false],
  ['walk?', 'walk12', false],
  ['*', '', true],
  ['?', '', false],
  ['w*l*1', 'wall1', true],
  ['a*b*c', 'aXbYbZc', true],
  ['*a*a*', 'a', false],
  ['sub[je]ct*', 'subject1', false],
  ['gr?ße', 'GRÖßE', true],
  ['?', '😀', true],
])('the pattern %j on the name %j: %s', (query, name, expected) => {
  expect(nameMatcher(query)(name)).toBe(expected);
});

test('a pattern matches exactly what the same regular expression matches', () => {
  const letters = fc.constantFrom('a', 'b', '*', '?');
  const pattern = fc.array(letters, { maxLength: 8 }).map((parts) => `*${parts.join('')}`);
  const name = fc.array(fc.constantFrom('a', 'b'), { maxLength: 10 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(pattern, name, (query, text) => {
      const expression = new RegExp(`^${query.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      expect(nameMatcher(query)(text)).toBe(expression.test(text));
    }),
    { numRuns: 2000 },
  );
});

test('without wildcards a pattern matches any part of a name literally', () => {
  const plain = fc.string().filter((text) => !/[*?]/.test(text) && text === text.normalize('NFC'));
  fc.assert(
    fc.property(plain, plain, plain, (before, part, after) => {
      const name = before + part + after;
      // Skip texts whose lower case differs from the lower case of their parts, which occurs beyond ASCII.
      fc.pre(name.toLowerCase() === before.toLowerCase() + part.toLowerCase() + after.toLowerCase());
      expect(nameMatcher(part)(name)).toBe(true);
    }),
  );
});

test('patterns that make regular expressions hang take less than a second of CPU time', async () => {
  const matches = nameMatcher(`${'*a'.repeat(60)}${'*b'.repeat(20)}`);
  // 128 letters × 160 pattern characters are 20,000 steps. A regular expression did not finish this within 30 s.
  expect(await cpuMs(() => expect(matches('a'.repeat(128))).toBe(false))).toBeLessThan(1000);
});
