import { badInput } from '../../core/errors.ts';
import { toDoubles } from '../array/array-elements.ts';
import { kindOf, type PickleDict, type PickleList, type PickleValue } from '../pickle/pickle-values.ts';
import { PickledArray } from '../pickle/pickled-array.ts';

/** Maximum count of numbers read from lists, 256 MiB. This limit is needed because a pickle can refer to the same row
 *  many times, so that a small file can claim a huge count. */
const MAX_NUMBERS = 1 << 25;

interface Numbers {
  readonly shape: readonly [frames: number, width: number];
  /** (frames, width) */
  readonly data: Float64Array;
}

/** Returns the shape of the array or list of rows at `key`. Ignores a third axis of length 1.
 *  @param width expected width; null accepts any width  @throws bad_input naming the key */
export function pickledShape(
  dict: PickleDict,
  key: string,
  width: number | null,
): readonly [frames: number, width: number] {
  const value = dict.get(key) ?? null;
  const full = value instanceof PickledArray ? value.shape : listShape(value, key);
  const shape = full.length === 3 && full[2] === 1 ? full.slice(0, 2) : full;
  const [frames, found] = shape;
  if (shape.length !== 2 || frames === undefined || found === undefined || (width !== null && found !== width))
    throw badInput(`"${key}" has the shape (${full.join(', ')}), expected (frames, ${width ?? 'joints'})`);
  return [frames, found];
}

/** Reads the numbers at a key. @throws bad_input naming the key */
export function pickledNumbers(dict: PickleDict, key: string): Numbers {
  const value = dict.get(key) ?? null;
  const shape = pickledShape(dict, key, null);
  return {
    shape,
    data: value instanceof PickledArray ? arrayNumbers(value, key) : listNumbers(value as PickleList, key, shape),
  };
}

/** Checks that the byte counts of the arrays match their shapes, without decoding the numbers. @throws bad_input */
export function checkPickledSizes(dict: PickleDict, keys: readonly string[]): void {
  for (const key of keys) {
    const value = dict.get(key);
    if (value instanceof PickledArray) value.checkSize();
  }
}

/** Copies numbers into the columns of a clip, starting at column `first`. */
export function placeColumns(rows: Float64Array, columns: number, first: number, { shape, data }: Numbers): void {
  const [frames, width] = shape;
  for (let frame = 0; frame < frames; frame += 1)
    rows.set(data.subarray(frame * width, (frame + 1) * width), frame * columns + first);
}

/** Returns the shape of a list. The first row determines the width. */
function listShape(value: PickleValue, key: string): readonly number[] {
  if (!Array.isArray(value)) throw badInput(`"${key}" is ${kindOf(value)}, expected an array`);
  if (value.length === 0) return [0];
  const width = rowLength(value[0]!);
  return width === null ? [value.length] : [value.length, width];
}

function arrayNumbers(array: PickledArray, key: string): Float64Array {
  if (array.objects())
    throw badInput(`"${key}" contains Python objects instead of numbers. Save it as an array of float.`);
  const elements = array.elements();
  if (elements.dtype === 'U') throw badInput(`"${key}" contains texts instead of numbers`);
  return toDoubles(elements);
}

/** Reads a list of rows. Each row is a list, a tuple or an array. */
function listNumbers(rows: PickleList, key: string, [frames, width]: Numbers['shape']): Float64Array {
  if (frames * width > MAX_NUMBERS) throw badInput(`"${key}" contains more numbers than a clip can have`);
  const data = new Float64Array(frames * width);
  for (const [row, cells] of rows.entries()) {
    if (rowLength(cells) !== width)
      throw badInput(`"${key}" has rows of different length: row ${row + 1} does not have ${width} values`);
    const values = cells instanceof PickledArray ? arrayNumbers(cells, key) : (cells as PickleList);
    for (let column = 0; column < width; column += 1) {
      const cell = values[column]!;
      if (typeof cell !== 'number')
        throw badInput(`"${key}", row ${row + 1}, column ${column + 1}: ${kindOf(cell)} is not a number`);
      data[row * width + column] = cell;
    }
  }
  return data;
}

function rowLength(row: PickleValue): number | null {
  if (row instanceof PickledArray) return row.shape.length === 1 ? row.shape[0]! : null;
  return Array.isArray(row) ? row.length : null;
}
