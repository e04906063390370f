import { jointValue, robot, setJoint } from './robots-store.ts';
import { poseMover } from './shared/mirror-pose.ts';

/** Mirror mode of the pose panel of this page. */
export const { mirror, moveJoint } = poseMover({ robot, jointValue, setJoint });
