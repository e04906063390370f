import { Type } from 'typebox';
import { looseBody, nullable, oneOf, route, strictBody } from '../route.ts';
import { Ok } from '../schemas/busy.ts';
import { Joint, RobotSpec, UncheckedSpec, Wiring } from '../schemas/robots.ts';

const id = Type.String({ description: 'id of the robot to be' });

export const getImportState = route({
  method: 'GET',
  path: '/api/robots/import',
  area: 'import',
  summary: 'Robots folder, saved robots, unfinished uploads',
  reply: Type.Object({
    folder: Type.String(),
    robots: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
    unfinished: Type.Array(
      Type.Object({ id: Type.String(), files: Type.Integer(), bytes: Type.Integer(), modified: Type.String() }),
    ),
    draft: nullable(Type.Object({ id: Type.String(), model: Type.String() })),
  }),
});

export const uploadModelFile = route({
  method: 'PUT',
  path: '/api/robots/import/upload/{id}/{path*}',
  area: 'import',
  summary: 'Stores one model file at its relative path',
  upload: true,
  reply: Type.Object({ ok: Type.Literal(true), path: Type.String(), bytes: Type.Integer() }),
});

export const deleteUpload = route({
  method: 'DELETE',
  path: '/api/robots/import/{id}',
  area: 'import',
  summary: 'Removes an unfinished upload',
  reply: Ok,
});

export const copyModelFolder = route({
  method: 'POST',
  path: '/api/robots/import/path',
  area: 'import',
  summary: 'Copies a folder of the service machine',
  deadlineS: 120,
  body: strictBody({ id, source: Type.String() }),
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
  area: 'import',
  summary: 'Model files in the folder, likeliest main model first',
  query: Type.Object({ id }),
  reply: Type.Object({
    id: Type.String(),
    files: Type.Array(
      Type.Object({
        path: Type.String(),
        bytes: Type.Integer(),
        kind: oneOf(['mjcf', 'urdf', 'mesh', 'texture', 'other']),
        main: Type.Boolean(),
      }),
    ),
  }),
});

export const inspectModel = route({
  method: 'POST',
  path: '/api/robots/import/inspect',
  area: 'import',
  summary: 'Prepares and inspects the model: bodies, joints, suggested wiring and gains',
  deadlineS: 120,
  body: strictBody({ id, model: Type.String() }),
  reply: Type.Object({
    ok: Type.Literal(true),
    id: Type.String(),
    model: Type.String(),
    format: oneOf(['mjcf', 'urdf']),
    bodies: Type.Array(Type.Object({ name: Type.String(), parent: nullable(Type.String()), mass: Type.Number() })),
    joints: Type.Array(Joint),
    wiring: Wiring,
    gains: Type.Record(
      Type.String(),
      Type.Object({
        stiffness: Type.Number(),
        damping: Type.Number(),
        armature: Type.Number(),
        effort_limit: Type.Number(),
        source: Type.String(),
      }),
    ),
    spec: RobotSpec,
    reasons: Type.Object(
      {
        anchor: Type.String(),
        keybodies: Type.String(),
        feet: Type.String(),
        pose: Type.String(),
        contacts: Type.String(),
      },
      { description: 'why it is suggested so' },
    ),
    warnings: Type.Array(Type.String()),
  }),
});

export const previewDraft = route({
  method: 'POST',
  path: '/api/robots/import/preview',
  area: 'import',
  summary: 'Shows the draft with wiring markers',
  body: strictBody({ wiring: Wiring }),
  reply: Ok,
});

export const checkDraft = route({
  method: 'POST',
  path: '/api/robots/import/check',
  area: 'import',
  summary: 'Settle check of the draft',
  deadlineS: 120,
  body: strictBody({ spec: UncheckedSpec }),
  reply: Type.Object({
    ok: Type.Boolean({ description: 'all passed' }),
    checks: Type.Array(
      Type.Object({
        name: Type.String(),
        ok: Type.Boolean(),
        text: Type.String({ description: 'what was seen, with its figure, and what to do where it failed' }),
        warning: Type.Optional(Type.Boolean({ description: 'passed, but worth a look' })),
        exclude: Type.Optional(
          Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 }), {
            description: 'pairs of bodies for `contacts.exclude` that would mend it',
          }),
        ),
      }),
    ),
  }),
});

export const saveRobot = route({
  method: 'POST',
  path: '/api/robots/import/save',
  area: 'import',
  summary: 'Saves and registers the robot',
  body: strictBody({ spec: RobotSpec }),
  reply: Type.Object({ ok: Type.Literal(true), id: Type.String(), task: Type.String() }),
});

export const cancelImport = route({
  method: 'POST',
  path: '/api/robots/import/cancel',
  area: 'import',
  summary: 'Leaves the import view',
  body: looseBody({}),
  reply: Ok,
});
