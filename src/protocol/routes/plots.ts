import { Type } from 'typebox';
import { nullable, oneOf, route } from '../route.ts';
import { Channel } from '../schemas/plots.ts';

export const getClipPlots = route({
  method: 'GET',
  path: '/api/plots/clip',
  tag: 'Plots',
  summary: 'Gets the channels of the clip that is open in Data',
  conflict: 'no single clip is open',
  query: Type.Object({
    group: Type.Optional(
      oneOf(['root', 'joints', 'torques', 'feet', 'velocities'], {
        description: 'the channels of this group only; torques take the longest; absent: all',
      }),
    ),
    ref: Type.Optional(Type.Boolean({ default: true, description: 'false: without the raw source' })),
  }),
  reply: Type.Object({
    title: Type.String(),
    fps: Type.Number(),
    frames: Type.Integer(),
    channels: Type.Array(Channel),
    data: Type.String({ description: 'base64, float32 little-endian, rows by channels' }),
    ref: nullable(Type.String()),
    ref_label: nullable(Type.String()),
  }),
});

export const getPlayPlots = route({
  method: 'GET',
  path: '/api/plots/play',
  tag: 'Plots',
  summary: "Gets rows of an environment's record",
  conflict: 'there is no session',
  query: Type.Object({
    env: Type.Optional(Type.Integer({ minimum: 0, description: 'absent: the focused environment' })),
    since: Type.Optional(Type.Integer({ minimum: 0, description: 'first row; ignored in a fresh reply' })),
    epoch: Type.Optional(Type.Integer({ description: 'of the last reply; another or none: every kept row' })),
  }),
  reply: {
    contentType: 'application/octet-stream',
    description: '`[u32 header length][header JSON][pad to 4][f32 data][f32 ref][f32 meta]`, little-endian',
  },
});
