import { type ClipRobotSource, openClipRobot } from '../motion/clip-robot.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import { type ClipPlotGroup, clipChannels } from './clip-channels.ts';
import { type ClipPlots, type FrameRange, type PlotPass, type PlottedClip, plotRange } from './plot-clip.ts';

/** A range of a clip to plot. This object is sent between threads; its arrays are in shared memory. */
export interface RangeToPlot {
  readonly plotted: PlottedClip;
  readonly pass: PlotPass;
  readonly range: FrameRange;
  readonly plots: ClipPlots;
}

/** Computes a range on this thread. @throws bad_input if the robot's files cannot be read */
export async function plotClipRange(source: ClipRobotSource, work: RangeToPlot): Promise<void> {
  plotRange(work.plots, await openClipRobot(source), work.plotted, work.pass, work.range);
}

/** Plots of a clip, and the part of them for the reply. This object is sent between threads. */
export interface PlotsToReply {
  readonly title: string;
  readonly fps: number;
  readonly frames: number;
  readonly plots: ClipPlots;
  /** label of the raw source; null without one */
  readonly refLabel: string | null;
  /** group of channels; null: all channels */
  readonly group: ClipPlotGroup | null;
}

const UTF8 = new TextEncoder();

/** Formats the reply of `GET /api/plots/clip`. Call it on a thread of the pool, since long clips take long.
 *  @returns the bytes to send, in shared memory, so that they are not copied again */
export function formatClipPlots(facts: RobotFacts, order: PlotsToReply): Uint8Array {
  const { title, fps, frames, plots, refLabel, group } = order;
  const all = clipChannels(facts);
  const wanted = all.flatMap((channel, column) => (group === null || channel.group === group ? [column] : []));
  const channels = wanted.map((column) => all[column]!);
  const columns = (rows: Float32Array) => (group === null ? rows : onlyColumns(rows, all.length, wanted));
  const head = UTF8.encode(`${JSON.stringify({ title, fps, frames, channels }).slice(0, -1)},"data":"`);
  const middle = UTF8.encode(plots.ref ? '","ref":"' : '","ref":null');
  const end = UTF8.encode(`${plots.ref ? '"' : ''},"ref_label":${JSON.stringify(refLabel)}}`);
  const encoded = 4 * Math.ceil((frames * wanted.length * Float32Array.BYTES_PER_ELEMENT) / 3);
  const size = head.length + encoded + middle.length + (plots.ref ? encoded : 0) + end.length;
  const out = Buffer.from(new SharedArrayBuffer(size));
  let at = 0;
  const write = (part: Uint8Array) => {
    out.set(part, at);
    at += part.length;
  };
  const writeBase64 = (rows: Float32Array) => {
    at += out.write(Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength).toString('base64'), at, 'latin1');
  };
  write(head);
  writeBase64(columns(plots.data));
  write(middle);
  if (plots.ref) writeBase64(columns(plots.ref));
  write(end);
  return new Uint8Array(out.buffer, out.byteOffset, size);
}

function onlyColumns(rows: Float32Array, width: number, columns: readonly number[]): Float32Array {
  const out = new Float32Array((rows.length / width) * columns.length);
  for (let from = 0, to = 0; from < rows.length; from += width)
    for (const column of columns) out[to++] = rows[from + column]!;
  return out;
}
