import type { TerminationTerm } from '../term.ts';
import { named } from '../term-names.ts';
import * as general from './general.ts';
import * as tracking from './tracking.ts';

const FUNCTIONS: Readonly<Record<string, TerminationTerm>> = {
  time_out: general.timeOut,
  bad_anchor_pos: tracking.badAnchorPos,
  bad_anchor_pos_z_only: tracking.badAnchorPosZOnly,
  bad_anchor_ori: tracking.badAnchorOri,
  bad_motion_body_pos: tracking.badMotionBodyPos,
  bad_motion_body_pos_z_only: tracking.badMotionBodyPosZOnly,
  excessive_contact_force: tracking.excessiveContactForce,
  excessive_keybody_ground_contact_force: tracking.excessiveKeybodyGroundContactForce,
  bad_orientation: general.badOrientation,
  root_height_below_minimum: general.rootHeightBelowMinimum,
  nan_detection: general.nanDetection,
};

/** Names that upstream's tasks use for a function. */
const TASK_NAMES: Readonly<Record<string, string>> = {
  anchor_pos: 'bad_anchor_pos_z_only',
  anchor_ori: 'bad_anchor_ori',
  ee_body_pos: 'bad_motion_body_pos_z_only',
  keybody_ground_contact_force: 'excessive_keybody_ground_contact_force',
};

/** Every termination, by the name of upstream's function and by the names that tasks use. */
export const TERMINATIONS: Readonly<Record<string, TerminationTerm>> = named(FUNCTIONS, TASK_NAMES);
