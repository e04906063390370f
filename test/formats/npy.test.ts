import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StudioError } from '../../src/core/errors.ts';
import { formatNpy, type NpyArray, parseNpy } from '../../src/formats/npy.ts';
import { formatNpyHeader } from '../../src/formats/npy-header.ts';
import { readNpz } from '../../src/formats/npz.ts';
import { rawZip } from '../support/hostile-files.ts';

/** Writes a `.npy` file with this header text and content. */
function npy(header: string, content: Uint8Array, version = 1): Uint8Array {
  const text = Buffer.from(`${header}\n`, version === 3 ? 'utf-8' : 'latin1');
  const length = version === 1 ? Buffer.alloc(2) : Buffer.alloc(4);
  if (version === 1) length.writeUInt16LE(text.length);
  else length.writeUInt32LE(text.length);
  return Buffer.concat([Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]), length, text, content]);
}
const header = (descr: string, shape: string, fortran = 'False') =>
  `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': ${shape}, }`;
const floats = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer);

describe('reading', () => {
  test.each([1, 2, 3])('npy version %i is read', (version) => {
    const array = parseNpy(npy(header('<f4', '(2,)'), floats(1.5, -2), version));
    expect(array).toEqual({ dtype: 'f4', shape: [2], data: Float32Array.of(1.5, -2) });
  });

  test('an array in Fortran order is read with the last index fastest', () => {
    // the columns of [[1, 2, 3], [4, 5, 6]] in a row (Fortran order)
    const array = parseNpy(npy(header('<f4', '(2, 3)', 'True'), floats(1, 4, 2, 5, 3, 6)));
    expect(array.data).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
  });

  test('an array in Fortran order with three dimensions is read, including text', () => {
    const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const content = new Uint8Array(Uint32Array.from(texts, (text) => text.charCodeAt(0)).buffer);
    // element [i, j, k] is at index i + 2 j + 4 k
    expect(parseNpy(npy(header('<U1', '(2, 2, 2)', 'True'), content)).data).toEqual([...'aecgbfdh']);
  });

  test('big-endian numbers and text are read', () => {
    const doubles = Buffer.alloc(8);
    doubles.writeDoubleBE(-0.1);
    expect(parseNpy(npy(header('>f8', '()'), doubles))).toEqual({
      dtype: 'f8',
      shape: [],
      data: Float64Array.of(-0.1),
    });
    expect(parseNpy(npy(header('>U2', '(1,)'), Buffer.from([0, 0, 0, 0x68, 0, 0, 0, 0x69]))).data).toEqual(['hi']);
  });

  test('header keys in another order, and long integers of Python 2, are read', () => {
    const text = `{'shape': (2L,), 'descr': '|b1', 'fortran_order': False}`;
    expect(parseNpy(npy(text, Uint8Array.of(1, 0)))).toEqual({ dtype: 'b1', shape: [2], data: Uint8Array.of(1, 0) });
  });

  test('an array at an unaligned address is read', () => {
    const bytes = npy(header('<f4', '(1,)'), floats(3));
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(parseNpy(shifted.subarray(1)).data).toEqual(Float32Array.of(3));
  });
});

describe('refused input', () => {
  test.each<[string, Uint8Array, string]>([
    ['another file', Buffer.from('PK\x03\x04 and more'), 'not a .npy array'],
    ['nothing', new Uint8Array(0), 'not a .npy array'],
    ['version 4', npy(header('<f4', '(1,)'), floats(1), 4), 'version 4 is not supported'],
    ['a header that is cut off', npy(header('<f4', '(1,)'), floats(1)).subarray(0, 30), 'ends within its header'],
    ['a header longer than numpy allows', npy(' '.repeat(20_000), floats(1)), 'header is longer than 10000'],
    ['too few bytes', npy(header('<f4', '(3,)'), floats(1, 2)), 'has 8 bytes, but its shape requires 12'],
    ['too many bytes', npy(header('<f4', '(1,)'), floats(1, 2)), 'has 8 bytes, but its shape requires 4'],
    ['Python objects', npy(header('|O', '(1,)'), floats(1)), 'arrays of Python objects are not supported'],
    ['records', npy(`{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }`, floats(1)), 'records'],
    ['complex numbers', npy(header('<c8', '(1,)'), floats(1, 2)), 'arrays of type "<c8" are not supported'],
    ['a negative size', npy(header('<f4', '(-1,)'), floats(1)), 'shape (-1,) is not a tuple of lengths'],
    [
      'sizes whose product overflows',
      npy(header('<f4', '(4294967296, 4294967296)'), floats(1)),
      'larger than any file',
    ],
    ['33 dimensions', npy(header('<f4', `(${'1, '.repeat(33)})`), floats(1)), 'more than 32 dimensions'],
    ['a billion empty texts', npy(header('<U0', '(1000000000,)'), new Uint8Array(0)), 'larger than any file'],
    ['a character that does not exist', npy(header('<U1', '(1,)'), Buffer.alloc(4, 0xff)), 'invalid characters'],
    [
      'code in the header',
      npy(`{'descr': '<f4', 'fortran_order': exit(), 'shape': (1,), }`, floats(1)),
      "not in numpy's format",
    ],
  ])('an npy file is refused: %s', (_, bytes, message) => {
    expect(() => parseNpy(bytes)).toThrow(message);
    expect(() => parseNpy(bytes)).toThrow(StudioError);
  });
});

