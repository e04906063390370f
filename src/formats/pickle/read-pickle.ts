import { badInput } from '../../core/errors.ts';
import { NUMPY_DIALECT } from './pickle-globals.ts';
import { type PickleFile, PickleInput } from './pickle-input.ts';
import { PickleMachine } from './pickle-machine.ts';
import { step } from './pickle-opcodes.ts';
import type { PickleDialect, PickleValue } from './pickle-values.ts';

/** Number of leading bytes that identify other formats. */
const MAX_START = 6;
/** Formats that are often mistaken for pickles, with their first bytes. */
const OTHERS: readonly (readonly [start: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 3, 4], 'a zip file (as torch.save writes)'],
  [[0x1f, 0x8b], 'a gzip file, which must be unpacked first'],
  [[0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59], 'a .npy array'],
];

/** Reads a pickle of protocol 0 to 5 without running any code. It may contain plain values and numpy arrays; other
 *  globals are refused by name. Memory is limited to the file size plus 256 MiB. Bytes after the pickle are ignored.
 *  Byte strings and arrays of the result are views of `source`; when reading from a file, long ones are skipped.
 *  @param dialect the globals that are allowed in addition to plain values; by default those of numpy
 *  @throws bad_input */
export function readPickle(source: Uint8Array | PickleFile, dialect: PickleDialect = NUMPY_DIALECT): PickleValue {
  const head = source instanceof Uint8Array ? source : source.read(0, Math.min(source.size, MAX_START));
  const other = OTHERS.find(([start]) => start.every((byte, index) => head[index] === byte));
  if (other) throw badInput(`not a pickle but ${other[1]}`);
  const machine = new PickleMachine(new PickleInput(source), dialect);
  while (machine.result === null) step(machine);
  return machine.result.value;
}
