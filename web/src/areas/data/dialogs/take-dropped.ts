import { type DroppedEntry, filesOfEntries } from '../../../logic/data/upload-plan.ts';
import { holdsModel } from '../../../logic/import/model-folder.ts';
import { chooseFiles, uploading } from '../../../service/upload.ts';
import { dataDialog } from '../../../state/dialogs.ts';
import { importing } from '../../../state/import/draft-view.ts';
import { toast } from '../../../state/toasts.ts';
import { area, goTo } from '../../../state/ui.ts';

/** Takes what was dropped to where it belongs: a robot's folder to the wizard, all else to the clips.
 *  @param loose the files themselves, where the browser has no entries for them
 *  @throws what the browser says of an unreadable one */
export async function takeDropped(entries: readonly DroppedEntry[], loose: readonly File[]): Promise<void> {
  const files = entries.length > 0 ? await filesOfEntries(entries) : loose.map((file) => ({ file, path: file.name }));
  if (files.length === 0) return;
  if (holdsModel(files) || (importing.peek() && area.peek() === 'robots')) {
    const wizard = await import('../../../service/import/wizard.ts');
    await wizard.takeModelFiles(files);
  } else if (uploading.peek()) {
    toast('info', 'An upload is running', 'Drop the files again when it has ended.');
  } else {
    chooseFiles(files);
    goTo('data');
    dataDialog.value = { kind: 'upload' };
  }
}
