import { type ClipRobotSource, openClipRobot } from '../motion/clip-robot.ts';
import type { ClipRows } from '../motion/clip-rows.ts';
import { clipChannels } from './clip-channels.ts';
import { plotClip } from './plot-clip.ts';

/** A clip to plot. Crosses threads. */
export interface ClipToPlot {
  readonly title: string;
  readonly clip: ClipRows;
  /** the raw source of a converted clip, with what to call it */
  readonly ref: { readonly label: string; readonly rows: ClipRows } | null;
}

/** The reply of `GET /api/plots/clip` as the bytes that are sent: made off the threads that must not wait.
 *  @throws bad_input as the robot's file says */
export async function clipPlotsReply(source: ClipRobotSource, { title, clip, ref }: ClipToPlot): Promise<Uint8Array> {
  const robot = await openClipRobot(source);
  const plots = plotClip(robot, clip, ref?.rows ?? null);
  return Buffer.from(
    JSON.stringify({
      title,
      fps: clip.fps,
      frames: clip.frames,
      channels: clipChannels(source.facts),
      data: base64(plots.data),
      ref: plots.ref && base64(plots.ref),
      ref_label: ref?.label ?? null,
    }),
  );
}

function base64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
