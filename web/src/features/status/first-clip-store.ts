import { call } from '../../net/api.ts';
import { datasets } from '../data/data-store.ts';
import { FirstClipFinder } from './first-clip-finder.ts';

/** The clip that the checklist for new users offers. */
export const { firstClipSought, listFirstClips } = new FirstClipFinder({ call, datasets });
