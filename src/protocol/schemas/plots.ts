import { Type } from 'typebox';
import { nullable } from '../route.ts';

/** One curve of a plot. */
export const Channel = Type.Object({
  id: Type.String(),
  name: Type.String(),
  group: Type.String(),
  unit: Type.String(),
  lower: nullable(Type.Number()),
  upper: nullable(Type.Number()),
  limit_note: Type.Optional(Type.String()),
});
