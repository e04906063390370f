import { Type } from 'typebox';
import { flag, looseBody, nameOf, nullable, oneOf, route, strictBody } from '../route.ts';
import { Ok, SlowReply } from '../schemas/busy.ts';
import { clipField, datasetField, searchField } from '../schemas/clip-fields.ts';
import { Clip, DatasetCounts } from '../schemas/data.ts';

export const listDatasets = route({
  method: 'GET',
  path: '/api/data/datasets',
  tag: 'Datasets',
  summary: 'Lists the datasets of the selected robot with their counts of source, converted and missing clips',
  reply: Type.Object({ robot: Type.String(), datasets: Type.Array(DatasetCounts) }),
});

export const listClips = route({
  method: 'GET',
  path: '/api/data/clips',
  tag: 'Datasets',
  summary: 'Lists the clips of a dataset in natural name order, page by page',
  query: Type.Object({
    dataset: datasetField,
    q: Type.Optional(searchField),
    status: Type.Optional(
      oneOf(['all', 'converted', 'missing', 'raw'], { default: 'all', description: '`raw`: has a raw file' }),
    ),
    page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 50, description: 'clips of a page' })),
  }),
  reply: Type.Object({
    dataset: Type.String(),
    total: Type.Integer({ description: 'clips that match, on all pages' }),
    page: Type.Integer(),
    size: Type.Integer(),
    pages: Type.Integer(),
    clips: Type.Array(Clip),
  }),
});

export const listClipJoints = route({
  method: 'GET',
  path: '/api/data/joints',
  tag: 'Datasets',
  summary: 'Lists the joints in the column order of CSV clips',
  reply: Type.Object({
    joints: Type.Array(
      Type.Object({ name: Type.String(), lower: nullable(Type.Number()), upper: nullable(Type.Number()) }),
    ),
  }),
});

export const scanDataset = route({
  method: 'POST',
  path: '/api/data/scan',
  tag: 'Datasets',
  summary: 'Scans the durations of a dataset: hours and a histogram of lengths',
  slow: true,
  stores: true,
  body: strictBody({ dataset: datasetField }),
  reply: SlowReply,
});

export const convertDataset = route({
  method: 'POST',
  path: '/api/data/convert',
  tag: 'Datasets',
  summary: 'Starts a job that converts clips to npz',
  stores: true,
  body: strictBody({
    dataset: datasetField,
    which: Type.Optional(
      oneOf(['missing', 'all', 'selected'], { default: 'missing', description: '`selected` needs `clips`' }),
    ),
    clips: Type.Optional(Type.Array(Type.String(), { description: 'with `which: selected`' })),
    batch_size: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1024, default: 8, description: 'clips converted at a time' }),
    ),
    output_fps: Type.Optional(
      Type.Number({ minimum: 1, maximum: 1000, description: "absent: dataset.yaml's, else 50" }),
    ),
    mirror: Type.Optional(
      Type.Boolean({ description: "also writes the mirrored clip as `<clip>_M`; absent: dataset.yaml's, else false" }),
    ),
    debias_z: Type.Optional(
      Type.Boolean({ description: "moves the soles onto the floor; absent: dataset.yaml's, else false" }),
    ),
    input_fps: Type.Optional(
      nullable(
        Type.Union([Type.Number({ minimum: 1, maximum: 1000 }), oneOf(['file'])], {
          description:
            "frames a second of the source; `file`: what the file says, else its format's; absent: dataset.yaml's, else as `file`",
        }),
      ),
    ),
    fixes: Type.Optional(
      Type.Array(Type.String({ maxLength: 4096 }), {
        maxItems: 16,
        description:
          'repairs that issues propose (`fix`), beside those that each clip was converted with before; `[]` drops these',
      }),
    ),
  }),
  reply: Type.Object({ ok: Type.Literal(true), job: Type.String({ description: 'see GET /api/jobs/{name}' }) }),
});

export const createDataset = route({
  method: 'POST',
  path: '/api/data/new',
  tag: 'Datasets',
  summary: 'Creates an empty dataset',
  stores: true,
  body: strictBody({ name: nameOf('not taken yet') }),
  reply: Type.Object({ ok: Type.Literal(true), dataset: Type.String() }),
});

export const importDataset = route({
  method: 'POST',
  path: '/api/data/import',
  tag: 'Datasets',
  summary: 'Imports a folder of the service machine as a dataset, by copy or by link',
  slow: true,
  stores: true,
  body: strictBody({
    source: nameOf('a folder of the service machine'),
    name: Type.Optional(nameOf("name of the dataset; absent: the folder's")),
    link: flag('true: links the folder and never writes to it; false: copies it'),
  }),
  reply: SlowReply,
});

export const uploadClip = route({
  method: 'PUT',
  path: '/api/data/upload/{dataset}/{file}',
  tag: 'Datasets',
  summary: 'Uploads a clip, or a bundle of clips, into a dataset',
  upload: true,
  stores: true,
  reply: Type.Object({
    ok: Type.Literal(true),
    clip: Type.String(),
    bytes: Type.Integer(),
    clips: Type.Array(Type.String(), { description: 'that clip, or those that a bundle was taken apart into' }),
  }),
});

export const refreshDatasets = route({
  method: 'POST',
  path: '/api/data/uploaded',
  tag: 'Datasets',
  summary: 'Lists the datasets again after a batch of uploads',
  body: looseBody({}),
  reply: Type.Object({ ok: Type.Literal(true), datasets: Type.Array(DatasetCounts) }),
});

export const downloadClip = route({
  method: 'GET',
  path: '/api/data/download',
  tag: 'Datasets',
  summary: "Downloads a clip's file",
  query: Type.Object({
    dataset: datasetField,
    clip: clipField,
    source: Type.Optional(
      oneOf(['npz', 'raw'], { description: 'absent: the npz where there is one, else the raw file' }),
    ),
  }),
  reply: { contentType: 'application/octet-stream', description: 'the file' },
});

export const deleteDataset = route({
  method: 'DELETE',
  path: '/api/data/datasets/{dataset}',
  tag: 'Datasets',
  summary: 'Deletes a dataset. The source of a linked one is never touched',
  conflict: 'a queued or running job, the play session or the open preview uses the dataset',
  stores: true,
  reply: Ok,
});

export const deleteClip = route({
  method: 'DELETE',
  path: '/api/data/datasets/{dataset}/clips/{clip}',
  tag: 'Datasets',
  summary: 'Deletes a clip. The source of a linked dataset is never touched',
  conflict: 'a queued or running job, the play session or the open preview uses the clip',
  stores: true,
  query: Type.Object({
    mirror: Type.Optional(
      Type.Boolean({ description: 'deletes the mirror image that a conversion made of it, too; default false' }),
    ),
  }),
  reply: Ok,
});
