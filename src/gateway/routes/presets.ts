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
import { listTasks } from '../../protocol/routes/training.ts';
import { handle, handleTagged, ok } from './handle.ts';

export const presetHandlers = [
  handle(listPresets, (studio) => studio.presets.list()),
  handleTagged(getPresetSchema, (studio, { query }) => studio.presets.schema(query)),
  handle(getPreset, (studio, { params }) => studio.presets.preset(params.name)),
  handle(writePreset, (studio, { params, body }) => studio.presets.writePreset(params.name, body)),
  handle(deletePreset, async (studio, { params }) => {
    await studio.presets.removePreset(params.name);
    return ok();
  }),
  handle(getModule, (studio, { params }) => studio.presets.module(params.name)),
  handle(writeModule, (studio, { params, body }) => studio.presets.writeModule(params.name, body)),
  handle(deleteModule, async (studio, { params }) => {
    await studio.presets.removeModule(params.name);
    return ok();
  }),
  handle(listTasks, async (studio) => ({ tasks: await studio.presets.tasks(), ...studio.training.choices() })),
];
