import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { StudioError } from '../../../src/core/errors.ts';
import { gmrPickleFacts, parseGmrPickle } from '../../../src/formats/clips/gmr-pickle.ts';
import type { PickleFile } from '../../../src/formats/pickle/pickle-input.ts';
import { type PickleValue, UnreadBytes } from '../../../src/formats/pickle/pickle-values.ts';
import { readPickle } from '../../../src/formats/pickle/read-pickle.ts';
import { PYTHONS, runPython } from '../../support/python.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hostile-'));
afterAll(() => rmSync(folder, { recursive: true }));

const latin1 = (text: string) => Buffer.from(text, 'latin1');
/** Readers that untrusted files reach. */
const READERS = [readPickle, gmrPickleFacts, parseGmrPickle, (bytes: Uint8Array) => gmrPickleFacts(inParts(bytes))];

/** The bytes as a file that is read in windows. */
function inParts(bytes: Uint8Array): PickleFile {
  return {
    size: bytes.length,
    read: (position, length) => {
      if (position + length > bytes.length) throw new RangeError('reads beyond the file');
      return bytes.slice(position, position + length);
    },
  };
}

/** A complete clip written without numpy: two frames of one joint, protocol 2. */
const doubles = (values: readonly number[]) => {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [index, value] of values.entries()) bytes.writeDoubleLE(value, 8 * index);
  return bytes.toString('latin1');
};
const array = (shape: readonly number[], values: readonly number[]) =>
  `cnumpy.core.numeric\n_frombuffer\n(C${String.fromCharCode(8 * values.length)}${doubles(values)}cnumpy\ndtype\n(U\x02f8I0\nI1\ntR(${shape
    .map((size) => `I${size}\n`)
    .join('')}tU\x01CtR`;
const clip = latin1(
  `\x80\x02}(U\x03fpsK\x1eU\x08root_pos${array([2, 3], [0, 0, 1, 0.1, 0, 1])}U\x08root_rot${array([2, 4], [0, 0, 0, 1, 0, 0, 0, 1])}U\x07dof_pos${array([2, 1], [0.5, 0.6])}u.`,
);

/** The error message of reading; null without an error. Errors other than bad input fail the test. */
function refusal(read: (bytes: Uint8Array) => unknown, bytes: Uint8Array): string | null {
  try {
    read(bytes);
    return null;
  } catch (error) {
    if (error instanceof StudioError && error.code === 'bad_input') return error.message;
    throw error;
  }
}

test('the undamaged pickle is read', () => {
  expect([...parseGmrPickle(clip).rows]).toEqual([0, 0, 1, 0, 0, 0, 1, 0.5, 0.1, 0, 1, 0, 0, 0, 1, 0.6]);
});

test('a file truncated at any byte is bad input', () => {
  for (let length = 0; length < clip.length; length += 1)
    for (const read of READERS) expect(refusal(read, clip.subarray(0, length))).not.toBeNull();
});

test('a file with changed bytes is read or is bad input', () => {
  const edit = fc.record({ at: fc.nat(clip.length - 1), byte: fc.nat(255) });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 5 }), (edits) => {
      const bytes = Uint8Array.from(clip);
      for (const { at, byte } of edits) bytes[at] = byte;
      for (const read of READERS) refusal(read, bytes);
    }),
    { numRuns: 3000 },
  );
});

test('opcodes in any order are read or are bad input', () => {
  const opcodes = [
    ...[
      '(',
      ')',
      ']',
      '}',
      'N',
      'a',
      'b',
      'e',
      'd',
      'l',
      't',
      's',
      'u',
      'R',
      '0',
      '1',
      '2',
      'o',
      '\x81',
      '\x85',
      '\x86',
    ],
    ...[
      '\x87',
      '\x88',
      '\x8f',
      '\x90',
      '\x91',
      '\x93',
      '\x94',
      'h\x00',
      'h\x01',
      'q\x00',
      'q\x01',
      'K\x05',
      'I7\n',
      'G12345678',
    ],
    ...['U\x02f8', 'U\x01C', 'C\x08abcdefgh', 'U\x05numpy', 'U\x05dtype', 'cnumpy\ndtype\n', 'cnumpy\nndarray\n'],
    ...[
      'cnumpy.core.multiarray\n_reconstruct\n',
      'cnumpy._core.numeric\n_frombuffer\n',
      'cnumpy.core.multiarray\nscalar\n',
    ],
    ...[
      'c_codecs\nencode\n',
      'ccollections\nOrderedDict\n',
      'c__builtin__\nbytes\n',
      'Vlatin1\n',
      '\x8a\x01\xff',
      "S'<'\n",
    ],
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...opcodes), { maxLength: 40 }), (program) => {
      for (const read of READERS) refusal(read, latin1(`${program.join('')}.`));
    }),
    { numRuns: 3000 },
  );
});

