import type { Stats } from '../net/live-frames.ts';

/** Describes how the scene is drawn: pictures per second, received frames if the page draws fewer, and a reduced
 *  resolution. Both rates cover the same second. */
export function statsText({ fps, drawFps, scale }: Pick<Stats, 'fps' | 'drawFps' | 'scale'>): string {
  const drawn = Math.round(drawFps);
  const received = Math.round(fps);
  const parts = [drawn < 0.9 * received ? `${drawn} fps drawn, ${received} received` : `${drawn} fps`];
  if (scale < 0.99) parts.push(`${Math.round(100 * scale)} % resolution`);
  return parts.join(' · ');
}
