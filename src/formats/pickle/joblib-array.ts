import { badInput } from '../../core/errors.ts';
import { elementCount } from '../array/element-type.ts';
import type { PickleInput } from './pickle-input.ts';
import { isTuple, PickledObject, PickleGlobal, type PickleValue } from './pickle-values.ts';
import { PickledArray, PickledType } from './pickled-array.ts';

/** The class that marks an array in a pickle of joblib. */
export const JOBLIB_ARRAY = new PickleGlobal('joblib.numpy_pickle.NumpyArrayWrapper', null);

/** Placeholder of an array in a pickle of joblib. The bytes of the array follow the opcode that sets the state of
 *  this placeholder. joblib/numpy_pickle.py writes this layout since version 0.10. */
export class JoblibArray extends PickledObject {
  constructor() {
    super('an array of joblib');
  }

  /** Reads the array. Its bytes follow one byte with the length of the padding, and the padding itself. Versions
   *  before 1.2 write no padding and no length.
   *  @param state dict of `shape`, `order`, `dtype` …  @throws bad_input */
  read(state: PickleValue, input: PickleInput): PickledArray {
    if (!(state instanceof Map)) throw damaged();
    const [shape, order, dtype] = ['shape', 'order', 'dtype'].map((key) => state.get(key) ?? null);
    if (!isTuple(shape!) || !(dtype instanceof PickledType) || (order !== 'C' && order !== 'F')) throw damaged();
    const { type } = dtype;
    if (typeof type === 'string') throw badInput(`arrays of type "${type.slice(0, 20)}" are not supported`);
    if (type.kind === 'O')
      throw badInput('joblib arrays of Python objects are not supported. Save numbers and texts as plain arrays.');
    if (!shape.every((size) => Number.isSafeInteger(size) && (size as number) >= 0)) throw damaged();
    const bytes = elementCount(type, shape as readonly number[]) * type.itemBytes;
    if ((state.get('numpy_array_alignment_bytes') ?? null) !== null) input.take(input.u8());
    const array = new PickledArray();
    array.fill(type, shape, order === 'F', input.take(bytes));
    return array;
  }
}

function damaged(): Error {
  return badInput('the pickle contains an array of joblib without shape or element type: it is damaged');
}
