import type { PictureSize } from '../../scene/messages.ts';

export type CaptureKind = 'picture' | 'video' | 'gif';
export type VideoFormat = 'webm' | 'mp4';

/** Sizes to choose from, px; null: as the scene is shown. */
export const SIZES: readonly {
  readonly id: string;
  readonly text: string;
  readonly size: readonly [number, number] | null;
}[] = [
  { id: 'shown', text: 'As shown', size: null },
  { id: '640', text: '640 × 360', size: [640, 360] },
  { id: '1280', text: '1280 × 720', size: [1280, 720] },
  { id: '1920', text: '1920 × 1080', size: [1920, 1080] },
  { id: 'square', text: '1080 × 1080', size: [1080, 1080] },
  { id: '3840', text: '3840 × 2160', size: [3840, 2160] },
];

/** Maximum width and height of a video and of a GIF, px. All frames of a GIF are in memory until it is written. */
const MOST_PX: Readonly<Record<CaptureKind, number>> = { picture: 4096, video: 1920, gif: 640 };

/** Codecs, the preferred one first. */
const CODECS: Readonly<Record<VideoFormat, readonly string[]>> = {
  webm: ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'],
  mp4: ['video/mp4;codecs=avc1.42E01F', 'video/mp4;codecs=vp9', 'video/mp4'],
};

/** Returns the media type in which a browser can record; null if it cannot write this format.
 *  @param supported `MediaRecorder.isTypeSupported` */
export function mediaType(format: VideoFormat, supported: (type: string) => boolean): string | null {
  return CODECS[format].find(supported) ?? null;
}

/** Returns the size of a capture, px: even numbers, as video codecs need them, within the limit of its kind.
 *  @param shown size of the scene on the screen */
export function captureSize(id: string, kind: CaptureKind, shown: PictureSize): { width: number; height: number } {
  const named = SIZES.find((one) => one.id === id)?.size ?? null;
  const [width, height] = named ?? [shown.width * shown.ratio, shown.height * shown.ratio];
  const scale = Math.min(1, MOST_PX[kind] / Math.max(1, width, height));
  const even = (px: number) => Math.max(2, 2 * Math.round((px * scale) / 2));
  return { width: even(width), height: even(height) };
}

/** Returns the name of a file: what the scene shows and the local time, `g1-20260131-142755.png`. */
export function captureName(subject: string, ending: string, now: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  return `${subject.replace(/[^\w.-]+/g, '-')}-${day}-${time}.${ending}`;
}
