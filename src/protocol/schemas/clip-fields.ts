import { Type } from 'typebox';
import { nameOf } from '../route.ts';

/** Name of a dataset in a query or body. */
export const datasetField = nameOf('a dataset of the selected robot');
/** Name of a clip in a query or body. */
export const clipField = nameOf('a clip of the dataset');
/** Search text for clip names. */
export const searchField = Type.String({
  maxLength: 256,
  description: 'case-insensitive: a part of the name, or the whole name with `*` and `?`',
});
