import { call } from '../../net/api.ts';
import { putFile } from '../../net/put-file.ts';
import { imports } from '../robots/robots-store.ts';
import { FolderUpload } from './folder-upload.ts';

/** The uploads of the page's wizard. */
export const upload = new FolderUpload({ call, putFile, imports });
export const { sending, chosenFolder, cancelSending } = upload;
