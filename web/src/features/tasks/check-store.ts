import { DraftCheck } from './draft-check.ts';
import { drafts } from './drafts-store.ts';
import { presetsStore } from './presets-store.ts';

/** The page's check of the draft. */
export const { check, isChecking, problems, startChecking } = new DraftCheck({ drafts, presets: presetsStore });
