import { Type } from 'typebox';
import { nullable, oneOf, route } from '../route.ts';
import { Channel } from '../schemas/plots.ts';

export const getClipPlots = route({
  method: 'GET',
  path: '/api/plots/clip',
  tag: 'Plots',
  summary: 'Gets the channels of the clip that is open in the preview',
  conflict: 'no clip is open, or several clips are open side by side',
  query: Type.Object({
    group: Type.Optional(
      oneOf(['root', 'joints', 'torques', 'feet', 'velocities'], {
        description: 'Only the channels of this group. Absent: all. Torques take the longest to compute',
      }),
    ),
    ref: Type.Optional(Type.Boolean({ default: true, description: 'false: without the raw source for comparison' })),
  }),
  reply: Type.Object({
    title: Type.String(),
    fps: Type.Number(),
    frames: Type.Integer(),
    channels: Type.Array(Channel),
    data: Type.String({ description: 'Values as base64 of little-endian float32: frames × channels, row-major' }),
    ref: nullable(Type.String({ description: 'Values of the raw source in the same format; null without one' })),
    ref_label: nullable(Type.String({ description: 'What `ref` shows, for people' })),
  }),
});

export const getPlayPlots = route({
  method: 'GET',
  path: '/api/plots/play',
  tag: 'Plots',
  summary: 'Gets rows of the record of an environment',
  conflict: 'there is no play session, or the client may only view and the environment is not recorded',
  asksSender: true,
  query: Type.Object({
    env: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Index of the environment. Absent: the focused environment' }),
    ),
    since: Type.Optional(
      Type.Integer({ minimum: 0, description: 'First row. Ignored if `epoch` is absent or out of date' }),
    ),
    epoch: Type.Optional(
      Type.Integer({ description: '`epoch` of the last reply. Another value or none: all kept rows are returned' }),
    ),
  }),
  reply: {
    contentType: 'application/octet-stream',
    description: '`[u32 header length][header JSON][pad to 4][f32 data][f32 ref][f32 meta]`, little-endian',
  },
});
