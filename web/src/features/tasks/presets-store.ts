import { call } from '../../net/api.ts';
import { SavedPresets } from './saved-presets.ts';

/** The page's presets. */
export const presetsStore = new SavedPresets({ call });
export const { presets, schemaOf, refreshPresets, takePresets } = presetsStore;
