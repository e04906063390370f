import { readFileSync } from 'node:fs';
import { fromXyzw } from '../../src/core/math/quaternion.ts';
import { parseClipCsv } from '../../src/formats/csv.ts';
import type { ClipRows } from '../../src/motion/clip-rows.ts';
import { generateClip, type ProceduralClip } from '../../src/motion/procedural/generate-clip.ts';
import { KIT } from './kit.ts';

export const KIT_CLIPS = [
  'walk1_subject1',
  'dance1_subject2',
  'fallAndGetUp1_subject1',
  'flip_360_009__A416',
  'flip_090_003__A304_M',
] as const;

/** Reads a built-in clip for the built-in robot. @param rate frames per second; absent: that of the sample clips */
export function builtinClip(name: ProceduralClip, rate?: number): ClipRows {
  const { fps, width, frames } = generateClip(name, rate);
  return toClip(frames, width, fps);
}

/** Reads a clip of the kit for the kit's G1. */
export function kitClip(name: (typeof KIT_CLIPS)[number]): ClipRows {
  const { rows, columns } = parseClipCsv(readFileSync(`${KIT}/clips/${name}.csv`));
  return toClip(rows, columns, 30);
}

/** Cuts a range of frames out of a clip. */
export function cutClip({ fps, frames, rows }: ClipRows, start: number, count: number): ClipRows {
  const width = rows.length / frames;
  const end = Math.min(frames, start + count);
  return { fps, frames: end - start, rows: rows.slice(start * width, end * width) };
}

function toClip(columns: Float64Array, width: number, fps: number): ClipRows {
  const rows = Float64Array.from(columns);
  for (let at = 3; at < rows.length; at += width) {
    const q = rows.subarray(at, at + 4);
    fromXyzw(q, [...q]);
  }
  return { fps, frames: rows.length / width, rows };
}
