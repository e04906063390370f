import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../route.ts';

export const Task = Type.Object({
  name: Type.String(),
  base: Type.String(),
  preset: nullable(Type.String()),
  description: Type.String(),
});
export type Task = Static<typeof Task>;

export const Overrides = Type.Record(Type.String(), Type.Unknown(), {
  description: 'nested object mirroring the task configuration',
});

export const Preset = Type.Object({
  name: Type.String(),
  task: Type.String(),
  base: Type.String(),
  modules: Type.Array(Type.String()),
  overrides: Overrides,
  description: Type.String(),
  error: nullable(Type.String()),
});

export const Module = Type.Object({ name: Type.String(), overrides: Overrides, description: Type.String() });

export const Knob = Type.Object({
  path: Type.String(),
  type: oneOf(['number', 'integer', 'boolean', 'string', 'enum', 'vector']),
  default: Type.Unknown(),
  value: Type.Unknown({ description: 'after modules' }),
  minimum: Type.Optional(Type.Number()),
  maximum: Type.Optional(Type.Number()),
  enum: Type.Optional(Type.Array(Type.String())),
  unit: Type.Optional(Type.String()),
  description: Type.String(),
});

export const LibraryTerm = Type.Object({
  name: Type.String(),
  dim: Type.Optional(Type.Integer()),
  unit: Type.String(),
  description: Type.String(),
  params: Type.Array(Knob),
});
