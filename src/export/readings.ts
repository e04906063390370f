/** Values that a robot's controller can measure or read from the clip, by their names in this service. */
export type Reading =
  | 'command'
  | 'ref_base_height'
  | 'ref_base_lin_vel_b'
  | 'ref_base_ang_vel_b'
  | 'ref_gravity_b'
  | 'ref_joint_pos'
  | 'ref_joint_vel'
  | 'anchor_pos_b'
  | 'anchor_ori_b'
  | 'base_lin_vel'
  | 'base_ang_vel'
  | 'projected_gravity'
  | 'joint_pos'
  | 'joint_vel'
  | 'last_action';

interface ReadingSpec {
  /** meaning of the value, with its formula */
  readonly text: string;
  readonly unit: string;
  readonly frame: string;
  /** names of the values; `joints`: one value per joint */
  readonly elements: readonly string[] | 'joints';
}

const XYZ = ['x', 'y', 'z'];
const SIX_D = ['R00', 'R01', 'R10', 'R11', 'R20', 'R21'];

/** The readings with the information needed to reproduce them. Quaternions are wxyz. q is an orientation, R(q) its
 *  rotation matrix, and p a position. "Reference" is the frame of the clip that the policy currently tracks. */
export const READINGS: Readonly<Record<Exclude<Reading, 'command'>, ReadingSpec>> = {
  ref_base_height: {
    text: 'height of the reference anchor above the ground',
    unit: 'm',
    frame: 'world',
    elements: ['z'],
  },
  ref_base_lin_vel_b: {
    text: 'velocity of the reference anchor',
    unit: 'm/s',
    frame: 'reference anchor',
    elements: XYZ,
  },
  ref_base_ang_vel_b: {
    text: 'angular velocity of the reference anchor',
    unit: 'rad/s',
    frame: 'reference anchor',
    elements: XYZ,
  },
  ref_gravity_b: {
    text: 'direction of gravity at the reference: R(q_ref)ᵀ (0, 0, −1)',
    unit: '1',
    frame: 'reference anchor',
    elements: XYZ,
  },
  ref_joint_pos: { text: 'joint position of the reference, absolute', unit: 'rad', frame: 'joint', elements: 'joints' },
  ref_joint_vel: { text: 'joint velocity of the reference', unit: 'rad/s', frame: 'joint', elements: 'joints' },
  anchor_pos_b: {
    text: "position of the reference anchor seen from the robot's anchor: R(q)ᵀ (p_ref − p)",
    unit: 'm',
    frame: 'robot anchor',
    elements: XYZ,
  },
  anchor_ori_b: {
    text: "orientation of the reference anchor seen from the robot's anchor: the first two columns of R(q⁻¹ q_ref), row by row",
    unit: '1',
    frame: 'robot anchor',
    elements: SIX_D,
  },
  base_lin_vel: { text: 'velocity of the root', unit: 'm/s', frame: 'root', elements: XYZ },
  base_ang_vel: { text: 'angular velocity of the root (gyroscope)', unit: 'rad/s', frame: 'root', elements: XYZ },
  projected_gravity: {
    text: 'direction of gravity: R(q_root)ᵀ (0, 0, −1)',
    unit: '1',
    frame: 'root',
    elements: XYZ,
  },
  joint_pos: { text: 'joint position minus default position', unit: 'rad', frame: 'joint', elements: 'joints' },
  joint_vel: { text: 'joint velocity', unit: 'rad/s', frame: 'joint', elements: 'joints' },
  last_action: {
    text: 'output of the network in the previous step; 0 in the first step',
    unit: '1',
    frame: 'joint',
    elements: 'joints',
  },
};

/** Number of values of a reading. `command` is `ref_joint_pos`, then `ref_joint_vel`. */
export function widthOf(reading: Reading, joints: number): number {
  if (reading === 'command') return 2 * joints;
  const { elements } = READINGS[reading];
  return elements === 'joints' ? joints : elements.length;
}
