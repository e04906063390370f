import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { clipFileType } from '../../formats/clip-registry.ts';
import { readMotionNpz } from '../../formats/motion-npz.ts';
import type { ClipRobot } from '../../motion/clip-robot.ts';
import { DEFAULT_INPUT_FPS } from '../../motion/conversion-options.ts';
import { applyFixes } from '../../motion/fixes.ts';
import type { ReadOptions } from '../../protocol/schemas/reading.ts';
import { clipRows, type SharedClipRows } from '../clip/load-clip.ts';
import { allFixes, recordOf } from '../conversion/load-source.ts';
import { identityOf } from '../conversion/source-identity.ts';
import type { RecipeSource } from './recipe.ts';

/** A source clip of an edit. This object is sent between threads. */
export interface EditSource {
  readonly dataset: string;
  readonly clip: string;
  readonly path: string;
  readonly format: string;
  readonly raw: boolean;
  /** options of `dataset.yaml` that override what the file states */
  readonly read: ReadOptions;
  /** repairs that `dataset.yaml` sets for this clip; null: none are set; empty: remove all repairs */
  readonly fixes: readonly string[] | null;
  /** path of the converted clip of a raw one, whose repairs and frame rate are kept; null without one */
  readonly converted: string | null;
}

/** Reads a clip in the same way as its conversion: with the frame rate and the repairs of `dataset.yaml`, else with
 *  those of its converted clip, which the preview shows.
 *  @throws bad_input naming the file and its problem */
export async function readForEdit(source: EditSource, robot: ClipRobot): Promise<SharedClipRows> {
  const { read, converted } = source;
  let identity = '';
  const raw = await clipFileType(source.format).read(source.path, read, (content) => {
    identity = identityOf(content);
  });
  const record = converted === null ? null : await recordOf(converted);
  const before = record?.source === identity && !record.mirrored ? record : null;
  const fixes = allFixes(source.fixes, before?.fixes ?? []);
  const { joints: own } = robot.facts;
  const joints = own.map((joint) => joint.name);
  const slides = own.filter((joint) => joint.type === 'slide').map((joint) => joint.name);
  const motion = source.raw || fixes.length === 0 ? null : await readMotionNpz(source.path);
  const timed = before === null || read.fps !== undefined ? raw : { ...raw, fps: before.inputFps };
  const fixed = applyFixes(timed, fixes, { joints, slides, motion });
  const target = { columns: robot.nq, jointNames: joints, fps: DEFAULT_INPUT_FPS };
  return clipRows(fixed, target, path.basename(source.path));
}

/** Returns the entry of a source clip in a recipe, with the checksum of the clip's file. */
export async function recipeSource({ dataset, clip, path: file }: EditSource): Promise<RecipeSource> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return { dataset, clip, file: path.basename(file), sha256: hash.digest('hex') };
}
