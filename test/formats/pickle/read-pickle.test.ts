import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PickleValue } from '../../../src/formats/pickle/pickle-values.ts';
import type { PickledArray } from '../../../src/formats/pickle/pickled-array.ts';
import { readPickle } from '../../../src/formats/pickle/read-pickle.ts';
import { PYTHONS, runPython } from '../../support/python.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pickle-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A handwritten pickle, given as opcodes; characters are bytes. */
const pickle = (...opcodes: readonly string[]) => Buffer.from(`${opcodes.join('')}.`, 'latin1');
const read = (...opcodes: readonly string[]) => readPickle(pickle(...opcodes));
const protocols = [0, 1, 2, 3, 4, 5];

const TYPES = ['f2', 'f4', 'f8', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'bool'];
/** Python expressions to pickle. Python starts slowly, so one run pickles all of them. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  plain: `{'int': [0, 1, 255, 256, 65535, 65536, -1, -2**31, 2**31, 2**53, -2**53 - 1, 2**70, -2**70, 2**300],
 'float': [0.1, -1e300, float('inf'), float('-inf'), 5e-324], 'bool': (True, False), 'none': None,
 'text': ['', 'hip', 'größe', '😀', 'a\\\\u00e4\\n\\x00', 'x' * 300, '\\ufeff'], 'bytes': [b'', b'\\x00\\xff\\n', b'y' * 300],
 'nested': {'a': [(1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), ()], 1: {}}, 'ordered': OrderedDict(b=1, a=2)}`,
  half: `np.array([6e-8, -6.1e-5, 65504, -0.0, 1/3, float('inf'), float('-inf'), float('nan')], 'f2')`,
  names: `[np.array(['hip', 'größe😀']), np.array([b'hip', b'knee']), np.array(['hip', None, 3], dtype=object),
  np.array([['a', 'b'], ['c', 'd']], dtype=object, order='F'), np.str_('hip'), np.array('hip'), np.array([], 'U3'), np.array([], object)]`,
  scalars: `[np.float64(0.1), np.float32(0.5), np.int64(-7), np.uint64(2**63), np.bool_(True), np.float16(2)]`,
  odd: `[1, np.array(['2020-01-01'], 'M8[D]'), np.array([(1, 2.)], [('a', 'i4'), ('b', 'f8')]), np.arange(3, dtype='c16'),
  np.datetime64('2020-01-01'), np.arange(2, dtype='g')]`,
  ...Object.fromEntries(
    TYPES.map((type) => [
      type,
      `[f(np.array([[0, 1, 2], [3, 100, 127]]).astype('${type}').astype(np.dtype('${type}').newbyteorder(o)))
  for f in (np.ascontiguousarray, np.asfortranarray, lambda a: a[:, ::2], lambda a: a[:0], lambda a: a[0, 1:2].reshape(())) for o in '<>']`,
    ]),
  ),
};

describe('pickles written by Python, every protocol', () => {
  describe.each(PYTHONS)('numpy $version', (python) => {
    beforeAll(() => {
      writeFileSync(path.join(folder, 'expressions.json'), JSON.stringify(EXPRESSIONS));
      runPython(
        python,
        `import json, pickle, sys
import numpy as np
from collections import OrderedDict
for name, expression in json.load(open(sys.argv[1] + '/expressions.json')).items():
  value = eval(expression)
  for p in range(6):
    with open(f'{sys.argv[1]}/{name}.{p}', 'wb') as f: pickle.dump(value, f, p)`,
        folder,
      );
    });
    const load = (name: string, protocol: number) => readPickle(readFileSync(path.join(folder, `${name}.${protocol}`)));

    test('plain values are read unchanged', () => {
      const expected = new Map<string, PickleValue>([
        [
          'int',
          [
            ...[0, 1, 255, 256, 65535, 65536, -1, -(2 ** 31), 2 ** 31],
            ...[2n ** 53n, -(2n ** 53n) - 1n, 2n ** 70n, -(2n ** 70n), 2n ** 300n],
          ],
        ],
        ['float', [0.1, -1e300, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324]],
        ['bool', [true, false]],
        ['none', null],
        ['text', ['', 'hip', 'größe', '😀', 'a\\u00e4\n\x00', 'x'.repeat(300), '\ufeff']],
        ['bytes', ['', '\x00\xff\n', 'y'.repeat(300)].map((text) => Uint8Array.from(Buffer.from(text, 'latin1')))],
        [
          'nested',
          new Map<PickleValue, PickleValue>().set('a', [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], []]).set(1, new Map()),
        ],
        ['ordered', new Map().set('b', 1).set('a', 2)],
      ]);
      for (const protocol of protocols) expect(plainBytes(load('plain', protocol))).toEqual(expected);
    });

    test.each(TYPES)('arrays of %s are read, in C and Fortran order, little and big endian', (type) => {
      for (const protocol of protocols) {
        const arrays = load(type, protocol) as PickledArray[];
        const all = type === 'bool' ? [0, 1, 1, 1, 1, 1] : [0, 1, 2, 3, 100, 127];
        const expected = [all, all, [all[0], all[2], all[3], all[5]], [], [1]];
        const shapes = [[2, 3], [2, 3], [2, 2], [0, 3], []];
        for (const [index, array] of arrays.entries()) {
          const { data, dtype } = array.elements();
          expect([...data].map(Number)).toEqual(expected[index >> 1]);
          expect(dtype).toBe(type === 'bool' ? 'b1' : type === 'f2' ? 'f4' : type);
          expect(array.shape).toEqual(shapes[index >> 1]);
        }
      }
    });

    test('half precision is read with its smallest and largest numbers', () => {
      const expected = [
        2 ** -24,
        -0.00006103515625 * 0.9990234375,
        65504,
        -0,
        0.333251953125,
        Infinity,
        -Infinity,
        NaN,
      ];
      for (const protocol of protocols) {
        const values = [...(load('half', protocol) as PickledArray).elements().data];
        // -6.1e-5 is below 2^-14, so it is subnormal in half precision: a multiple of 2^-24
        expect(values.map((value) => (value === values[1] ? Math.round(Number(value) * 2 ** 24) : value))).toEqual(
          expected.map((value, index) => (index === 1 ? -1023 : value)),
        );
      }
    });

    test('names are read as fixed-length text, bytes, lists of objects and single strings', () => {
      for (const protocol of protocols) {
        const [texts, short, objects, square, single, scalar, none, nothing] = load(
          'names',
          protocol,
        ) as PickledArray[];
        expect(texts!.elements()).toEqual({ dtype: 'U', data: ['hip', 'größe😀'] });
        expect(short!.elements()).toEqual({ dtype: 'U', data: ['hip', 'knee'] });
        expect(objects!.objects()).toEqual(['hip', null, 3]);
        expect(() => objects!.elements()).toThrow('arrays of Python objects are not supported');
        expect(square!.objects()).toEqual(['a', 'b', 'c', 'd']);
        expect(single).toBe('hip');
        expect(scalar!.elements().data).toEqual(['hip']);
        expect(none!.elements().data).toEqual([]);
        expect(nothing!.objects()).toEqual([]);
      }
    });

    test('numpy scalars are read as numbers', () => {
      for (const protocol of protocols) expect(load('scalars', protocol)).toEqual([0.1, 0.5, -7, 2n ** 63n, true, 2]);
    });

    test('arrays of unsupported types do not affect the rest', () => {
      for (const protocol of protocols) {
        const [one, ...arrays] = load('odd', protocol) as [number, ...PickledArray[]];
        expect(one).toBe(1);
        for (const array of arrays)
          expect(() => array.elements()).toThrow(/^arrays of type ".{2,4}" are not supported$/);
      }
    });

    test('shared arrays stay shared, and a list may contain itself', () => {
      runPython(
        python,
        `import pickle, sys
import numpy as np
a = np.arange(3.)
l = [a, a]; l.append(l)
for p in range(6):
  with open(sys.argv[1] + f'.{p}', 'wb') as f: pickle.dump(l, f, p)`,
        path.join(folder, 'shared'),
      );
      for (const protocol of protocols) {
        const list = load('shared', protocol) as PickleValue[];
        expect(list[0]).toBe(list[1]);
        expect(list[2]).toBe(list);
        expect((list[0] as PickledArray).elements().data).toEqual(Float64Array.of(0, 1, 2));
      }
    });

    test('any other class is refused by name and not executed', () => {
      const mark = path.join(folder, 'PWNED');
      runPython(
        python,
        `import pickle, sys, os, subprocess, builtins, pathlib, decimal, datetime, functools, operator, types
class Call:
  def __init__(self, f, *a): self.c = (f, a)
  def __reduce__(self): return self.c
mark = sys.argv[1] + '/PWNED'
cases = {'posix.system': Call(os.system, 'touch ' + mark), 'subprocess.Popen': Call(subprocess.Popen, ['touch', mark]),
  'builtins.eval': Call(eval, f"open({mark!r}, 'w')"), 'builtins.exec': Call(exec, f"open({mark!r}, 'w')"),
  'builtins.getattr': Call(getattr, 'x', 'upper'), 'builtins.bytearray': bytearray(b'x'),
  'io.open': Call(open, mark, 'w'), 'decimal.Decimal': decimal.Decimal(1), 'datetime.date': datetime.date(2020, 1, 1),
  'functools.partial': functools.partial(print, 1), 'builtins.complex': 1j, 'operator.attrgetter': operator.attrgetter('x')}
for name, case in cases.items():
  for p in range(6):
    with open(f'{sys.argv[1]}/evil.{name}.{p}', 'wb') as f: pickle.dump([1, {'root_pos': case}], f, p)`,
        folder,
      );
      const files = readdirSync(folder).filter((name) => name.startsWith('evil.'));
      expect(files).toHaveLength(12 * 6);
      for (const file of files) {
        const name = file.slice('evil.'.length, -2);
        // Protocols below 3 use the names of Python 2; protocol 5 has an opcode for bytearrays.
        if (file === 'evil.builtins.bytearray.5') continue;
        const spelled = name
          .replace('builtins', '(builtins|__builtin__)')
          .replace('subprocess', '(subprocess|commands)');
        expect(() => readPickle(readFileSync(path.join(folder, file)))).toThrow(
          new RegExp(`^the pickle refers to ${spelled}, which is not allowed. Only numbers, texts`),
        );
      }
      expect(existsSync(mark)).toBe(false);
    });
  });
});

/** Replaces the Node buffers under `bytes` by plain Uint8Arrays, for comparison. */
function plainBytes(value: PickleValue): PickleValue {
  const dict = new Map(value as Map<string, PickleValue>);
  return dict.set(
    'bytes',
    (dict.get('bytes') as Uint8Array[]).map((bytes) => Uint8Array.from(bytes)),
  );
}

