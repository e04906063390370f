import { Type } from 'typebox';
import { looseBody, oneOf, route, strictBody } from '../route.ts';
import { Ok, SlowReply } from '../schemas/busy.ts';
import { clipField, datasetField, searchField } from '../schemas/clip-fields.ts';
import { DataOptions, Preview } from '../schemas/data.ts';
import { EditStep } from '../schemas/edit.ts';

const NOTHING_OPEN = 'no clip is open';

/** Reply of the routes that play, pause or seek: the new state. */
const PreviewReply = Type.Intersect([Ok, Preview]);

export const getPreview = route({
  method: 'GET',
  path: '/api/data/preview',
  tag: 'Clip preview',
  summary: 'Gets the state of the clip preview',
  reply: Preview,
});

export const loadClip = route({
  method: 'POST',
  path: '/api/data/load',
  tag: 'Clip preview',
  summary: 'Opens a clip in the scene and plays it from frame 0',
  slow: true,
  body: strictBody({
    dataset: datasetField,
    clip: clipField,
    source: Type.Optional(
      oneOf(['auto', 'npz', 'raw'], {
        default: 'auto',
        description: '`auto`: the npz if it is up to date, else the raw file',
      }),
    ),
  }),
  reply: SlowReply,
});

export const previewEdit = route({
  method: 'POST',
  path: '/api/data/edit/preview',
  tag: 'Clip preview',
  summary: 'Shows the result of an edit in the scene without writing it. The playhead of the open clip stays',
  deadlineS: 120,
  body: strictBody({
    dataset: datasetField,
    clip: clipField,
    steps: Type.Array(EditStep, {
      maxItems: 64,
      description: 'Steps as for POST /api/data/edit. Empty: shows the source clip',
    }),
    part: Type.Optional(
      Type.Integer({ minimum: 0, default: 0, description: 'Which part of a split is shown, from 0; clamped' }),
    ),
  }),
  reply: PreviewReply,
});

export const loadGrid = route({
  method: 'POST',
  path: '/api/data/grid',
  tag: 'Clip preview',
  summary: 'Opens several clips side by side in the scene. With `loop`, each clip starts again at its own end',
  slow: true,
  body: strictBody({
    dataset: datasetField,
    clips: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 64,
        description: 'Names of the clips, in this order. Absent: the first clips that match `q`',
      }),
    ),
    q: Type.Optional(searchField),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 64, default: 64, description: 'Largest number of clips' }),
    ),
  }),
  reply: SlowReply,
});

export const closePreview = route({
  method: 'POST',
  path: '/api/data/close',
  tag: 'Clip preview',
  summary: 'Closes the preview. The scene shows its previous content',
  body: looseBody({}),
  reply: Ok,
});

export const seekPreviewFrame = route({
  method: 'POST',
  path: '/api/data/frame',
  tag: 'Clip preview',
  summary: 'Moves the preview to a frame',
  conflict: NOTHING_OPEN,
  body: strictBody({ frame: Type.Integer({ description: 'Frame from 0, clamped to the length of the clip' }) }),
  reply: PreviewReply,
});

export const seekPreviewTime = route({
  method: 'POST',
  path: '/api/data/time',
  tag: 'Clip preview',
  summary: 'Moves the preview to a time',
  conflict: NOTHING_OPEN,
  body: strictBody({ time: Type.Number({ description: 's, clamped to the duration of the clip' }) }),
  reply: PreviewReply,
});

export const setPreviewPlaying = route({
  method: 'POST',
  path: '/api/data/playing',
  tag: 'Clip preview',
  summary: 'Plays or pauses the preview',
  conflict: NOTHING_OPEN,
  body: strictBody({ playing: Type.Optional(Type.Boolean({ description: 'Absent: toggles the state' })) }),
  reply: PreviewReply,
});

export const setPreviewOptions = route({
  method: 'POST',
  path: '/api/data/options',
  tag: 'Clip preview',
  summary: 'Sets display options and speed of the preview. Absent fields keep their value',
  conflict: NOTHING_OPEN,
  body: Type.Partial(DataOptions, { additionalProperties: false }),
  reply: PreviewReply,
});
