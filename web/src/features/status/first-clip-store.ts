import { call } from '../../net/api.ts';
import { datasets } from '../data/data-store.ts';
import { FirstClipFinder } from './first-clip-finder.ts';

/** The clip that the first-run checklist of this page offers. */
export const { firstClipSought, listFirstClips } = new FirstClipFinder({ call, datasets });
