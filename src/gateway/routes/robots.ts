import {
  deleteRobot,
  getRobotSpec,
  getRobotTexture,
  getSceneModel,
  getSceneModelBin,
  getSelectedRobot,
  getTerrainBin,
  listRobots,
  poseJoint,
  resetJoints,
  selectRobot,
  setRobotOptions,
  showRobot,
} from '../../protocol/routes/robots.ts';
import { handle, handleTagged, ok } from './handle.ts';

export const robotsHandlers = [
  handle(listRobots, ({ robots }) => robots.list()),
  handleTagged(getSelectedRobot, ({ robots }) => robots.selected()),
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
  handle(setRobotOptions, async ({ robots }, { body }) => ok({ options: await robots.setOptions(body) })),
  handleTagged(getSceneModel, ({ robots }) => robots.model()),
  handleTagged(getSceneModelBin, ({ robots }) => robots.modelBin()),
  handleTagged(getRobotTexture, ({ robots }, { params }) => robots.texture(params.name)),
  handleTagged(getTerrainBin, ({ robots }) => robots.terrainBin()),
  handle(getRobotSpec, ({ imports }, { params }) => imports.spec(params.id)),
  handle(deleteRobot, async ({ imports }, { params }) => ok({ undo: await imports.remove(params.id) })),
];
