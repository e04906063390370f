import { Type } from 'typebox';
import { nullable, oneOf, route } from '../route.ts';

export const Channel = Type.Object({
  id: Type.String(),
  name: Type.String(),
  group: Type.String(),
  unit: Type.String(),
  lower: nullable(Type.Number()),
  upper: nullable(Type.Number()),
  limit_note: Type.Optional(Type.String()),
});

export const getClipPlots = route({
  method: 'GET',
  path: '/api/plots/clip',
  area: 'plots',
  summary: 'Channels of the clip open in Data',
  query: Type.Object({
    group: Type.Optional(
      oneOf(
        ['root', 'joints', 'torques', 'feet', 'velocities'],
        'the channels of this group alone: without torques they come much sooner; default: all',
      ),
    ),
    ref: Type.Optional(Type.Boolean({ description: 'false: without the raw source; default: with it' })),
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
  area: 'plots',
  summary: "Rows of an env's record",
  query: Type.Object({
    env: Type.Optional(Type.Integer({ minimum: 0, description: 'default: the focused env' })),
    since: Type.Optional(Type.Integer({ minimum: 0 })),
    epoch: Type.Optional(Type.Integer()),
  }),
  reply: {
    contentType: 'application/octet-stream',
    description: '[u32 header length][header JSON][pad to 4][f32 data][f32 ref][f32 meta]',
  },
});
