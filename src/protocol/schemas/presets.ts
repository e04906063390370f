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
  description: 'Nested object with the structure of the task configuration. Each value replaces that of the base task',
});

/** Names of a preset's modules, in the order in which they are applied. */
export const ModuleNames = Type.Array(Type.String(), { maxItems: 64 });
export const Description = Type.String({ maxLength: 2000 });

export const Preset = Type.Object({
  name: Type.String(),
  task: Type.String(),
  base: Type.String(),
  modules: Type.Array(Type.String()),
  overrides: Overrides,
  description: Type.String(),
  error: nullable(Type.String({ description: 'Why the preset cannot be used' })),
});
export type Preset = Static<typeof Preset>;

export const Module = Type.Object({
  name: Type.String(),
  overrides: Overrides,
  description: Type.String(),
  error: nullable(Type.String({ description: 'Why the module cannot be used' })),
});

export type Module = Static<typeof Module>;

/** Sizes of a task compared with its base task. */
export const Effect = Type.Object({
  observations: Type.Array(Type.Object({ group: Type.String(), dim: Type.Integer(), base: nullable(Type.Integer()) }), {
    description: 'Number of values in each observation group',
  }),
  action: Type.Object({ dim: Type.Integer(), base: Type.Integer() }),
  memory: Type.Object({
    envs: Type.Integer({ description: 'Number of environments of the estimate' }),
    bytes: Type.Integer({ description: 'Estimated memory of these environments' }),
    base_bytes: Type.Integer({ description: 'Estimated memory of the base task with the same number of environments' }),
  }),
});
export type Effect = Static<typeof Effect>;

/** A preset with the text of its file and its effect. */
export const PresetInFull = Type.Intersect([
  Preset,
  Type.Object({ yaml: Type.String({ description: 'Text of the file' }), effect: nullable(Effect) }),
]);

/** A module with the text of its file. */
export const ModuleInFull = Type.Intersect([
  Module,
  Type.Object({ yaml: Type.String({ description: 'Text of the file' }) }),
]);

export const Knob = Type.Object({
  path: Type.String({ description: 'Path in `overrides`, such as `rewards.action_rate_l1.weight`' }),
  type: oneOf(['number', 'integer', 'boolean', 'string', 'enum', 'vector']),
  default: Type.Unknown({ description: 'Value in the base task' }),
  value: Type.Unknown({ description: 'Value after the modules' }),
  minimum: Type.Optional(Type.Number()),
  maximum: Type.Optional(Type.Number()),
  above: Type.Optional(Type.Number({ description: 'Exclusive lower limit' })),
  enum: Type.Optional(Type.Array(Type.String())),
  unit: Type.Optional(Type.String()),
  items: Type.Optional(oneOf(['number', 'integer', 'string'], { description: 'Type of the items of a vector' })),
  length: Type.Optional(Type.Integer({ description: 'Number of items of a vector' })),
  ordered: Type.Optional(Type.Boolean({ description: 'Whether the vector is a range: lowest, then highest' })),
  or_number: Type.Optional(Type.Boolean({ description: 'Whether a single number is accepted in place of the vector' })),
  nullable: Type.Optional(Type.Boolean()),
  description: Type.String(),
});

export type Knob = Static<typeof Knob>;

export const LibraryTerm = Type.Object({
  name: Type.String(),
  alias_of: Type.Optional(Type.String({ description: 'Function for which this is another name' })),
  dim: Type.Optional(Type.Integer()),
  unit: Type.String(),
  description: Type.String(),
  params: Type.Array(Knob),
});
export type LibraryTerm = Static<typeof LibraryTerm>;

/** A term of a task. */
export const TaskTerm = Type.Object({ path: Type.String(), func: Type.String(), description: Type.String() });
