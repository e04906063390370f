import { Type } from 'typebox';
import { nameOf } from '../route.ts';

/** Name of a dataset in a query or body. */
export const datasetField = nameOf('Name of a dataset of the selected robot');
/** Name of a clip in a query or body. */
export const clipField = nameOf('Name of a clip of the dataset');
/** Search text for clip names. */
export const searchField = Type.String({
  maxLength: 256,
  description: 'Case-insensitive: part of the name, or a pattern for the whole name with `*` and `?`',
});
