import { type ClipRobotSource, openClipRobot } from '../motion/clip-robot.ts';
import type { ClipRows } from '../motion/clip-rows.ts';
import { type ClipPlotGroup, clipChannels } from './clip-channels.ts';
import { plotClip } from './plot-clip.ts';

/** A clip to plot. Crosses threads. */
export interface ClipToPlot {
  readonly title: string;
  readonly clip: ClipRows;
  /** the raw source of a converted clip, with what to call it */
  readonly ref: { readonly label: string; readonly rows: ClipRows } | null;
  /** which of its channels; null: all */
  readonly group: ClipPlotGroup | null;
}

/** The reply of `GET /api/plots/clip` as the bytes that are sent: made off the threads that must not wait.
 *  @throws bad_input as the robot's file says */
export async function clipPlotsReply(
  source: ClipRobotSource,
  { title, clip, ref, group }: ClipToPlot,
): Promise<Uint8Array> {
  const robot = await openClipRobot(source);
  const all = clipChannels(source.facts);
  const wanted = all.flatMap((channel, column) => (group === null || channel.group === group ? [column] : []));
  const plots = plotClip(robot, clip, { raw: ref?.rows ?? null, torques: group === null || group === 'torques' });
  const columns = (rows: Float32Array) => base64(group === null ? rows : onlyColumns(rows, all.length, wanted));
  return Buffer.from(
    JSON.stringify({
      title,
      fps: clip.fps,
      frames: clip.frames,
      channels: wanted.map((column) => all[column]!),
      data: columns(plots.data),
      ref: plots.ref && columns(plots.ref),
      ref_label: ref?.label ?? null,
    }),
  );
}

function onlyColumns(rows: Float32Array, width: number, columns: readonly number[]): Float32Array {
  const out = new Float32Array((rows.length / width) * columns.length);
  for (let from = 0, to = 0; from < rows.length; from += width)
    for (const column of columns) out[to++] = rows[from + column]!;
  return out;
}

function base64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
