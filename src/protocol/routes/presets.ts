import { Type } from 'typebox';
import { flag, nameOf, route, strictBody } from '../route.ts';
import { Ok } from '../schemas/busy.ts';
import {
  Description,
  Knob,
  LibraryTerm,
  Module,
  ModuleInFull,
  ModuleNames,
  Overrides,
  Preset,
  PresetInFull,
  Task,
  TaskTerm,
} from '../schemas/presets.ts';
import { Undoable, undoField } from '../schemas/trash.ts';

const DryRun = flag('Checks the request and answers as usual, without writing the file');
const base = nameOf('Built-in task: see GET /api/tasks');

export const listPresets = route({
  method: 'GET',
  path: '/api/presets',
  tag: 'Presets',
  summary: 'Lists the tasks, the presets and modules, and the folder of their files',
  reply: Type.Object({
    tasks: Type.Array(Task),
    presets: Type.Array(Preset),
    modules: Type.Array(Module),
    directory: Type.String({ description: 'Folder of the preset and module files' }),
  }),
});

export const getPresetSchema = route({
  method: 'GET',
  path: '/api/presets/schema',
  tag: 'Presets',
  summary: 'Gets every setting of a task with its default, and the terms that can be added',
  query: Type.Object({
    base,
    modules: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        maxItems: 64,
        description: 'Names of modules in the order in which they are applied: `modules=a,b` or `modules=a&modules=b`',
      }),
    ),
  }),
  reply: Type.Object({
    base: Type.String(),
    modules: Type.Array(Type.String()),
    knobs: Type.Array(Knob),
    terms: Type.Array(TaskTerm, {
      description: 'Terms of the task: observations, rewards, terminations, events',
    }),
    observation_terms: Type.Array(LibraryTerm),
    reward_terms: Type.Array(LibraryTerm),
    termination_terms: Type.Array(LibraryTerm),
    event_terms: Type.Array(LibraryTerm),
    json_schema: Type.Unknown({ description: 'JSON Schema of `overrides`' }),
  }),
});

export const getPreset = route({
  method: 'GET',
  path: '/api/presets/{name}',
  tag: 'Presets',
  summary: 'Gets a preset',
  reply: PresetInFull,
});

export const writePreset = route({
  method: 'PUT',
  path: '/api/presets/{name}',
  tag: 'Presets',
  summary: 'Creates or replaces a preset',
  stores: true,
  body: strictBody({
    base,
    overrides: Type.Optional(Overrides),
    modules: Type.Optional(ModuleNames),
    description: Type.Optional(Description),
    dry_run: DryRun,
  }),
  reply: Type.Intersect([Ok, PresetInFull, Type.Object({ undo: undoField })]),
});

export const deletePreset = route({
  method: 'DELETE',
  path: '/api/presets/{name}',
  tag: 'Presets',
  summary: 'Deletes a preset',
  stores: true,
  reply: Undoable,
});

export const getModule = route({
  method: 'GET',
  path: '/api/modules/{name}',
  tag: 'Presets',
  summary: 'Gets a module',
  reply: ModuleInFull,
});

export const writeModule = route({
  method: 'PUT',
  path: '/api/modules/{name}',
  tag: 'Presets',
  summary: 'Creates or replaces a module',
  stores: true,
  body: strictBody({
    overrides: Type.Optional(Overrides),
    description: Type.Optional(Description),
    dry_run: DryRun,
  }),
  reply: Type.Intersect([Ok, ModuleInFull, Type.Object({ undo: undoField })]),
});

export const deleteModule = route({
  method: 'DELETE',
  path: '/api/modules/{name}',
  tag: 'Presets',
  summary: 'Deletes a module',
  stores: true,
  reply: Undoable,
});
