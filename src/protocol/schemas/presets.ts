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

/** Modules of a preset: in order, each one idea. */
export const ModuleNames = Type.Array(Type.String(), { maxItems: 64 });
export const Description = Type.String({ maxLength: 2000 });

export const Preset = Type.Object({
  name: Type.String(),
  task: Type.String(),
  base: Type.String(),
  modules: Type.Array(Type.String()),
  overrides: Overrides,
  description: Type.String(),
  error: nullable(Type.String()),
});
export type Preset = Static<typeof Preset>;

export const Module = Type.Object({
  name: Type.String(),
  overrides: Overrides,
  description: Type.String(),
  error: nullable(Type.String({ description: 'why it cannot be used' })),
});

export type Module = Static<typeof Module>;

/** What a task comes to, beside its base task. */
export const Effect = Type.Object({
  observations: Type.Array(Type.Object({ group: Type.String(), dim: Type.Integer(), base: nullable(Type.Integer()) }), {
    description: 'values of each observation group',
  }),
  action: Type.Object({ dim: Type.Integer(), base: Type.Integer() }),
  memory: Type.Object({
    envs: Type.Integer(),
    bytes: Type.Integer({ description: 'of so many environments, estimated' }),
    base_bytes: Type.Integer(),
  }),
});
export type Effect = Static<typeof Effect>;

/** A preset with its file's text and what it comes to. */
export const PresetInFull = Type.Intersect([
  Preset,
  Type.Object({ yaml: Type.String({ description: 'text of its file' }), effect: nullable(Effect) }),
]);

/** A module with its file's text. */
export const ModuleInFull = Type.Intersect([
  Module,
  Type.Object({ yaml: Type.String({ description: 'text of its file' }) }),
]);

export const Knob = Type.Object({
  path: Type.String(),
  type: oneOf(['number', 'integer', 'boolean', 'string', 'enum', 'vector']),
  default: Type.Unknown(),
  value: Type.Unknown({ description: 'after modules' }),
  minimum: Type.Optional(Type.Number()),
  maximum: Type.Optional(Type.Number()),
  above: Type.Optional(Type.Number({ description: 'the number must be greater' })),
  enum: Type.Optional(Type.Array(Type.String())),
  unit: Type.Optional(Type.String()),
  items: Type.Optional(oneOf(['number', 'integer', 'string'], { description: 'of a vector' })),
  length: Type.Optional(Type.Integer({ description: 'how many items a vector has' })),
  ordered: Type.Optional(Type.Boolean({ description: 'a vector of lowest and highest' })),
  or_number: Type.Optional(Type.Boolean({ description: 'a vector that may be given as one number' })),
  nullable: Type.Optional(Type.Boolean()),
  description: Type.String(),
});

export type Knob = Static<typeof Knob>;

export const LibraryTerm = Type.Object({
  name: Type.String(),
  alias_of: Type.Optional(Type.String({ description: 'the function that this is another name of' })),
  dim: Type.Optional(Type.Integer()),
  unit: Type.String(),
  description: Type.String(),
  params: Type.Array(Knob),
});
export type LibraryTerm = Static<typeof LibraryTerm>;

/** A term that a task has. */
export const TaskTerm = Type.Object({ path: Type.String(), func: Type.String(), description: Type.String() });
