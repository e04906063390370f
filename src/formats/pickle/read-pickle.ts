import { badInput } from '../../core/errors.ts';
import { NUMPY_DIALECT } from './pickle-globals.ts';
import { type PickleFile, PickleInput } from './pickle-input.ts';
import { PickleMachine } from './pickle-machine.ts';
import { step } from './pickle-opcodes.ts';
import type { PickleDialect, PickleValue } from './pickle-values.ts';

/** Bytes that tell what else a file is. */
const MAX_START = 6;
/** Files that people call pickles and that begin otherwise. */
const OTHERS: readonly (readonly [start: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 3, 4], 'a zip file (as torch.save writes)'],
  [[0x1f, 0x8b], 'compressed with gzip: unpack it first'],
  [[0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59], 'a .npy array'],
];

/** Reads a pickle of protocol 0 to 5 and runs nothing of it: it may hold plain values and numpy arrays; whatever else it
 *  refers to is refused by name. Memory is bounded by the file and 256 MiB. What follows the pickle is not looked at.
 *  Bytes and arrays of the result lie in the memory of `source`; of a file, long ones are not read at all.
 *  @param dialect what may be beside plain values: numpy arrays unless it says otherwise
 *  @throws bad_input */
export function readPickle(source: Uint8Array | PickleFile, dialect: PickleDialect = NUMPY_DIALECT): PickleValue {
  const head = source instanceof Uint8Array ? source : source.read(0, Math.min(source.size, MAX_START));
  const other = OTHERS.find(([start]) => start.every((byte, index) => head[index] === byte));
  if (other) throw badInput(`not a pickle but ${other[1]}`);
  const machine = new PickleMachine(new PickleInput(source), dialect);
  while (machine.result === null) step(machine);
  return machine.result.value;
}