describe('hand-written pickles', () => {
  test('module names of old and new numpy are read', () => {
    const type = "cnumpy\ndtype\n(S'f8'\nI0\nI1\ntR(I3\nS'>'\nNNNI-1\nI-1\nI0\ntb";
    for (const core of ['numpy.core', 'numpy._core']) {
      const array = read(
        `c${core}.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR(I1\n(I2\nt${type}I00\n`,
        "S'?\\xf0\\x00\\x00\\x00\\x00\\x00\\x00\\xc0\\0\\0\\0\\0\\0\\0\\0'\ntb",
      ) as PickledArray;
      expect(array.elements().data).toEqual(Float64Array.of(1, -2));
      expect(read(`c${core}.multiarray\nscalar\n(${type}S'?\\xf0\\0\\0\\0\\0\\0\\0'\ntR`)).toBe(1);
      const buffer = read(
        `c${core}.numeric\n_frombuffer\n(B\x08\0\0\0\x3f\xf0\0\0\0\0\0\0${type}(I1\ntX\x01\0\0\0Ft`,
        'R',
      );
      expect((buffer as PickledArray).elements().data).toEqual(Float64Array.of(1));
    }
  });

  test('Python 2 strings with escapes are read', () => {
    expect(read(`(lS'it\\'s \\x41\\101\\n\\t\\\\ \\q'\naS"x"\naU\x02\xe4ba`, 'T\x01\0\0\0ca')).toEqual([
      "it's AA\n\t\\ \\q",
      'x',
      'äb',
      'c',
    ]);
  });

  test('opcodes that Python no longer writes are read', () => {
    expect(read('(I1\nI2\nI3\n0d')).toEqual(new Map([[1, 2]]));
    expect(read('(I1\n2l')).toEqual([1, 1]);
    expect(read('](I1\nI2\n1(I3\ne')).toEqual([3]);
    expect(read('F1.5\n')).toBe(1.5);
    expect(read('L-12345678901234567890L\n')).toBe(-12345678901234567890n);
    expect(read('\x8b\x02\0\0\0\xff\xff')).toBe(-1);
    expect(read('\x8a\0')).toBe(0);
    expect(read('(K\x01K\x01K\x02\x91')).toEqual(new Set([1, 2]));
  });
});

