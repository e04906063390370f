import { Type } from 'typebox';
import { looseBody, nullable, oneOf, route, strictBody } from '../route.ts';
import { Ok, SlowReply } from '../schemas/busy.ts';
import { Clip, DataOptions, DatasetCounts, Preview } from '../schemas/data.ts';

const dataset = Type.String({ description: 'a dataset of the selected robot' });
const clip = Type.String({ description: 'a clip of the dataset' });

/** A transport call answers with the state it brought about. */
const PreviewReply = Type.Object({ ok: Type.Literal(true), ...Preview.properties });

export const listDatasets = route({
  method: 'GET',
  path: '/api/data/datasets',
  area: 'data',
  summary: 'Datasets of the robot with source / converted / missing counts',
  reply: Type.Object({ robot: Type.String(), datasets: Type.Array(DatasetCounts) }),
});

export const listClips = route({
  method: 'GET',
  path: '/api/data/clips',
  area: 'data',
  summary: 'Clips of a dataset, in natural name order',
  query: Type.Object({
    dataset,
    q: Type.Optional(
      Type.String({ maxLength: 256, description: 'case-insensitive: substring, or the whole name with `*` and `?`' }),
    ),
    status: Type.Optional(oneOf(['all', 'converted', 'missing', 'raw'])),
    page: Type.Optional(Type.Integer({ minimum: 1, description: 'default 1' })),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'default 50' })),
  }),
  reply: Type.Object({
    dataset: Type.String(),
    total: Type.Integer(),
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
  summary: 'Joints in the column order of CSV clips',
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
  summary: 'Preview state',
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
    source: Type.Optional(oneOf(['auto', 'npz', 'raw'], '`auto` (default) prefers an up-to-date npz')),
  }),
  reply: SlowReply,
});

export const loadGrid = route({
  method: 'POST',
  path: '/api/data/grid',
  area: 'data',
  summary: 'Previews a grid of clips playing in step: with loop, shorter ones begin anew as often as they end',
  slow: true,
  body: strictBody({
    dataset,
    clips: Type.Optional(
      Type.Array(Type.String(), { maxItems: 64, description: 'in this order; absent: the first that match `q`' }),
    ),
    q: Type.Optional(Type.String({ maxLength: 256, description: 'as of the listing' })),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 64, description: 'at most so many; default 64' })),
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
  summary: 'Seeks to a frame, clamped',
  body: strictBody({ frame: Type.Integer() }),
  reply: PreviewReply,
});

export const seekPreviewTime = route({
  method: 'POST',
  path: '/api/data/time',
  area: 'data',
  summary: 'Seeks to a time, clamped',
  body: strictBody({ time: Type.Number({ description: 's' }) }),
  reply: PreviewReply,
});

export const setPreviewPlaying = route({
  method: 'POST',
  path: '/api/data/playing',
  area: 'data',
  summary: 'Plays or pauses; toggles when `playing` is absent',
  body: strictBody({ playing: Type.Optional(Type.Boolean()) }),
  reply: PreviewReply,
});

export const setPreviewOptions = route({
  method: 'POST',
  path: '/api/data/options',
  area: 'data',
  summary: 'Display options and speed',
  body: Type.Partial(DataOptions, { additionalProperties: false }),
  reply: PreviewReply,
});

export const scanDataset = route({
  method: 'POST',
  path: '/api/data/scan',
  area: 'data',
  summary: 'Duration scan: hours and length histogram',
  slow: true,
  body: strictBody({ dataset }),
  reply: SlowReply,
});

export const convertDataset = route({
  method: 'POST',
  path: '/api/data/convert',
  area: 'data',
  summary: 'Conversion job',
  body: strictBody({
    dataset,
    which: Type.Optional(oneOf(['missing', 'all', 'selected'])),
    clips: Type.Optional(Type.Array(Type.String())),
    batch_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1024 })),
    output_fps: Type.Optional(Type.Number({ minimum: 1, maximum: 1000 })),
    mirror: Type.Optional(Type.Boolean()),
    debias_z: Type.Optional(Type.Boolean()),
    input_fps: Type.Optional(
      nullable(
        Type.Union([Type.Number({ minimum: 1, maximum: 1000 }), oneOf(['file'])], {
          description: 'frames a second of the source; `file`: what the file says, whatever dataset.yaml asks for',
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
  reply: Type.Object({ ok: Type.Literal(true), job: Type.String() }),
});

export const createDataset = route({
  method: 'POST',
  path: '/api/data/new',
  area: 'data',
  summary: 'New empty dataset',
  body: strictBody({ name: Type.String() }),
  reply: Type.Object({ ok: Type.Literal(true), dataset: Type.String() }),
});

export const importDataset = route({
  method: 'POST',
  path: '/api/data/import',
  area: 'data',
  summary: 'Imports a folder as a dataset, by copy or by link',
  slow: true,
  body: strictBody({
    source: Type.String({ description: 'a folder of the service machine' }),
    name: Type.Optional(Type.String()),
    link: Type.Optional(Type.Boolean()),
  }),
  reply: SlowReply,
});

export const uploadClip = route({
  method: 'PUT',
  path: '/api/data/upload/{dataset}/{file}',
  area: 'data',
  summary: 'Uploads a clip',
  upload: true,
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
  summary: 'Refresh after an upload batch',
  body: looseBody({}),
  reply: Type.Object({ ok: Type.Literal(true), datasets: Type.Array(DatasetCounts) }),
});

export const downloadClip = route({
  method: 'GET',
  path: '/api/data/download',
  area: 'data',
  summary: "A clip's file",
  query: Type.Object({ dataset, clip, source: Type.Optional(oneOf(['npz', 'raw'])) }),
  reply: { contentType: 'application/octet-stream', description: 'the file' },
});

export const deleteDataset = route({
  method: 'DELETE',
  path: '/api/data/datasets/{dataset}',
  area: 'data',
  summary: 'Deletes a dataset; a linked source is never touched',
  reply: Ok,
});

export const deleteClip = route({
  method: 'DELETE',
  path: '/api/data/datasets/{dataset}/clips/{clip}',
  area: 'data',
  summary: 'Deletes a clip; a linked source is never touched',
  reply: Ok,
});
