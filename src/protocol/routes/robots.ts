import { Type } from 'typebox';
import { flag, looseBody, nameOf, route, strictBody } from '../route.ts';
import { Ok, SlowReply } from '../schemas/busy.ts';
import { Robot, RobotOptions, RobotSpec, RobotSummary, SceneModel } from '../schemas/robots.ts';

export const listRobots = route({
  method: 'GET',
  path: '/api/robots',
  tag: 'Robots',
  summary: 'Lists the registered robots with model summary, datasets and runs',
  reply: Type.Object({ robots: Type.Array(RobotSummary), selected: Type.String() }),
});

export const getSelectedRobot = route({
  method: 'GET',
  path: '/api/robot',
  tag: 'Robots',
  summary: 'Gets the selected robot: joints, wiring, tasks',
  reply: Robot,
});

export const selectRobot = route({
  method: 'POST',
  path: '/api/robot/select',
  tag: 'Robots',
  summary: 'Selects a robot. The choice survives a restart of the service',
  slow: true,
  stores: true,
  body: strictBody({ name: nameOf('id or name of a registered robot') }),
  reply: SlowReply,
});

export const poseJoint = route({
  method: 'POST',
  path: '/api/robot/joint',
  tag: 'Robots',
  summary: 'Sets one joint of the selected robot',
  body: strictBody({
    name: nameOf('joint of the selected robot'),
    value: Type.Number({ description: 'rad (hinge) or m (slide); clamped to the range' }),
  }),
  reply: Type.Object({ ok: Type.Literal(true), value: Type.Number({ description: 'as applied' }) }),
});

export const resetJoints = route({
  method: 'POST',
  path: '/api/robot/joint/reset',
  tag: 'Robots',
  summary: 'Poses the robot in its default pose, or with every joint at zero',
  body: strictBody({ zero: flag('true: every joint 0; false: the default pose') }),
  reply: Ok,
});

export const showRobot = route({
  method: 'POST',
  path: '/api/robot/joint/show',
  tag: 'Robots',
  summary: 'Shows the selected robot in the scene',
  body: looseBody({}),
  reply: Ok,
});

export const setRobotOptions = route({
  method: 'POST',
  path: '/api/robot/joint/options',
  tag: 'Robots',
  summary: 'Shows or hides the wiring markers',
  body: strictBody({
    show_wiring: Type.Optional(Type.Boolean({ description: 'markers on the wired bodies; absent: unchanged' })),
  }),
  reply: Type.Object({ ok: Type.Literal(true), options: RobotOptions }),
});

export const getSceneModel = route({
  method: 'GET',
  path: '/api/robot/model',
  tag: 'Robots',
  summary: "Gets the model description of the scene's robot. Fetch it again when `model_version` changes",
  reply: SceneModel,
});

export const getSceneModelBin = route({
  method: 'GET',
  path: '/api/robot/model.bin',
  tag: 'Robots',
  summary: "Gets the mesh data of the scene's robot",
  reply: {
    contentType: 'application/octet-stream',
    description:
      "`[u32 nv][u32 nf][f32 verts 3·nv][f32 normals 3·nv][u32 faces 3·nf]`, little-endian; face indices are relative to their mesh's first vertex",
  },
});

export const getTerrainBin = route({
  method: 'GET',
  path: '/api/scene/terrain.bin',
  tag: 'Robots',
  summary: 'Gets the terrain tiles under the robots. Fetch them again when `terrain_version` changes',
  reply: {
    contentType: 'application/octet-stream',
    description: '`[u32 nv][u32 nf][f32 verts 3·nv][u8 RGB colours 3·nv, padded to 4][u32 faces 3·nf]`, little-endian',
  },
});

export const getRobotSpec = route({
  method: 'GET',
  path: '/api/robots/{id}/spec',
  tag: 'Robots',
  summary: 'Gets the spec file (robot.yaml) of a robot that was created in the service',
  reply: Type.Object({ id: Type.String(), spec: RobotSpec, yaml: Type.String({ description: 'text of the file' }) }),
});

export const deleteRobot = route({
  method: 'DELETE',
  path: '/api/robots/{id}',
  tag: 'Robots',
  summary: 'Deletes a robot that was created in the service. Its datasets and runs stay',
  conflict: 'a queued or running job, the play session or the open preview uses the robot',
  stores: true,
  reply: Ok,
});
