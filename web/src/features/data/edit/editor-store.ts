import { computed } from '@preact/signals';
import { call } from '../../../net/api.ts';
import { runSlow } from '../../../net/busy.ts';
import { toast } from '../../../ui/toasts.ts';
import { chooseDataset, dataset, datasets, refreshListing } from '../data-store.ts';
import { editedClip } from '../edit-mode.ts';
import { loadClip, seek, takePreview } from '../preview-store.ts';
import { ClipEditor } from './clip-editor.ts';

/** The last edit that was closed without saving. It continues when its clip is edited again. */
let unsaved: ClipEditor | null = null;

/** The editor of this page; null while no clip is edited. */
export const editor = computed(() => {
  const clip = editedClip.value;
  if (clip === null) return null;
  if (unsaved?.clip.dataset !== clip.dataset || unsaved.clip.clip !== clip.clip)
    return new ClipEditor(clip, { call, takePreview, seek });
  unsaved.resume();
  return unsaved;
});

/** Closes the editor. Keeps unsaved steps, and offers to continue with them. */
export function closeEditor(): void {
  const edit = editor.peek();
  editedClip.value = null;
  if (edit === null) return;
  edit.leave();
  if (edit.steps.peek().length === 0) return;
  unsaved = edit;
  toast('info', `The edit of ${edit.clip.clip} is not saved`, 'Its steps are kept until another clip is edited.', {
    label: 'Continue',
    run: () => {
      editedClip.value = { ...edit.clip };
    },
  });
}

/** Closes the editor and shows the unedited clip. */
export function leaveEditor(): void {
  const clip = editedClip.peek();
  closeEditor();
  if (clip !== null) void loadClip(clip.dataset, clip.clip);
}

/** Writes the edited clips and opens the first one. @throws Error with the service's message about the name or the
 *  steps */
export async function saveEdit(edit: ClipEditor, name: string, into: string): Promise<void> {
  const started = await edit.save(name, into);
  const splits = edit.steps.peek().some((step) => step.split !== undefined);
  if (!(await runSlow(`${name} could not be saved`, () => Promise.resolve(started)))) return;
  unsaved = null;
  editedClip.value = null;
  await datasets.refresh();
  if (dataset.peek()?.name === into) refreshListing([]);
  else chooseDataset(into);
  toast('ok', `${name} saved in ${into}`);
  await loadClip(into, splits ? `${name}_1` : name);
}
