import { call } from '../../net/api.ts';
import { putFile } from '../../net/put-file.ts';
import { draft } from './draft-store.ts';
import { GainsLoader } from './load-gains.ts';
import { takenIds, uploadId } from './wizard-store.ts';

/** Loads gains into the draft of the page's wizard. */
export const gainsLoader = new GainsLoader({ call, putFile, draft, uploadId, takenIds });
