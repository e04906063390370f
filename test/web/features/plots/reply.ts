import type { PlotReply } from '../../../../web/src/features/data/shared/plot-reply.ts';

type Rows = readonly (readonly number[])[];

const encode = (rows: Rows) => Buffer.from(new Float32Array(rows.flat()).buffer).toString('base64');

/** A reply with plots of a clip at 50 Hz. @param rows one array per frame, one value per channel */
export function plotReply(ids: readonly string[], rows: Rows, ref: Rows | null = null): PlotReply {
  return {
    title: 'clip',
    fps: 50,
    frames: rows.length,
    channels: ids.map((id) => ({ id, name: id, group: 'joints', unit: 'rad', lower: null, upper: null })),
    data: encode(rows),
    ref: ref === null ? null : encode(ref),
    ref_label: ref === null ? null : 'raw source',
  };
}
