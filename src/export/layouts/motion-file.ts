import { type NpyArray, npyParts } from '../../formats/npy.ts';
import { formatNpyHeader } from '../../formats/npy-header.ts';
import { zipParts } from '../../formats/zip-write.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';

/** Formats a clip as `.npz` for controllers that read it with cnpy: arrays of float32, not compressed. cnpy misreads
 *  arrays of Unicode texts and the arrays after them, so names of bodies are stored as bytes at the end. @param bodies
 *  names of all bodies; null: the file contains no names */
export function motionFile(clip: MotionLibrary, bodies: readonly string[] | null): Uint8Array[] {
  const { frames, joints } = clip;
  const floats = (data: Float32Array, ...shape: number[]): NpyArray => ({ dtype: 'f4', data, shape });
  const arrays: Record<string, NpyArray> = {
    fps: floats(Float32Array.of(clip.fps), 1),
    joint_pos: floats(clip.jointPos, frames, joints),
    joint_vel: floats(clip.jointVel, frames, joints),
    body_pos_w: floats(clip.bodyPosW, frames, clip.bodies, 3),
    body_quat_w: floats(clip.bodyQuatW, frames, clip.bodies, 4),
    body_lin_vel_w: floats(clip.bodyLinVelW, frames, clip.bodies, 3),
    body_ang_vel_w: floats(clip.bodyAngVelW, frames, clip.bodies, 3),
  };
  const entries: [string, Uint8Array[]][] = Object.entries(arrays).map(([name, array]) => [
    `${name}.npy`,
    npyParts(array),
  ]);
  if (bodies) entries.push(['body_names.npy', bytesArray(bodies)]);
  return zipParts(entries);
}

/** Formats an array of texts of numpy's type `|S<n>`. */
function bytesArray(texts: readonly string[]): Uint8Array[] {
  const encoded = texts.map((text) => Buffer.from(text, 'utf8'));
  const width = Math.max(1, ...encoded.map((text) => text.length));
  const bytes = new Uint8Array(width * encoded.length);
  for (const [k, text] of encoded.entries()) bytes.set(text, k * width);
  return [formatNpyHeader(`|S${width}`, [encoded.length]), bytes];
}
