import { badInput } from '../../core/errors.ts';
import { PickledArray } from './pickled-array.ts';
import { readPickle } from './read-pickle.ts';

/** Limit of a pickle of texts, bytes. The names of a robot's joints take a few kB. */
const MAX_BYTES = 16 << 20;

/** Checks the size of a pickle of texts before it is expanded. @throws bad_input */
export function checkPickledBytes(bytes: number): void {
  if (bytes > MAX_BYTES) throw badInput(`the array has ${bytes} bytes of pickled objects, limit ${MAX_BYTES}`);
}

/** Reads the strings of a `.npy` array of Python objects, whose elements are stored as a pickle. The upstream
 *  projects (docs/terms.md) store joint names in this way. Does not run code from the pickle.
 *  @param count number of elements in the array's header  @throws bad_input for elements that are not strings */
export function readPickledTexts(pickle: Uint8Array, count: number): readonly string[] {
  const value = readPickle(pickle);
  const objects = value instanceof PickledArray ? value.objects() : null;
  if (!objects) throw badInput('the pickle does not contain an array of objects');
  if (objects.length !== count)
    throw badInput(`the pickle contains ${objects.length} values, expected ${count}: it may be in another format`);
  const texts = objects.filter((object) => typeof object === 'string');
  if (texts.length !== count) throw badInput('it must contain only strings');
  return texts;
}
