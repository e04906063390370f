import { badInput } from '../../core/errors.ts';
import { PickledArray } from './pickled-array.ts';
import { readPickle } from './read-pickle.ts';

/** Texts of a `.npy` array of Python objects, whose elements stand in the file as a pickle: how upstream writes the names
 *  of joints. Nothing of the pickle is run.
 *  @param count of the elements, by the array's header  @throws bad_input where it holds anything but texts */
export function readPickledTexts(pickle: Uint8Array, count: number): readonly string[] {
  const value = readPickle(pickle);
  const objects = value instanceof PickledArray ? value.objects() : null;
  if (!objects) throw badInput('the pickle holds no array of objects');
  if (objects.length !== count) throw badInput(`the pickle holds ${objects.length} objects, the array has ${count}`);
  const texts = objects.filter((object) => typeof object === 'string');
  if (texts.length !== count) throw badInput('its objects are not all texts');
  return texts;
}
