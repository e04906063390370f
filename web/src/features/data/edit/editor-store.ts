import { computed } from '@preact/signals';
import { call } from '../../../net/api.ts';
import { runSlow } from '../../../net/busy.ts';
import { ownAction } from '../../../net/scene-owner.ts';
import { toast } from '../../../ui/toasts.ts';
import { chooseDataset, dataset, datasets, refreshListing } from '../data-store.ts';
import { editedClip } from '../edit-mode.ts';
import { loadClip, seek, takePreview } from '../preview-store.ts';
import { ClipEditor } from './clip-editor.ts';

/** The editor of this page; null while no clip is edited. */
export const editor = computed(() => {
  const clip = editedClip.value;
  return clip === null ? null : new ClipEditor(clip, { call, ownAction, takePreview, seek });
});

/** Closes the editor and shows the unedited clip. */
export function leaveEditor(): void {
  const clip = editedClip.peek();
  editedClip.value = null;
  if (clip !== null) void loadClip(clip.dataset, clip.clip);
}

/** Writes the edited clips and opens the first one. @throws Error with the service's message about the name or the
 *  steps */
export async function saveEdit(edit: ClipEditor, name: string, into: string): Promise<void> {
  const started = await edit.save(name, into);
  const splits = edit.steps.peek().some((step) => step.split !== undefined);
  if (!(await runSlow(`${name} could not be saved`, () => Promise.resolve(started)))) return;
  editedClip.value = null;
  await datasets.refresh();
  if (dataset.peek()?.name === into) refreshListing([]);
  else chooseDataset(into);
  toast('ok', `${name} saved in ${into}`);
  await loadClip(into, splits ? `${name}_1` : name);
}
