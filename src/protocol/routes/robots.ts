import { Type } from 'typebox';
import { flag, looseBody, nameOf, route, strictBody } from '../route.ts';
import { Ok, SlowReply } from '../schemas/busy.ts';
import { Robot, RobotOptions, RobotSpec, RobotSummary, SceneModel } from '../schemas/robots.ts';
import { Undoable } from '../schemas/trash.ts';

export const listRobots = route({
  method: 'GET',
  path: '/api/robots',
  tag: 'Robots',
  summary: 'Lists the registered robots with a summary of the model, the datasets and the runs',
  reply: Type.Object({ robots: Type.Array(RobotSummary), selected: Type.String() }),
});

export const getSelectedRobot = route({
  method: 'GET',
  path: '/api/robot',
  tag: 'Robots',
  summary: 'Gets the selected robot: joints, wiring and tasks',
  reply: Robot,
});

export const selectRobot = route({
  method: 'POST',
  path: '/api/robot/select',
  tag: 'Robots',
  summary: 'Selects a robot. The choice survives a restart of the service',
  slow: true,
  stores: true,
  body: strictBody({ name: nameOf('Id or name of a registered robot') }),
  reply: SlowReply,
});

export const poseJoint = route({
  method: 'POST',
  path: '/api/robot/joint',
  tag: 'Robots',
  summary: 'Sets one joint of the selected robot',
  body: strictBody({
    name: nameOf('Name of a joint of the selected robot'),
    value: Type.Number({ description: 'Position, rad (hinge) or m (slide), clamped to the range' }),
  }),
  reply: Type.Object({ ok: Type.Literal(true), value: Type.Number({ description: 'Position after clamping' }) }),
});

export const resetJoints = route({
  method: 'POST',
  path: '/api/robot/joint/reset',
  tag: 'Robots',
  summary: 'Resets all joints to the default pose or to zero',
  body: strictBody({ zero: flag('true: all joints 0. false: the default pose') }),
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
    show_wiring: Type.Optional(
      Type.Boolean({ description: 'Marks the anchor, the key bodies and the feet. Absent: unchanged' }),
    ),
  }),
  reply: Type.Object({ ok: Type.Literal(true), options: RobotOptions }),
});

export const getSceneModel = route({
  method: 'GET',
  path: '/api/robot/model',
  tag: 'Robots',
  summary: 'Gets bodies, geoms and meshes of the robot in the scene. Fetch them again when `model_version` changes',
  reply: SceneModel,
});

export const getSceneModelBin = route({
  method: 'GET',
  path: '/api/robot/model.bin',
  tag: 'Robots',
  summary: 'Gets the mesh data of the robot in the scene',
  reply: {
    contentType: 'application/octet-stream',
    description:
      '`[u32 nv][u32 nf][f32 verts 3·nv][f32 normals 3·nv][u32 faces 3·nf][u32 nt][f32 uv 2·nt]`, little-endian. Face indices are relative to the first vertex of the mesh. Texture coordinates start at the upper left corner of the picture',
  },
});

export const getRobotTexture = route({
  method: 'GET',
  path: '/api/robot/texture/{name}',
  tag: 'Robots',
  summary: 'Gets a texture of the robot in the scene, as named by `texture` of its geoms',
  reply: { contentType: 'image/png', description: 'The picture as in the files of the robot, sRGB' },
});

export const getTerrainBin = route({
  method: 'GET',
  path: '/api/scene/terrain.bin',
  tag: 'Robots',
  summary: 'Gets the terrain under the robots. Fetch it again when `terrain_version` changes',
  reply: {
    contentType: 'application/octet-stream',
    description: '`[u32 nv][u32 nf][f32 verts 3·nv][u8 RGB colours 3·nv, padded to 4][u32 faces 3·nf]`, little-endian',
  },
});

export const getRobotSpec = route({
  method: 'GET',
  path: '/api/robots/{id}/spec',
  tag: 'Robots',
  summary: 'Gets the spec (robot.yaml) of a robot that was imported',
  reply: Type.Object({ id: Type.String(), spec: RobotSpec, yaml: Type.String({ description: 'Text of the file' }) }),
});

export const deleteRobot = route({
  method: 'DELETE',
  path: '/api/robots/{id}',
  tag: 'Robots',
  summary: 'Deletes an imported robot. Its datasets and runs are kept',
  conflict: 'a queued or running job, the play session or the open preview uses the robot',
  stores: true,
  reply: Undoable,
});
