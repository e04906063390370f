import { Type } from 'typebox';
import { looseBody, nameOf, nullable, oneOf, route, strictBody } from '../route.ts';
import { Ok } from '../schemas/busy.ts';
import { DraftCheck, JointGains, LoadedGains, ModelFile } from '../schemas/robot-import.ts';
import { Joint, RobotSpec, UncheckedSpec, Wiring } from '../schemas/robots.ts';
import { undoField } from '../schemas/trash.ts';

const id = nameOf('Id of the new robot; also the name of its upload');

export const getImportState = route({
  method: 'GET',
  path: '/api/robots/import',
  tag: 'Robot import',
  summary: 'Gets the robots folder, the saved robots, the unfinished uploads and the draft',
  reply: Type.Object({
    folder: Type.String({ description: 'Folder of the robots in the workspace' }),
    robots: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
    unfinished: Type.Array(
      Type.Object({ id: Type.String(), files: Type.Integer(), bytes: Type.Integer(), modified: Type.String() }),
    ),
    draft: nullable(
      Type.Object({ id: Type.String(), model: Type.String() }, { description: 'The model inspected last' }),
    ),
  }),
});

export const uploadModelFile = route({
  method: 'PUT',
  path: '/api/robots/import/upload/{id}/{path*}',
  tag: 'Robot import',
  summary: 'Uploads one model file to its relative path in the folder of the new robot',
  stores: true,
  upload: true,
  reply: Type.Object({ ok: Type.Literal(true), path: Type.String(), bytes: Type.Integer() }),
});

export const deleteUpload = route({
  method: 'DELETE',
  path: '/api/robots/import/{id}',
  tag: 'Robot import',
  summary: 'Deletes an unfinished upload',
  stores: true,
  reply: Ok,
});

export const copyModelFolder = route({
  method: 'POST',
  path: '/api/robots/import/path',
  tag: 'Robot import',
  summary: 'Copies a folder on the machine of the service into an upload',
  stores: true,
  deadlineS: 120,
  body: strictBody({ id, source: nameOf('Path of a folder on the machine of the service') }),
  reply: Type.Object({
    ok: Type.Literal(true),
    id: Type.String(),
    files: Type.Integer(),
    bytes: Type.Integer(),
  }),
});

export const listModelFiles = route({
  method: 'GET',
  path: '/api/robots/import/files',
  tag: 'Robot import',
  summary: 'Lists the files of an upload, models first, the most likely main model at the top',
  query: Type.Object({ id }),
  reply: Type.Object({
    id: Type.String(),
    files: Type.Array(ModelFile),
  }),
});

export const inspectModel = route({
  method: 'POST',
  path: '/api/robots/import/inspect',
  tag: 'Robot import',
  summary: 'Compiles a model and suggests its spec: bodies, joints, wiring and gains',
  stores: true,
  deadlineS: 120,
  body: strictBody({ id, model: nameOf('Path of the MJCF or URDF file in the upload') }),
  reply: Type.Object({
    ok: Type.Literal(true),
    id: Type.String(),
    model: Type.String(),
    format: oneOf(['mjcf', 'urdf']),
    bodies: Type.Array(Type.Object({ name: Type.String(), parent: nullable(Type.String()), mass: Type.Number() })),
    joints: Type.Array(Joint),
    wiring: Wiring,
    gains: Type.Record(Type.String(), JointGains, { description: 'Suggested gains by joint' }),
    spec: RobotSpec,
    reasons: Type.Object(
      {
        anchor: Type.String(),
        keybodies: Type.String(),
        feet: Type.String(),
        pose: Type.String(),
        contacts: Type.String(),
      },
      { description: 'Reasons for the suggestions' },
    ),
    warnings: Type.Array(Type.String()),
  }),
});

export const loadGains = route({
  method: 'POST',
  path: '/api/robots/import/gains',
  tag: 'Robot import',
  summary: 'Takes gains of joints from a file or from another robot. Nothing is saved',
  deadlineS: 120,
  body: strictBody({
    id: nameOf('Id of the inspected upload, or else of a saved robot, that gets the gains'),
    file: Type.Optional(
      nameOf(
        'Path of the file: deploy.yaml, a policy with metadata (.onnx), robot.yaml, or YAML or JSON with PD gains',
      ),
    ),
    from: Type.Optional(nameOf('Id of the upload or saved robot that has the file. Absent: `id`')),
    robot: Type.Optional(nameOf('Id of the robot with the gains, in place of a file')),
  }),
  reply: Type.Object({
    ok: Type.Literal(true),
    gains: Type.Record(Type.String(), LoadedGains, { description: 'Gains of the joints that were found' }),
    joints_unmatched: Type.Array(Type.String(), {
      description:
        'Joints of the robot without gains in the file, which keep theirs; then names in the file that are not joints of the robot',
    }),
    notes: Type.Array(Type.String(), { description: 'What was assumed about the file' }),
    spec: RobotSpec,
  }),
});

export const previewDraft = route({
  method: 'POST',
  path: '/api/robots/import/preview',
  tag: 'Robot import',
  summary: 'Shows the draft in the scene with markers on the wired bodies',
  body: strictBody({ wiring: Wiring }),
  reply: Ok,
});

export const checkDraft = route({
  method: 'POST',
  path: '/api/robots/import/check',
  tag: 'Robot import',
  summary: 'Checks a spec: whether it compiles, holds its pose and stands on its feet',
  deadlineS: 120,
  body: strictBody({ spec: UncheckedSpec }),
  reply: Type.Object({
    ok: Type.Boolean({ description: 'Whether all checks passed' }),
    checks: Type.Array(DraftCheck),
  }),
});

export const saveRobot = route({
  method: 'POST',
  path: '/api/robots/import/save',
  tag: 'Robot import',
  deadlineS: 120,
  summary: 'Saves the robot and adds it to the registered robots',
  stores: true,
  body: strictBody({ spec: UncheckedSpec }),
  reply: Type.Object({
    ok: Type.Literal(true),
    id: Type.String(),
    task: Type.String({ description: 'Name of the first task of the robot' }),
    undo: undoField,
  }),
});

export const cancelImport = route({
  method: 'POST',
  path: '/api/robots/import/cancel',
  tag: 'Robot import',
  summary: 'Closes the draft. The scene shows its previous content',
  body: looseBody({}),
  reply: Ok,
});
