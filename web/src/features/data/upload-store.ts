import { call } from '../../net/api.ts';
import { putFile } from '../../net/put-file.ts';
import { dataDialog } from '../../ui/dialogs.ts';
import { failed, toast } from '../../ui/toasts.ts';
import { ClipUpload } from './clip-upload.ts';
import { chooseDataset, datasets, refreshListing } from './data-store.ts';

/** The upload of this page. */
export const { chosenUpload, upload, uploading, chooseFiles, cancelUpload, startUpload } = new ClipUpload({
  call,
  putFile,
  dataDialog,
  failed,
  toast,
  chooseDataset,
  datasets,
  refreshListing,
});

window.addEventListener('beforeunload', (event) => {
  if (uploading.peek()) event.preventDefault(); // the browser asks whether to leave the page
});
