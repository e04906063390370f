import { computed } from '@preact/signals';
import { failed, toast } from '../../ui/toasts.ts';
import { robot } from '../robots/robots-store.ts';
import { presetsStore } from './presets-store.ts';
import { TaskDrafts } from './task-drafts.ts';

/** The drafts of presets and modules on this page. */
export const drafts = new TaskDrafts({
  presets: presetsStore,
  robotId: computed(() => robot.value?.id ?? ''),
  toast,
  failed,
});
export const {
  chosen,
  draft,
  unsaved,
  isUnsaved,
  isOutdated,
  saving,
  change,
  setKnob,
  setBadText,
  reset,
  addTerm,
  removeTerm,
  begin,
  discard,
  save,
  remove,
} = drafts;

window.addEventListener('beforeunload', (event) => {
  if (drafts.hasUnsaved.peek()) event.preventDefault(); // the browser asks whether to leave the page
});
