import { Type } from 'typebox';
import { route, strictBody } from '../route.ts';
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
} from '../schemas/presets.ts';

const DryRun = Type.Optional(Type.Boolean({ description: 'checks and answers as usual, but writes nothing' }));

export const listPresets = route({
  method: 'GET',
  path: '/api/presets',
  area: 'presets',
  summary: "Tasks, the user's presets, modules, the config directory",
  reply: Type.Object({
    tasks: Type.Array(Task),
    presets: Type.Array(Preset),
    modules: Type.Array(Module),
    directory: Type.String(),
  }),
});

export const getPresetSchema = route({
  method: 'GET',
  path: '/api/presets/schema',
  area: 'presets',
  summary: 'Every editable knob of a task with defaults, and the term library',
  query: Type.Object({
    base: Type.String(),
    modules: Type.Optional(Type.String({ description: 'comma-separated' })),
  }),
  reply: Type.Object({
    base: Type.String(),
    modules: Type.Array(Type.String()),
    knobs: Type.Array(Knob),
    terms: Type.Array(Type.Object({ path: Type.String(), func: Type.String(), description: Type.String() }), {
      description: 'terms that the task has: observations, rewards, terminations, events',
    }),
    observation_terms: Type.Array(LibraryTerm),
    reward_terms: Type.Array(LibraryTerm),
    termination_terms: Type.Array(LibraryTerm),
    event_terms: Type.Array(LibraryTerm),
    json_schema: Type.Unknown(),
  }),
});

export const getPreset = route({
  method: 'GET',
  path: '/api/presets/{name}',
  area: 'presets',
  summary: 'Reads a preset',
  reply: PresetInFull,
});

export const writePreset = route({
  method: 'PUT',
  path: '/api/presets/{name}',
  area: 'presets',
  summary: 'Writes a preset',
  body: strictBody({
    base: Type.String(),
    overrides: Type.Optional(Overrides),
    modules: Type.Optional(ModuleNames),
    description: Type.Optional(Description),
    dry_run: DryRun,
  }),
  reply: Type.Object({ ok: Type.Literal(true), ...PresetInFull.properties }),
});

export const deletePreset = route({
  method: 'DELETE',
  path: '/api/presets/{name}',
  area: 'presets',
  summary: 'Deletes a preset',
  reply: Ok,
});

export const getModule = route({
  method: 'GET',
  path: '/api/modules/{name}',
  area: 'presets',
  summary: 'Reads a module',
  reply: ModuleInFull,
});

export const writeModule = route({
  method: 'PUT',
  path: '/api/modules/{name}',
  area: 'presets',
  summary: 'Writes a module',
  body: strictBody({
    overrides: Type.Optional(Overrides),
    description: Type.Optional(Description),
    dry_run: DryRun,
  }),
  reply: Type.Object({ ok: Type.Literal(true), ...ModuleInFull.properties }),
});

export const deleteModule = route({
  method: 'DELETE',
  path: '/api/modules/{name}',
  area: 'presets',
  summary: 'Deletes a module',
  reply: Ok,
});
