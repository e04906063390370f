import { Type } from 'typebox';
import { looseBody, oneOf, route, strictBody } from '../route.ts';
import { Ok, SlowReply } from '../schemas/busy.ts';
import { clipField, datasetField, searchField } from '../schemas/clip-fields.ts';
import { DataOptions, Preview } from '../schemas/data.ts';

const NOTHING_OPEN = 'nothing is open';

/** A transport call answers with the state it brought about. */
const PreviewReply = Type.Intersect([Ok, Preview]);

export const getPreview = route({
  method: 'GET',
  path: '/api/data/preview',
  tag: 'Clip preview',
  summary: 'Gets the state of the preview',
  reply: Preview,
});

export const loadClip = route({
  method: 'POST',
  path: '/api/data/load',
  tag: 'Clip preview',
  summary: 'Previews a clip: it takes the scene and plays from frame 0',
  slow: true,
  body: strictBody({
    dataset: datasetField,
    clip: clipField,
    source: Type.Optional(
      oneOf(['auto', 'npz', 'raw'], { default: 'auto', description: '`auto` prefers an up-to-date npz' }),
    ),
  }),
  reply: SlowReply,
});

export const loadGrid = route({
  method: 'POST',
  path: '/api/data/grid',
  tag: 'Clip preview',
  summary: 'Previews several clips side by side. With `loop`, each starts again at its own end',
  slow: true,
  body: strictBody({
    dataset: datasetField,
    clips: Type.Optional(
      Type.Array(Type.String(), { maxItems: 64, description: 'in this order; absent: the first that match `q`' }),
    ),
    q: Type.Optional(searchField),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 64, default: 64, description: 'at most this many clips' }),
    ),
  }),
  reply: SlowReply,
});

export const closePreview = route({
  method: 'POST',
  path: '/api/data/close',
  tag: 'Clip preview',
  summary: 'Closes the preview and gives the scene back',
  body: looseBody({}),
  reply: Ok,
});

export const seekPreviewFrame = route({
  method: 'POST',
  path: '/api/data/frame',
  tag: 'Clip preview',
  summary: 'Shows a frame of the preview',
  conflict: NOTHING_OPEN,
  body: strictBody({ frame: Type.Integer({ description: 'clamped to the frames there are' }) }),
  reply: PreviewReply,
});

export const seekPreviewTime = route({
  method: 'POST',
  path: '/api/data/time',
  tag: 'Clip preview',
  summary: 'Shows a moment of the preview',
  conflict: NOTHING_OPEN,
  body: strictBody({ time: Type.Number({ description: 's; clamped to the duration' }) }),
  reply: PreviewReply,
});

export const setPreviewPlaying = route({
  method: 'POST',
  path: '/api/data/playing',
  tag: 'Clip preview',
  summary: 'Plays or pauses the preview',
  conflict: NOTHING_OPEN,
  body: strictBody({ playing: Type.Optional(Type.Boolean({ description: 'absent: toggles' })) }),
  reply: PreviewReply,
});

export const setPreviewOptions = route({
  method: 'POST',
  path: '/api/data/options',
  tag: 'Clip preview',
  summary: 'Sets display options and speed of the preview. Absent fields stay as they are',
  conflict: NOTHING_OPEN,
  body: Type.Partial(DataOptions, { additionalProperties: false }),
  reply: PreviewReply,
});
