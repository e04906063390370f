import { Type } from 'typebox';
import { flag, looseBody, nameOf, nullable, oneOf, route, strictBody } from '../route.ts';
import { Ok, SlowReply } from '../schemas/busy.ts';
import { Clip, DataOptions, DatasetCounts, Preview } from '../schemas/data.ts';

const dataset = nameOf('a dataset of the selected robot');
const clip = nameOf('a clip of the dataset');
const search = Type.String({
  maxLength: 256,
  description: 'case-insensitive: a part of the name, or the whole name with `*` and `?`',
});

const NOTHING_OPEN = 'nothing is open';

/** A transport call answers with the state it brought about. */
const PreviewReply = Type.Intersect([Ok, Preview]);

export const listDatasets = route({
  method: 'GET',
  path: '/api/data/datasets',
  area: 'data',
  summary: 'Lists the datasets of the selected robot with their counts of source, converted and missing clips',
  reply: Type.Object({ robot: Type.String(), datasets: Type.Array(DatasetCounts) }),
});

export const listClips = route({
  method: 'GET',
  path: '/api/data/clips',
  area: 'data',
  summary: 'Lists the clips of a dataset in natural name order, page by page',
  query: Type.Object({
    dataset,
    q: Type.Optional(search),
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
  area: 'data',
  summary: 'Lists the joints in the column order of CSV clips',
  reply: Type.Object({
    joints: Type.Array(
      Type.Object({ name: Type.String(), lower: nullable(Type.Number()), upper: nullable(Type.Number()) }),
    ),
  }),
});

export const getPreview = route({
  method: 'GET',
  path: '/api/data/preview',
  area: 'data',
  summary: 'Gets the state of the preview',
  reply: Preview,
});

export const loadClip = route({
  method: 'POST',
  path: '/api/data/load',
  area: 'data',
  summary: 'Previews a clip: it takes the scene and plays from frame 0',
  slow: true,
  body: strictBody({
    dataset,
    clip,
    source: Type.Optional(
      oneOf(['auto', 'npz', 'raw'], { default: 'auto', description: '`auto` prefers an up-to-date npz' }),
    ),
  }),
  reply: SlowReply,
});

export const loadGrid = route({
  method: 'POST',
  path: '/api/data/grid',
  area: 'data',
  summary: 'Previews several clips side by side. With `loop`, each starts again at its own end',
  slow: true,
  body: strictBody({
    dataset,
    clips: Type.Optional(
      Type.Array(Type.String(), { maxItems: 64, description: 'in this order; absent: the first that match `q`' }),
    ),
    q: Type.Optional(search),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 64, default: 64, description: 'at most this many clips' }),
    ),
  }),
  reply: SlowReply,
});

export const closePreview = route({
  method: 'POST',
  path: '/api/data/close',
  area: 'data',
  summary: 'Closes the preview and gives the scene back',
  body: looseBody({}),
  reply: Ok,
});

export const seekPreviewFrame = route({
  method: 'POST',
  path: '/api/data/frame',
  area: 'data',
  summary: 'Shows a frame of the preview',
  conflict: NOTHING_OPEN,
  body: strictBody({ frame: Type.Integer({ description: 'clamped to the frames there are' }) }),
  reply: PreviewReply,
});

export const seekPreviewTime = route({
  method: 'POST',
  path: '/api/data/time',
  area: 'data',
  summary: 'Shows a moment of the preview',
  conflict: NOTHING_OPEN,
  body: strictBody({ time: Type.Number({ description: 's; clamped to the duration' }) }),
  reply: PreviewReply,
});

export const setPreviewPlaying = route({
  method: 'POST',
  path: '/api/data/playing',
  area: 'data',
  summary: 'Plays or pauses the preview',
  conflict: NOTHING_OPEN,
  body: strictBody({ playing: Type.Optional(Type.Boolean({ description: 'absent: toggles' })) }),
  reply: PreviewReply,
});

export const setPreviewOptions = route({
  method: 'POST',
  path: '/api/data/options',
  area: 'data',
  summary: 'Sets display options and speed of the preview. Absent fields stay as they are',
  conflict: NOTHING_OPEN,
  body: Type.Partial(DataOptions, { additionalProperties: false }),
  reply: PreviewReply,
});

export const scanDataset = route({
  method: 'POST',
  path: '/api/data/scan',
  area: 'data',
  summary: 'Scans the durations of a dataset: hours and a histogram of lengths',
  slow: true,
  stores: true,
  body: strictBody({ dataset }),
  reply: SlowReply,
});

export const convertDataset = route({
  method: 'POST',
  path: '/api/data/convert',
  area: 'data',
  summary: 'Starts a job that converts clips to npz',
  stores: true,
  body: strictBody({
    dataset,
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
  area: 'data',
  summary: 'Creates an empty dataset',
  stores: true,
  body: strictBody({ name: nameOf('not taken yet') }),
  reply: Type.Object({ ok: Type.Literal(true), dataset: Type.String() }),
});

export const importDataset = route({
  method: 'POST',
  path: '/api/data/import',
  area: 'data',
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
  area: 'data',
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
  area: 'data',
  summary: 'Lists the datasets again after a batch of uploads',
  body: looseBody({}),
  reply: Type.Object({ ok: Type.Literal(true), datasets: Type.Array(DatasetCounts) }),
});

export const downloadClip = route({
  method: 'GET',
  path: '/api/data/download',
  area: 'data',
  summary: "Downloads a clip's file",
  query: Type.Object({
    dataset,
    clip,
    source: Type.Optional(
      oneOf(['npz', 'raw'], { description: 'absent: the npz where there is one, else the raw file' }),
    ),
  }),
  reply: { contentType: 'application/octet-stream', description: 'the file' },
});

export const deleteDataset = route({
  method: 'DELETE',
  path: '/api/data/datasets/{dataset}',
  area: 'data',
  summary: 'Deletes a dataset. The source of a linked one is never touched',
  conflict: 'a queued or running job, the play session or the open preview uses the dataset',
  stores: true,
  reply: Ok,
});

export const deleteClip = route({
  method: 'DELETE',
  path: '/api/data/datasets/{dataset}/clips/{clip}',
  area: 'data',
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