const shape = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 });
const array: fc.Arbitrary<NpyArray> = shape.chain((sizes) => {
  const count = sizes.reduce((product, size) => product * size, 1);
  const many = <T>(element: fc.Arbitrary<T>) => fc.array(element, { minLength: count, maxLength: count });
  return fc.oneof(
    many(fc.float()).map((data) => ({ dtype: 'f4' as const, shape: sizes, data: Float32Array.from(data) })),
    many(fc.double()).map((data) => ({ dtype: 'f8' as const, shape: sizes, data: Float64Array.from(data) })),
    many(fc.integer()).map((data) => ({ dtype: 'i4' as const, shape: sizes, data: Int32Array.from(data) })),
    many(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })).map((data) => ({
      dtype: 'i8' as const,
      shape: sizes,
      data: BigInt64Array.from(data),
    })),
    many(fc.nat(1)).map((data) => ({ dtype: 'b1' as const, shape: sizes, data: Uint8Array.from(data) })),
    many(fc.string({ unit: 'grapheme' }).map((text) => text.replace(/\0+$/, ''))).map((data) => ({
      dtype: 'U' as const,
      shape: sizes,
      data,
    })),
  );
});

test('every written array reads back equal', () => {
  fc.assert(
    fc.property(array, (value) => {
      expect(parseNpy(formatNpy(value))).toEqual(value);
    }),
  );
});

test('data start at a multiple of 64 bytes, as in files of numpy', () => {
  const bytes = formatNpy({ dtype: 'f8', shape: [2, 1], data: Float64Array.of(1, 2) });
  expect((bytes.length - 16) % 64).toBe(0);
  expect(Buffer.from(bytes).toString('latin1')).toContain(
    "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }",
  );
});

test('an array whose shape does not match its data is not written', () => {
  expect(() => formatNpy({ dtype: 'f4', shape: [3], data: Float32Array.of(1, 2) })).toThrow(RangeError);
});

test('damaged files are read or refused as bad input', () => {
  const edits = fc.array(fc.record({ at: fc.nat(200), byte: fc.nat(255) }), { maxLength: 5 });
  fc.assert(
    fc.property(array, edits, fc.nat(300), (value, changes, length) => {
      const bytes = formatNpy(value);
      for (const { at, byte } of changes) if (at < bytes.length) bytes[at] = byte;
      for (const damaged of [bytes, bytes.subarray(0, length)]) {
        try {
          parseNpy(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(StudioError);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('texts that would fill the memory are refused before they are decoded', () => {
  const text = (characters: number, count: number) =>
    Buffer.concat([formatNpyHeader(`<U${characters}`, [count]), new Uint8Array(4 * characters * count)]);
  expect(parseNpy(text(65_536, 2)).data).toEqual(['', '']);
  expect(() => parseNpy(text(65_537, 1))).toThrow('the array has texts of 262148 bytes each, the limit is 262144');
  expect(() => parseNpy(text(65_536, 257))).toThrow('67371008 bytes of text, the limit is 67108864');
});

describe('a large array in a zip file is refused before it is expanded', () => {
  const noise = (count: number) =>
    Buffer.from(Uint8Array.from({ length: count }, (_, k) => (k * k * 2654435761) >>> 24));
  /** An archive whose entry is damaged behind its first bytes, so that expanding it fails with another message. */
  const archive = (header: Uint8Array, bytes: number) => {
    const content = Buffer.concat([header, noise(bytes)]);
    const zip = rawZip([{ name: 'joint_names.npy', content, deflate: true }]);
    zip.fill(0xff, zip.length >> 1, (zip.length >> 1) + 4000);
    return zip;
  };
  const objects = formatNpyHeader('<U1', [1]);
  objects.set(Buffer.from("'|O' "), Buffer.from(objects).indexOf("'<U1'"));

  test.each([
    [
      'one text of 4 MB',
      archive(formatNpyHeader('<U1000000', [1]), 4e6),
      'texts of 4000000 bytes each, the limit is 262144',
    ],
    [
      'a million texts',
      archive(formatNpyHeader('<U1', [1e6]), 4e6),
      'the array has 1000000 texts, the limit is 262144',
    ],
    ['a shape of another size', archive(formatNpyHeader('<f4', [9e8]), 4e6), 'its shape requires 3600000000'],
    ['pickled objects of 17 MB', archive(objects, 17 << 20), 'bytes of pickled objects, limit 16777216'],
  ])('a large array in a zip file is refused before it is expanded: %s', async (_, zip, message) => {
    await expect(readNpz(zip)).rejects.toThrow(message);
  });
});
