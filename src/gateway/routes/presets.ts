import {
  deleteModule,
  deletePreset,
  getModule,
  getPreset,
  getPresetSchema,
  listPresets,
  writeModule,
  writePreset,
} from '../../protocol/routes/presets.ts';
import { handle, handleTagged, ok } from './handle.ts';

export const presetsHandlers = [
  handle(listPresets, ({ presets }) => presets.list()),
  handleTagged(getPresetSchema, ({ presets }, { query }) => presets.schema(query)),
  handle(getPreset, ({ presets }, { params }) => presets.preset(params.name)),
  handle(writePreset, ({ presets }, { params, body }) => presets.writePreset(params.name, body)),
  handle(deletePreset, async ({ presets }, { params }) => ok({ undo: await presets.removePreset(params.name) })),
  handle(getModule, ({ presets }, { params }) => presets.module(params.name)),
  handle(writeModule, ({ presets }, { params, body }) => presets.writeModule(params.name, body)),
  handle(deleteModule, async ({ presets }, { params }) => ok({ undo: await presets.removeModule(params.name) })),
];