describe('small files that request much memory or time', () => {
  /** Limit of the memory that reading may take beyond the file, MiB: the reader's bound, doubled for growing arrays. */
  const MOST = 600;
  const heavy = (bytes: Uint8Array): string | null => {
    const before = process.memoryUsage().rss;
    const message = refusal(readPickle, bytes);
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(MOST);
    return message;
  };

  test('200,000 nested lists are read without recursion', () => {
    let value = readPickle(latin1(`${'('.repeat(200_000)}${'l'.repeat(200_000)}.`)) as unknown[];
    for (let depth = 1; depth < 200_000; depth += 1) value = value[0] as unknown[];
    expect(value).toEqual([]);
    expect(refusal(readPickle, latin1(`${']'.repeat(200_000)}${'a'.repeat(199_999)}.`))).toBeNull();
    expect(refusal(parseGmrPickle, latin1(`${'('.repeat(200_000)}${'t'.repeat(200_000)}.`))).toContain(
      'contains a tuple',
    );
  });

  test('a 300-byte file of nested references, ten trillion elements if expanded, is read without expanding', () => {
    const value = readPickle(latin1(`]q\x00K\x01a${`0](${'h\x00'.repeat(10)}eq\x00`.repeat(13)}.`));
    expect(value).toHaveLength(10);
    // The same for the numbers of a clip: a million references to one row of a million numbers.
    const wide = Buffer.concat([
      latin1('}(U\x03fpsK\x1eU\x08root_pos](]q\x01('),
      Buffer.alloc(1_000_000, 'N'),
      latin1('e'),
      latin1('h\x01'.repeat(999_999)),
      latin1(`eU\x08root_rot${array([1, 4], [0, 0, 0, 1])}U\x07dof_posh\x01u.`),
    ]);
    expect(refusal(parseGmrPickle, wide)).toContain(
      '"root_pos" has the shape (1000000, 1000000), expected (frames, 3)',
    );
  });

  test.each<[string, string, number]>([
    ['empty dicts', '}', 1_100_000],
    ['None', 'N', 17_000_000],
  ])('endless %s are stopped before they fill the memory', (_, opcode, times) => {
    expect(heavy(Buffer.alloc(opcode.length * times, opcode, 'latin1'))).toContain('too many objects for a clip');
  });

  test('the number of memo entries is limited', () => {
    const times = 2_200_000;
    const bytes = Buffer.alloc(1 + 5 * times, 'Nr\0\0\0\0r', 'latin1');
    bytes.fill('r\0\0\0\0', 1, undefined, 'latin1');
    for (let n = 0; n < times; n += 1) bytes.writeUInt32LE(n, 2 + 5 * n);
    expect(heavy(bytes)).toContain('too many objects for a clip');
  });
});

describe.each(PYTHONS)('files of numpy $version', (python) => {
  test.each([0, 2, 4, 5])('a clip of protocol %i truncated at any byte is bad input', (protocol) => {
    const file = path.join(folder, `${protocol}.pkl`);
    runPython(
      python,
      `import pickle, sys
import numpy as np
pickle.dump({'fps': 30, 'root_pos': np.zeros((2, 3)), 'root_rot': np.zeros((2, 4), 'f4'), 'dof_pos': np.zeros((2, 1)),
  'joint_names': np.array(['knee'], dtype=object), 'empty': np.zeros((0, 3))}, open(sys.argv[1], 'wb'), int(sys.argv[2]))`,
      file,
      `${protocol}`,
    );
    const bytes = readFileSync(file);
    expect(parseGmrPickle(bytes)).toMatchObject({ frames: 2, columns: 8, jointNames: ['knee'] });
    for (let length = 0; length < bytes.length; length += 1)
      for (const read of READERS) expect(refusal(read, bytes.subarray(0, length))).not.toBeNull();
  });
});

test('reading in parts skips long byte strings and equals reading from memory', () => {
  const long = `B${latin1Int(300_000)}${'x'.repeat(300_000)}`;
  const bytes = latin1(`(${'K\x07'.repeat(70_000)}${long}V${'y'.repeat(200_000)}\nX\x01\0\0\0z${long}l.`);
  const whole = readPickle(bytes) as PickleValue[];
  const parts = readPickle(inParts(bytes)) as PickleValue[];
  expect(parts).toHaveLength(whole.length);
  const shown = (value: PickleValue) =>
    value instanceof Uint8Array || value instanceof UnreadBytes ? `${value.length} bytes` : value;
  expect(parts.map(shown)).toEqual(whole.map(shown));
  expect(parts[70_000]).toBeInstanceOf(UnreadBytes);
  for (const cut of [1, 2, 299_999, 300_001, 300_002, 400_000, 500_010, 600_000])
    expect(refusal((file) => readPickle(inParts(file)), bytes.subarray(0, bytes.length - cut))).toContain('ends early');
});

/** A number as four bytes, little-endian. */
function latin1Int(value: number): string {
  return Buffer.from(Uint32Array.of(value).buffer).toString('latin1');
}
