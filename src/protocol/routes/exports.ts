import { Type } from 'typebox';
import { nameOf, nullable, route, strictBody } from '../route.ts';
import { Ok, SlowReply } from '../schemas/busy.ts';
import { Export, ExportFormat, SelfTest } from '../schemas/exports.ts';
import { runPath } from '../schemas/run-path.ts';

const standing = (when: string) =>
  Type.Optional(
    Type.Number({ minimum: 0, maximum: 60, default: 0, description: `Time from ${when} that is added to the clip, s` }),
  );

export const exportPolicy = route({
  method: 'POST',
  path: '/api/export',
  tag: 'Exports',
  summary:
    "Exports a checkpoint with a clip for a robot's controller, reads the written files back and runs them beside the policy of the run",
  slow: true,
  stores: true,
  body: strictBody({
    run: runPath,
    checkpoint: Type.Optional(Type.String({ description: 'Absent: the latest' })),
    format: ExportFormat,
    clip: Type.Optional(nameOf("Clip of the run's motion library. Needed if the library has several clips")),
    stand_in_s: standing('standing to the first frame'),
    stand_out_s: standing('the last frame to standing'),
    selftest_s: Type.Optional(
      nullable(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 3600,
          default: 10,
          description: 'Length of the self-test, s; null: the whole clip',
        }),
      ),
    ),
  }),
  reply: SlowReply,
});

export const listExports = route({
  method: 'GET',
  path: '/api/exports',
  tag: 'Exports',
  summary: 'Lists exported bundles with the results of their self-tests, newest first',
  query: Type.Object({ run: Type.Optional(runPath) }),
  reply: Type.Object({ exports: Type.Array(Export) }),
});

export const downloadExport = route({
  method: 'GET',
  path: '/api/exports/{name}',
  tag: 'Exports',
  summary: 'Downloads a bundle as a zip file',
  reply: { contentType: 'application/zip', description: 'The files of the bundle' },
});

export const deleteExport = route({
  method: 'DELETE',
  path: '/api/exports/{name}',
  tag: 'Exports',
  summary: 'Deletes a bundle',
  stores: true,
  reply: Ok,
});

export const checkBundle = route({
  method: 'PUT',
  path: '/api/exports/check',
  tag: 'Exports',
  summary:
    'Tests a bundle that is sent as a zip file, on the selected robot. It is compared with the run that it names, if that run is in this workspace',
  upload: true,
  stores: true,
  deadlineS: 120,
  reply: Type.Object({ ok: Type.Literal(true), selftest: SelfTest }),
});
