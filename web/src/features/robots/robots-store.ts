import { call } from '../../net/api.ts';
import { runSlow } from '../../net/busy.ts';
import { failed } from '../../ui/toasts.ts';
import { RobotBrowser } from './robot-browser.ts';

/** The robots of the workspace, as known to this page. */
export const {
  robots,
  imports,
  robot,
  selectedSummary,
  selecting,
  removedUpload,
  changedJoints,
  selectRobot,
  jointValue,
  setJoint,
  resetPose,
  deleteRobot,
  removeUpload,
  showRobot,
  setShowWiring,
  toggleWiring,
} = new RobotBrowser({ call, runSlow, failed });
