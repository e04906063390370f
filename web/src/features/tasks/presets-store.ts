import { call } from '../../net/api.ts';
import { SavedPresets } from './saved-presets.ts';

/** The saved presets and modules, as known to this page. */
export const presetsStore = new SavedPresets({ call });
export const { presets, schemaOf, refreshPresets, takePresets } = presetsStore;
