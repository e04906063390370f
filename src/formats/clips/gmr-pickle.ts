import type { ClipFileFacts, ClipFormat, ReadClip } from '../clip-format.ts';
import type { PickleFile } from '../pickle/pickle-input.ts';
import type { PickleValue } from '../pickle/pickle-values.ts';
import { readPickle } from '../pickle/read-pickle.ts';
import { hasLayout, type PickledLayout, pickledClip, pickledFacts } from './pickled-clip.ts';

const LAYOUT: PickledLayout = { position: 'root_pos', rotation: 'root_rot', joints: 'dof_pos' };

/** Format of clips pickled by GMR: a dict of `fps`, `root_pos` (frames, 3) m, `root_rot` (frames, 4) xyzw and
 *  `dof_pos` (frames, joints) rad. A list of joint names is optional. */
export const GMR_PICKLE: ClipFormat<PickleValue> = {
  id: 'gmr-pickle',
  title: 'GMR pickle',
  sniff: (pickle) => hasLayout(pickle, LAYOUT),
  facts: (pickle) => pickledFacts(pickle, LAYOUT),
  read: (pickle) => pickledClip(pickle, LAYOUT),
};

/** Reads a clip pickled by GMR. @throws bad_input naming the key and its problem */
export function parseGmrPickle(bytes: Uint8Array): ReadClip {
  return pickledClip(readPickle(bytes), LAYOUT);
}

/** Reads the facts of a clip pickled by GMR without decoding its numbers. @throws bad_input */
export function gmrPickleFacts(source: Uint8Array | PickleFile): ClipFileFacts {
  return pickledFacts(readPickle(source), LAYOUT);
}
