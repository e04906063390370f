import { badInput } from '../../core/errors.ts';
import { HUMAN_REMEDY } from '../../protocol/clip-endings.ts';
import type { ClipFormat } from '../clip-format.ts';
import type { NpzClipFormat } from '../npz-clip.ts';
import type { PickleValue } from '../pickle/pickle-values.ts';
import type { WholeFile } from '../whole-file.ts';

/** Arrays by which SMPL, SMPL-H and SMPL-X files of AMASS, OMOMO and others are recognised. */
const SMPL_KEYS = ['poses', 'pose_body', 'body_pose', 'root_orient', 'pose_aa', 'smpl_poses', 'betas'] as const;
/** Arrays that only a clip of a robot has. */
const ROBOT_KEYS = ['joint_pos', 'qpos', 'dof_pos', 'dof'] as const;
const SMPL = 'the file is the motion of a human in SMPL format (as of AMASS or OMOMO)';

/** Human motion of AMASS and others as NPZ, which is recognised to say what to do with it. */
export const SMPL_NPZ: NpzClipFormat = {
  id: 'smpl-npz',
  title: 'SMPL motion of a human',
  arrays: [...SMPL_KEYS, ...ROBOT_KEYS],
  sniff: ({ heads }) => isHuman((key) => heads.has(key)),
  ...refusal(SMPL),
};

/** Human motion as a pickled dict, or a dict of such dicts. */
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

/** Text of a BVH file under the name of a clip. */
export const BVH_TEXT: ClipFormat<WholeFile> = {
  id: 'bvh-text',
  title: 'BVH recording of a human',
  sniff: (file) => Buffer.from(file.head().subarray(0, 64)).toString('latin1').trimStart().startsWith('HIERARCHY'),
  ...refusal('the file is a BVH recording of a human skeleton'),
};

function isHuman(has: (key: string) => boolean): boolean {
  return SMPL_KEYS.some(has) && !ROBOT_KEYS.some(has);
}

/** @param what the file is */
function refusal(what: string) {
  const refuse = (): never => {
    throw badInput(`${what}; ${HUMAN_REMEDY}`);
  };
  return { facts: refuse, read: refuse };
}
