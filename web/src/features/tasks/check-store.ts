import { DraftCheck } from './draft-check.ts';
import { drafts } from './drafts-store.ts';
import { presetsStore } from './presets-store.ts';

/** The service's check of the draft that is edited on this page. */
export const { check, isChecking, problems, startChecking } = new DraftCheck({ drafts, presets: presetsStore });
