import { chooseFiles, uploading } from '../features/data/upload-store.ts';
import { holdsModel } from '../features/robot-import/shared/model-folder.ts';
import { importing } from '../features/robots/import-request-store.ts';
import { type DroppedEntry, filesOfEntries } from '../ui/chosen-files.ts';
import { dataDialog } from '../ui/dialogs.ts';
import { area, goTo } from '../ui/layout.ts';
import { toast } from '../ui/toasts.ts';

/** Opens dropped files: a robot's folder, or any file while the import wizard is open, in the wizard; other files in
 *  the upload dialog of Data.
 *  @param loose the files themselves, for browsers without directory entries
 *  @throws DOMException of the browser for an unreadable file */
export async function takeDropped(entries: readonly DroppedEntry[], loose: readonly File[]): Promise<void> {
  const files = entries.length > 0 ? await filesOfEntries(entries) : loose.map((file) => ({ file, path: file.name }));
  if (files.length === 0) return;
  if (holdsModel(files) || (importing.peek() && area.peek() === 'robots')) {
    const wizard = await import('../features/robot-import/wizard-store.ts');
    goTo('robots');
    await wizard.takeModelFiles(files);
  } else if (uploading.peek()) {
    toast('info', 'An upload is running', 'Drop the files again when it has ended.');
  } else {
    chooseFiles(files);
    goTo('data');
    dataDialog.value = { kind: 'upload' };
  }
}
