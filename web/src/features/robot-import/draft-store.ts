import { call } from '../../net/api.ts';
import { remember, remembered } from '../../ui/stored.ts';
import { failed } from '../../ui/toasts.ts';
import { draftWiring } from './draft-view-store.ts';
import { RobotDraft } from './robot-draft.ts';

/** The draft that the page's wizard edits. */
export const draft = new RobotDraft({ call, failed, remembered, remember, draftWiring });
export const {
  inspection,
  savedSpec,
  spec,
  report,
  changeSpec,
  changeJoints,
  changeWiring,
  resetEdits,
  takeSuggestion,
} = draft;
