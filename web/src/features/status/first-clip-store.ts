import { call } from '../../net/api.ts';
import { datasets } from '../data/data-store.ts';
import { FirstClipFinder } from './first-clip-finder.ts';

/** The clip that the first steps of this page offer. */
export const { firstClipSought, listFirstClips } = new FirstClipFinder({ call, datasets });
