import { Type } from 'typebox';
import { nullable } from '../route.ts';

/** One curve of a plot. */
export const Channel = Type.Object({
  id: Type.String({ description: 'Unique name, such as `root.pos.x`' }),
  name: Type.String({ description: 'Label for people' }),
  group: Type.String(),
  unit: Type.String(),
  lower: nullable(Type.Number({ description: 'Lower limit, in `unit`' })),
  upper: nullable(Type.Number({ description: 'Upper limit, in `unit`' })),
  limit_note: Type.Optional(Type.String({ description: 'Source of the limits' })),
});
