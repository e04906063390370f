import type { ClipFormat } from '../clip-format.ts';
import type { PickleValue } from '../pickle/pickle-values.ts';
import { hasLayout, type PickledLayout, pickledClip, pickledFacts } from './pickled-clip.ts';

const LAYOUT: PickledLayout = { position: 'root_trans', rotation: 'root_ori', joints: 'dof_pos' };

/** Format of PHUMA clips: `numpy.save` of a dict of `fps`, `root_trans` (frames, 3) m, `root_ori` (frames, 4) xyzw
 *  and `dof_pos` (frames, joints) rad. */
export const PHUMA_NPY: ClipFormat<PickleValue> = {
  id: 'phuma-npy',
  title: 'PHUMA dict',
  sniff: (pickle) => hasLayout(pickle, LAYOUT),
  facts: (pickle) => pickledFacts(pickle, LAYOUT),
  read: (pickle) => pickledClip(pickle, LAYOUT),
};
