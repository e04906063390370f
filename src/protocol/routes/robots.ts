import { Type } from 'typebox';
import { looseBody, route, strictBody } from '../route.ts';
import { Ok, SlowReply } from '../schemas/busy.ts';
import { Robot, RobotOptions, RobotSpec, RobotSummary, SceneModel } from '../schemas/robots.ts';

export const listRobots = route({
  method: 'GET',
  path: '/api/robots',
  area: 'robots',
  summary: 'Registered robots with model summary, datasets and runs',
  reply: Type.Object({ robots: Type.Array(RobotSummary), selected: Type.String() }),
});

export const getSelectedRobot = route({
  method: 'GET',
  path: '/api/robot',
  area: 'robots',
  summary: 'The selected robot: joints, wiring, tasks',
  reply: Robot,
});

export const selectRobot = route({
  method: 'POST',
  path: '/api/robot/select',
  area: 'robots',
  summary: 'Selects a robot by id or name; the choice survives a restart',
  slow: true,
  body: strictBody({ name: Type.String({ description: 'id or name of a registered robot' }) }),
  reply: SlowReply,
});

export const poseJoint = route({
  method: 'POST',
  path: '/api/robot/joint',
  area: 'robots',
  summary: 'Pose slider: sets one joint of the shown robot',
  body: strictBody({
    name: Type.String({ description: 'joint of the selected robot' }),
    value: Type.Number({ description: 'rad (hinge) or m (slide); clamped to the range' }),
  }),
  reply: Type.Object({ ok: Type.Literal(true), value: Type.Number({ description: 'as applied' }) }),
});

export const resetJoints = route({
  method: 'POST',
  path: '/api/robot/joint/reset',
  area: 'robots',
  summary: 'Default pose, or the zero pose',
  body: strictBody({
    zero: Type.Optional(Type.Boolean({ description: 'true: every joint 0 instead of its default' })),
  }),
  reply: Ok,
});

export const showRobot = route({
  method: 'POST',
  path: '/api/robot/joint/show',
  area: 'robots',
  summary: 'Shows the robot: it takes the scene',
  body: looseBody({}),
  reply: Ok,
});

export const setRobotOptions = route({
  method: 'POST',
  path: '/api/robot/joint/options',
  area: 'robots',
  summary: 'Wiring markers on or off',
  body: strictBody({ show_wiring: Type.Optional(Type.Boolean()) }),
  reply: Type.Object({ ok: Type.Literal(true), options: RobotOptions }),
});

export const getSceneModel = route({
  method: 'GET',
  path: '/api/robot/model',
  area: 'robots',
  summary: "Model description of the scene's robot; fetch anew when `model_version` changes",
  reply: SceneModel,
});

export const getSceneModelBin = route({
  method: 'GET',
  path: '/api/robot/model.bin',
  area: 'robots',
  summary: "Mesh data of the scene's robot",
  reply: {
    contentType: 'application/octet-stream',
    description:
      "[u32 nv][u32 nf][f32 verts 3·nv][f32 normals 3·nv][u32 faces 3·nf], little-endian; face indices are relative to their mesh's first vertex",
  },
});

export const getTerrainBin = route({
  method: 'GET',
  path: '/api/scene/terrain.bin',
  area: 'robots',
  summary: 'Terrain tiles under the robots; fetch anew when `terrain_version` changes',
  reply: {
    contentType: 'application/octet-stream',
    description: '[u32 nv][u32 nf][f32 verts 3·nv][u8 RGB colours 3·nv, padded to 4][u32 faces 3·nf], little-endian',
  },
});

export const getRobotSpec = route({
  method: 'GET',
  path: '/api/robots/{id}/spec',
  area: 'robots',
  summary: "A robot's spec file (robot.yaml)",
  reply: Type.Object({ id: Type.String(), spec: RobotSpec, yaml: Type.String() }),
});

export const deleteRobot = route({
  method: 'DELETE',
  path: '/api/robots/{id}',
  area: 'robots',
  summary: 'Deletes a robot; its datasets and runs stay',
  reply: Ok,
});