describe('refused input', () => {
  test.each<[string, string, string]>([
    [
      'a call of the system',
      "cos\nsystem\n(S'touch /tmp/x'\ntR",
      'the pickle refers to os.system, which is not allowed',
    ],
    ['the same by the stack', '\x8c\x02os\x8c\x06system\x93', 'the pickle refers to os.system, which is not allowed'],
    ['the same by INST', "(S'touch /tmp/x'\nios\nsystem\n", 'the pickle refers to os.system, which is not allowed'],
    ['a path through attributes', '\x8c\x05numpy\x8c\x16core.multiarray.scalar\x93', 'which is not allowed'],
    ['a name that hides', '\x8c\x02o\n\x8c\x03s\x1b\xc2\x07\x93', 'the pickle'],
    ['an object of an allowed class by OBJ', '(cnumpy\nndarray\no', 'the pickle creates an object'],
    ['by NEWOBJ', 'cnumpy\nndarray\n)\x81', 'the pickle creates an object'],
    ['by INST', '(inumpy\nndarray\n', 'the pickle creates numpy.ndarray'],
    ['a call of a value that is not a function', '(lp0\n)R', 'the pickle calls a list, which is not allowed'],
    ['a call of an array class', 'cnumpy\nndarray\n)R', 'the pickle calls numpy.ndarray, which is not allowed'],
    ['a state for a dict', '}}b', 'the pickle sets the state of a dict, which is supported only for numpy arrays'],
    [
      'bytes of a size',
      'c__builtin__\nbytes\n(I1000000000\ntR',
      'the pickle calls bytes with arguments that are not supported',
    ],
    ['another encoding', 'c_codecs\nencode\n(Vabc\nVutf-8\ntR', 'the pickle calls _codecs.encode with arguments that'],
    [
      'text for bytes',
      'c_codecs\nencode\n(V\\u1234\nVlatin1\ntR',
      'the pickle calls _codecs.encode with arguments that',
    ],
    ['an extension', '\x82\x01', 'the pickle refers to an extension code, which is not allowed'],
    ['a persistent object', 'P1\n', 'the pickle refers to an object outside of the file'],
    ['a buffer elsewhere', '\x97', 'the pickle refers to memory outside of the file'],
    ['protocol 6', '\x80\x06', 'pickles of protocol 6 are not supported, only 0 to 5'],
    ['an unknown opcode', 'Nz', 'it has an unknown opcode at byte 2'],
    ['a missing value', 'h\x05', 'it refers to a value that does not exist'],
    ['too few values', 'R', 'it pops from an empty stack'],
    ['values below a mark', 'N(a', 'it pops from an empty stack'],
    ['a missing mark', 't', 'it uses a mark that was not set'],
    ['values left over', 'NN', 'it ends with values left on the stack'],
    ['a list in a tuple', '(tNa', 'it appends to a tuple instead of a list'],
    ['a key in a list', '(lNNs', 'it adds entries to a list instead of a dict'],
    ['an item for a dict', '}(N\x90', 'it adds to a dict instead of a set'],
    ['a list as key', '}]Ns', 'a dict with a list as a key'],
    ['a key alone', '}(Nu', 'it adds a key without a value to a dict'],
    ['a number of 8,193 bits', `\x8b\x01\x04\0\0${'\x01'.repeat(1025)}`, 'a number of more than 8192 bits'],
    ['a number of 5,000 digits', `I${'9'.repeat(5000)}\n`, 'a name or a number that is too long'],
    ['a text instead of a decimal', 'F0x10\n', 'it contains a text instead of a number'],
    ['a text that is not UTF-8', '\x8c\x01\xff', 'a text that is not UTF-8'],
    ['a text without quotes', 'Sabc\n', 'a text without quotes'],
    ['half an escape', 'V\\u12\n', 'a text with an invalid escape'],
    ['a character that does not exist', 'V\\UFFFFFFFF\n', 'a text with an invalid escape'],
    [
      'eight exabytes of bytes',
      '\x8e\xff\xff\xff\xff\xff\xff\xff\x7f',
      'the pickle ends early: it is truncated or damaged',
    ],
    ['a tebibyte of text', '\x8d\0\0\0\0\0\x01\0\0', 'the pickle'],
    ['four gigabytes of bytes', 'B\xff\xff\xff\xff', 'the pickle ends early'],
  ])('a pickle is refused: %s', (_, opcodes, message) => {
    expect(() => read(opcodes)).toThrow(message);
    expect(() => read(opcodes)).toThrow(expect.objectContaining({ code: 'bad_input' }));
  });

  test.each<[string, readonly number[], string]>([
    ['a zip file', [0x50, 0x4b, 3, 4, 0], 'not a pickle but a zip file (as torch.save writes)'],
    ['a compressed file', [0x1f, 0x8b, 8], 'a gzip file, which must be unpacked first'],
    ['nothing', [], 'the pickle ends early'],
  ])('a pickle is refused: %s', (_, content, message) => {
    expect(() => readPickle(Uint8Array.from(content))).toThrow(message);
  });

  test('an array with permuted axes has a shape, and is refused only if its elements are read', () => {
    const f8 = "cnumpy\ndtype\n(S'f8'\nI0\nI1\ntR(I3\nS'<'\nNNNI-1\nI-1\nI0\ntb";
    const call = (axes: string) =>
      read(`cnumpy._core.numeric\n_frombuffer\n(C\x08abcdefgh${f8}(I1\nI2\nI3\ntS'K'\n${axes}tR`) as PickledArray;
    const permuted = call('(I1\nI0\nI2\nt');
    expect(permuted.shape).toEqual([2, 1, 3]);
    expect(() => permuted.elements()).toThrow('arrays of type "permuted axes" are not supported');
    for (const axes of ['', 'N', '(I1\nI0\nt', '(I1\nI1\nI2\nt'])
      expect(() => call(axes)).toThrow('the pickle calls numpy…_frombuffer with arguments that are not supported');
  });

  const type = "cnumpy\ndtype\n(S'f8'\nI0\nI1\ntR(I3\nS'<'\nNNNI-1\nI-1\nI0\ntb";
  const array = (shape: string, content: string, dtype = type) =>
    read(`cnumpy.core.numeric\n_frombuffer\n(${content}${dtype}${shape}S'C'\ntR`) as PickledArray;
  test.each<[string, () => unknown, string]>([
    [
      'a shape larger than its bytes',
      () => array('(I1000000000\nt', 'C\x08abcdefgh').elements(),
      'has 8 bytes, but its shape requires 8000000000',
    ],
    [
      'a shape that overflows',
      () => array('(I4294967296\nI4294967296\nI4294967296\nt', 'C\0').elements(),
      'larger than any file',
    ],
    ['a negative size', () => array('(I-1\nt', 'C\0'), 'an array without shape'],
    ['a size that is not a number', () => array('(Nt', 'C\0'), 'an array without shape'],
    ['33 dimensions', () => array(`(${'I1\n'.repeat(33)}t`, 'C\x08abcdefgh').elements(), 'more than 32 dimensions'],
    [
      'a billion texts of no characters',
      () => array('(I1000000000\nt', 'C\0', "cnumpy\ndtype\n(S'U0'\ntR").elements(),
      'larger than any file',
    ],
    ['no bytes', () => array('(I1\nt', 'N').elements(), 'an array without bytes'],
    [
      'an array that is never filled',
      () => (read("cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR") as PickledArray).shape,
      'never filled',
    ],
    [
      'an array filled twice',
      () =>
        read(`cnumpy.core.numeric\n_frombuffer\n(C\x08abcdefgh${type}I1\nS'C'\ntR((I1\nt${type}I00\nC\x08abcdefghtb`),
      'fills an array twice',
    ],
    [
      'an array of another class',
      () => read("cnumpy.core.multiarray\n_reconstruct\n(cnumpy\ndtype\n(I0\ntS'b'\ntR"),
      '_reconstruct with arguments that are not supported',
    ],
  ])('a pickle is refused: %s', (_, run, message) => {
    expect(run).toThrow(message);
  });
});
