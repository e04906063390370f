import { gunzipSync, inflateSync } from 'node:zlib';
import { badInput } from '../../core/errors.ts';
import { HUMAN_REMEDY } from '../../protocol/clip-endings.ts';
import { isPickled } from '../npy.ts';
import { NPY_HEAD_BYTES, readNpyHeader } from '../npy-header.ts';
import type { PickleFile } from './pickle-input.ts';
import type { PickleValue } from './pickle-values.ts';
import { PickledArray } from './pickled-array.ts';
import { readPickle } from './read-pickle.ts';

const MIB = 1 << 20;
/** Maximum size of a compressed file and of its decompressed content, bytes. */
const MAX_BYTES = 1024 * MIB;
/** Content larger than this may be at most `MAX_RATIO` times the compressed size. Clips compress to a tenth of their
 *  size; deflate can compress to a thousandth. */
const FREE_BYTES = 128 * MIB;
const MAX_RATIO = 100;
const CHUNK_BYTES = MIB;
const HEAD_BYTES = 8;

const ZLIB = [0x78];
const GZIP = [0x1f, 0x8b];
const NPY = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** Compressions of joblib that are not supported, with their first bytes. */
const OTHERS: readonly (readonly [start: readonly number[], name: string])[] = [
  [[0x42, 0x5a, 0x68], 'bz2'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'xz'],
  [[0x5d, 0x00], 'lzma'],
  [[0x04, 0x22, 0x4d, 0x18], 'lz4'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'zstd'],
  [[0x5a, 0x46], 'joblib before 0.10'],
];

/** Reads a pickled object. Supports plain pickles, files of joblib (plain, or compressed with zlib or gzip), and
 *  `.npy` files of one Python object; the first bytes distinguish them. Does not run code from the file.
 *  @param source a compressed file is read as a whole, other files as far as `readPickle` needs  @throws bad_input */
export function readPickledObject(source: Uint8Array | PickleFile): PickleValue {
  const size = source instanceof Uint8Array ? source.length : source.size;
  const head = part(source, 0, Math.min(size, HEAD_BYTES));
  const isStart = (start: readonly number[]) => start.every((byte, index) => head[index] === byte);
  const other = OTHERS.find(([start]) => isStart(start));
  if (other)
    throw badInput(
      `the pickle is compressed with ${other[1]}, which is not supported. Save it with compress="zlib" or without compression.`,
    );
  if (isStart(NPY)) return readObjectArray(source, size);
  if (!isStart(ZLIB) && !isStart(GZIP)) return readPickle(source);
  if (size > MAX_BYTES) throw badInput('the file is larger than 1 GiB. Split it into files of fewer clips.');
  return readPickle(expanded(part(source, 0, size), isStart(GZIP)));
}

/** Reads the output of `numpy.save` for a single Python object, such as a dict. */
function readObjectArray(source: Uint8Array | PickleFile, size: number): PickleValue {
  const header = readNpyHeader(part(source, 0, Math.min(size, NPY_HEAD_BYTES)));
  if (!isPickled(header)) throw badInput(`the file contains ${describeNumbers(header.shape)}`);
  const { dataStart } = header;
  const pickle =
    source instanceof Uint8Array
      ? source.subarray(dataStart)
      : {
          size: size - dataStart,
          read: (position: number, length: number) => source.read(dataStart + position, length),
        };
  const array = readPickle(pickle);
  const objects = array instanceof PickledArray ? array.objects() : null;
  if (!objects) throw badInput('the file does not contain an array of objects: it is damaged');
  if (objects.length !== 1) throw badInput(`the file contains ${objects.length} objects, expected a single dict`);
  return objects[0]!;
}

/** Describes an array of numbers of a shape, and what to do with it. */
function describeNumbers(shape: readonly number[]): string {
  const size = `an array of numbers of shape (${shape.join(', ')})`;
  if (shape.length === 3 && shape[2] === 3)
    return `${size}, such as the positions of ${shape[1]} points of a human; ${HUMAN_REMEDY}`;
  return `${size}, expected a dict of arrays saved by numpy.save. Save rows of position, quaternion and joint angles as CSV.`;
}

/** Decompresses a file. @throws bad_input for damaged data, and for data beyond the limits */
function expanded(bytes: Uint8Array, isGzip: boolean): Uint8Array {
  const limit = Math.min(MAX_BYTES, Math.max(FREE_BYTES, MAX_RATIO * bytes.length));
  const options = { maxOutputLength: limit, chunkSize: CHUNK_BYTES };
  try {
    return isGzip ? gunzipSync(bytes, options) : inflateSync(bytes, options);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw badInput(`the pickle expands to more than ${limit / MIB} MiB. Split it into files of fewer clips.`);
    throw Object.assign(badInput('the file is compressed, and it is truncated or damaged. Copy it again.'), {
      cause,
    });
  }
}

function part(source: Uint8Array | PickleFile, position: number, length: number): Uint8Array {
  return source instanceof Uint8Array ? source.subarray(position, position + length) : source.read(position, length);
}
