import {
  listRobots,
  poseJoint,
  resetJoints,
  robotOptions,
  sceneModel,
  sceneModelBin,
  selectedRobot,
  selectRobot,
  showRobot,
  terrainBin,
} from '../../protocol/routes/robots.ts';
import { handle, handleTagged, ok } from './handle.ts';

export const robotHandlers = [
  handle(listRobots, ({ robots }) => robots.list()),
  handleTagged(selectedRobot, ({ robots }) => robots.selected()),
  handle(selectRobot, ({ robots }, { body }) => ok({ task: robots.select(body.name) })),
  handle(poseJoint, async ({ robots }, { body }) => ok({ value: await robots.pose(body.name, body.value) })),
  handle(resetJoints, async ({ robots }, { body }) => {
    await robots.reset(body.zero ?? false);
    return ok();
  }),
  handle(showRobot, async ({ robots }) => {
    await robots.show();
    return ok();
  }),
  handle(robotOptions, async ({ robots }, { body }) => ok({ options: await robots.setOptions(body) })),
  handleTagged(sceneModel, ({ robots }) => robots.model()),
  handleTagged(sceneModelBin, ({ robots }) => robots.modelBin()),
  handleTagged(terrainBin, ({ robots }) => robots.terrainBin()),
];
