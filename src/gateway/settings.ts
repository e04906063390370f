import { Type } from 'typebox';
import { count, optional, positive, settingsSection } from '../core/settings.ts';
import { strictBody } from '../protocol/route.ts';

/** `stream`: live frames. */
export const STREAM_SETTINGS = settingsSection({
  schema: strictBody({
    fps: optional(Type.Number({ minimum: 1, maximum: 1000, description: 'frames per second while the scene moves' })),
    max_mbps: positive('maximum rate of frame data to one client, Mbit/s'),
  }),
  read: (given) => ({ fps: given?.fps ?? 60, maxMbps: given?.max_mbps ?? 400 }),
});

/** `limits`: sizes of requests, number of clients. */
export const LIMITS_SETTINGS = settingsSection({
  schema: strictBody({
    json_mib: positive('maximum size of a JSON body, MiB'),
    upload_gib: positive('maximum size of an uploaded file, GiB'),
    connections: count(1_000_000),
  }),
  read: (given) => ({
    jsonBytes: Math.floor((given?.json_mib ?? 1) * 2 ** 20),
    uploadBytes: Math.floor((given?.upload_gib ?? 4) * 2 ** 30),
    connections: given?.connections ?? 4096,
  }),
});
