import { closeSync, openSync, readSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import { badInput } from '../../core/errors.ts';
import { READ_FLAGS } from '../../core/files/bounded-file.ts';
import { openBytes } from '../byte-source.ts';
import type { PickleDialect, PickleValue } from '../pickle/pickle-values.ts';
import { readPickle } from '../pickle/read-pickle.ts';
import { type EntryPlace, findEntries, readZip } from '../zip.ts';
import { STORAGES, type TorchTensor, tensorValues } from './tensor.ts';
import { TORCH_DIALECT } from './torch-dialect.ts';

const MIB = 1 << 20;
const MAX_ENTRIES = 4096;
/** Maximum size of the pickle, bytes. A pickle of names and shapes has some tens of kB. */
const MAX_PICKLE_BYTES = 64 * MIB;
/** Maximum size of one storage, bytes: twice the largest supported layer in double precision. */
const MAX_STORAGE_BYTES = 256 * MIB;
/** Maximum total size of all values in memory, bytes: first for a small file, then for any file. Policy networks need a
 *  few MiB, or three times as much with their optimizer. */
const FREE_BYTES = 64 * MIB;
const MAX_BYTES = 512 * MIB;
/** Maximum ratio of the size of all values to the file size: float16 becomes float32 (×2), and a network may be read
 *  twice (×2). */
const MAX_RATIO = 4;

/** An open checkpoint. Tensor values are read on use. */
export interface TorchFile {
  /** the saved value; tensors are {@link TorchTensor}s */
  readonly value: PickleValue;
  /** Reads a tensor's values into a new array.
   *  @throws bad_input if bytes of the tensor are missing, or if all tensors together exceed the limit for this file */
  values(tensor: TorchTensor): Float32Array;
}

/** Describes the expected content of a file of `torch.save`. */
export interface TorchKind {
  /** name for messages, such as `a checkpoint` */
  readonly what: string;
  readonly dialect: PickleDialect;
}

const CHECKPOINT: TorchKind = { what: 'a checkpoint', dialect: TORCH_DIALECT };

/** Opens a file of `torch.save` (the zip format of torch 1.6 and later) without running code from the file. The
 *  pickle may refer only to tensors, numpy arrays and plain values. Any other reference is refused with an error
 *  that names it.
 *  @param file must exist until the last tensor is read  @param kind expected content; a checkpoint by default
 *  @throws bad_input */
export async function readTorch(file: string, kind: TorchKind = CHECKPOINT): Promise<TorchFile> {
  const source = await openBytes(file);
  let places: Map<string, EntryPlace>;
  let fileBytes: number;
  try {
    const head = source.size < 4 ? null : await source.read(0, 4);
    if (head?.toString('latin1') !== 'PK\x03\x04')
      throw badInput(`not ${kind.what} of torch 1.6 or later: the file is not a zip file, or it is truncated`);
    places = await findEntries(source, () => true, MAX_ENTRIES);
    fileBytes = source.size;
  } finally {
    await source.close();
  }
  const pickle = [...places.keys()].find((name) => /^[^/]+\/data\.pkl$/.test(name));
  if (pickle === undefined) throw badInput(`not ${kind.what}: the zip file has no data.pkl`);
  const root = pickle.slice(0, -'data.pkl'.length);
  const order = `${root}byteorder`;
  const texts = await readZip(file, (name) => (name === pickle || name === order ? Number.POSITIVE_INFINITY : 0), {
    maxBytes: MAX_PICKLE_BYTES,
    maxEntries: MAX_ENTRIES,
  });
  const byteOrder = texts.get(order);
  if (byteOrder && new TextDecoder().decode(byteOrder.bytes).trim() !== 'little')
    throw badInput('was written on a big-endian machine, which is not supported');
  const storages = new Storages(file, fileBytes, places, root);
  return {
    value: readPickle(texts.get(pickle)!.bytes, kind.dialect),
    values: (tensor) => storages.values(tensor),
  };
}

/** Reads the values of a checkpoint. Limits the total of all bytes read, both decompressed storages and values:
 *  shared tensors and compressed zeros could turn a few kB into gigabytes. */
class Storages {
  readonly #file: string;
  readonly #places: ReadonlyMap<string, EntryPlace>;
  readonly #root: string;
  readonly #allowed: number;
  #left: number;
  /** the storage that was read last; kept because the next tensor may also use it */
  #open: { readonly key: string; readonly bytes: Uint8Array } | null = null;

  constructor(file: string, fileBytes: number, places: ReadonlyMap<string, EntryPlace>, root: string) {
    this.#file = file;
    this.#places = places;
    this.#root = root;
    this.#allowed = Math.min(MAX_BYTES, Math.max(FREE_BYTES, MAX_RATIO * fileBytes));
    this.#left = this.#allowed;
  }

  values(tensor: TorchTensor): Float32Array {
    const { key, type, length } = tensor.storage;
    const place = this.#places.get(`${this.#root}data/${key}`);
    if (!place) throw badInput(`has no entry "data/${key}" for its numbers: it is damaged`);
    const expected = length * STORAGES[type];
    if (place.bytes !== expected)
      throw badInput(`has ${place.bytes} bytes, but its ${length} numbers need ${expected}`);
    if (tensor.elements > length)
      throw badInput(`is a tensor of ${tensor.elements} numbers in a storage of ${length}: it is damaged`);
    this.#take(4 * tensor.elements);
    if (this.#open?.key !== key) {
      if (place.bytes > MAX_STORAGE_BYTES)
        throw badInput(`"data/${key}" has ${place.bytes} bytes, the limit is ${MAX_STORAGE_BYTES}`);
      this.#take(place.deflated ? place.bytes : 0);
      this.#open = { key, bytes: readWhole(this.#file, place) };
    }
    return tensorValues(tensor, this.#open.bytes);
  }

  #take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0)
      throw badInput(
        `contains tensors of more than ${Math.floor(this.#allowed / MIB)} MiB in total, which is impossible for a file of its size: it is damaged`,
      );
  }
}

/** Reads a whole zip entry and verifies its checksum. Blocks, so call it in a worker thread. */
function readWhole(file: string, place: EntryPlace): Uint8Array {
  const packed = Buffer.allocUnsafeSlow(place.packedBytes);
  const descriptor = openSync(file, READ_FLAGS);
  try {
    for (let done = 0; done < packed.length; ) {
      const read = readSync(descriptor, packed, done, packed.length - done, place.start + done);
      if (read === 0) throw badInput('became shorter while it was being read. Try again.');
      done += read;
    }
  } finally {
    closeSync(descriptor);
  }
  const bytes = place.deflated ? expanded(packed, place) : packed;
  if (crc32(bytes) !== place.crc32)
    throw badInput(`"${place.name}" in the zip file is damaged: its checksum does not match. Copy the file again.`);
  return bytes;
}

function expanded(packed: Buffer, place: EntryPlace): Buffer {
  if (place.bytes === 0) return Buffer.alloc(0);
  try {
    return inflateRawSync(packed, { maxOutputLength: place.bytes });
  } catch (cause) {
    throw Object.assign(badInput(`"${place.name}" in the zip file is damaged. Copy the file again.`), { cause });
  }
}
