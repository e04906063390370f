import { badInput } from '../../core/errors.ts';
import { HUMAN_REMEDY } from '../../protocol/clip-endings.ts';
import type { ClipFormat } from '../clip-format.ts';
import type { NpzClipFormat } from '../npz-clip.ts';
import type { PickleValue } from '../pickle/pickle-values.ts';
import type { WholeFile } from '../whole-file.ts';

/** Names of arrays that identify SMPL, SMPL-H and SMPL-X files of AMASS, OMOMO and others. */
const SMPL_KEYS = ['poses', 'pose_body', 'body_pose', 'root_orient', 'pose_aa', 'smpl_poses', 'betas'] as const;
/** Names of arrays that occur only in robot clips. */
const ROBOT_KEYS = ['joint_pos', 'qpos', 'dof_pos', 'dof'] as const;
/** Keys of a motion of poselib, which AMP environments read: rotations of a skeleton of ball joints. */
const POSELIB_KEYS = ['skeleton_tree', 'rotation', 'root_translation'] as const;
const SMPL = 'the file is the motion of a human in SMPL format (as of AMASS or OMOMO)';

/** Format of human motion in NPZ files (AMASS and others). It is detected only to give the user advice. */
export const SMPL_NPZ: NpzClipFormat = {
  id: 'smpl-npz',
  title: 'SMPL motion of a human',
  arrays: [...SMPL_KEYS, ...ROBOT_KEYS],
  sniff: ({ heads }) => isHuman((key) => heads.has(key)),
  ...refusal(SMPL),
};

/** Format of human motion in pickles: one dict per motion, or a dict of such dicts. */
export const SMPL_PICKLE: ClipFormat<PickleValue> = {
  id: 'smpl-pickle',
  title: 'SMPL motion of a human',
  sniff(pickle) {
    if (!(pickle instanceof Map)) return false;
    const [first] = pickle.values();
    return isHuman((key) => pickle.has(key)) || (first instanceof Map && isHuman((key) => first.has(key)));
  },
  ...refusal(SMPL),
};

/** Format of poselib's skeleton motion. */
export const POSELIB_NPY: ClipFormat<PickleValue> = {
  id: 'poselib-npy',
  title: 'poselib motion of a skeleton',
  sniff: (pickle) => pickle instanceof Map && POSELIB_KEYS.every((key) => pickle.has(key)),
  ...refusal('the file is the motion of a skeleton with ball joints (poselib)'),
};

/** Format of a BVH file whose name ends like that of a clip. */
export const BVH_TEXT: ClipFormat<WholeFile> = {
  id: 'bvh-text',
  title: 'BVH recording of a human',
  sniff: (file) => Buffer.from(file.head().subarray(0, 64)).toString('latin1').trimStart().startsWith('HIERARCHY'),
  ...refusal('the file is a BVH recording of a human skeleton'),
};

function isHuman(has: (key: string) => boolean): boolean {
  return SMPL_KEYS.some(has) && !ROBOT_KEYS.some(has);
}

/** Creates a function that refuses a file. @param what describes the file */
function refusal(what: string) {
  const refuse = (): never => {
    throw badInput(`${what}; ${HUMAN_REMEDY}`);
  };
  return { facts: refuse, read: refuse };
}
