import { access, link, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { writeAtomicSync } from '../../core/files/atomic-file.ts';
import { clipFormat } from '../../formats/clip-registry.ts';
import { type MotionNpz, readMotionNpz } from '../../formats/motion-npz.ts';
import { CONVERSION_ENTRY, formatMotionNpz } from '../../formats/motion-npz-write.ts';
import { readNpz } from '../../formats/npz.ts';
import type { RawClip } from '../../formats/raw-clip.ts';
import { type ClipRobotSource, openClipRobot } from '../../motion/clip-robot.ts';
import { type ConversionOptions, formatConversion, parseConversion } from '../../motion/conversion-options.ts';
import { convertClip } from '../../motion/convert/convert-clip.ts';
import { mirrorMap, mirrorRows } from '../../motion/convert/mirror.ts';
import { applyFixes, asksDebias, parseFix } from '../../motion/fixes.ts';
import { clipRows } from '../clip/load-clip.ts';
import { type ClipConversion, ORIGINALS } from './plan-conversion.ts';

/** Beyond it a file of stored arrays needs zip64, which training does not read. */
const MAX_BYTES = 0xffff0000;

/** One clip for a thread to convert. Crosses threads. */
export interface ConversionOrder extends ClipConversion {
  readonly robot: ClipRobotSource;
  /** `fixes` beside those that the clip's npz was made with before; null: those alone; empty: none */
  readonly options: Omit<ConversionOptions, 'fixes' | 'inputFps'> & {
    readonly fixes: readonly string[] | null;
    /** frames a second asked for, over what the file says; null: nothing is asked */
    readonly inputFps: number | null;
    /** frames a second where neither says anything */
    readonly defaultFps: number;
  };
}

/** What became of it. */
export interface ConversionReport {
  readonly inputFrames: number;
  readonly inputFps: number;
  readonly frames: number;
  readonly bytes: number;
  /** m that the clip was shifted down */
  readonly shiftZ: number;
  /** repairs that were applied */
  readonly fixes: readonly string[];
  /** ms of reading, computing and writing */
  readonly readMs: number;
  readonly computeMs: number;
  readonly writeMs: number;
}

/** Reads a clip, converts it and writes its npz, each whole or not at all.
 *  @throws bad_input naming the file and what is wrong with it; disk_full */
export async function convertClipFile(order: ConversionOrder): Promise<ConversionReport> {
  const { source, outputs, options } = order;
  const started = performance.now();
  const name = path.basename(source.path);
  const original = source.raw ? source.path : await firstOriginal(source.path);
  const raw = await clipFormat(source.format).read(original);
  const fixes = await allFixes(options.fixes, outputs[0]!.path);
  const robot = await openClipRobot(order.robot);
  const joints = robot.facts.joints.map((joint) => joint.name);
  const motion = source.raw || fixes.length === 0 ? null : await readMotionNpz(original);
  const asked: RawClip = options.inputFps === null ? raw : { ...raw, fps: options.inputFps };
  const fixed = applyFixes(asked, fixes, { joints, motion });
  const clip = clipRows(fixed, { columns: robot.nq, jointNames: joints, fps: options.defaultFps }, name);
  const read = performance.now();

  const debiasZ = options.debiasZ || asksDebias(fixes);
  const made = outputs.map(({ path: file, mirrored }) => {
    const shown = mirrored ? mirrorRows(clip, mirrorMap(robot)) : clip;
    return { file, mirrored, ...convertClip(robot, shown, { outputFps: options.outputFps, debiasZ }) };
  });
  const computed = performance.now();

  let bytes = 0;
  for (const { file, mirrored, motion } of made) {
    if (sizeOf(motion) > MAX_BYTES) throw badInput(`${name}: converted it would be larger than 4 GiB; cut the clip`);
    const record = { inputFps: clip.fps, outputFps: options.outputFps, debiasZ, mirrored, fixes };
    const content = formatMotionNpz(motion, formatConversion(record));
    if (file === source.path) await keepOriginal(file);
    writeAtomicSync(file, content);
    bytes += content.reduce((sum, part) => sum + part.byteLength, 0);
  }
  return {
    inputFrames: raw.frames,
    inputFps: clip.fps,
    frames: made[0]!.motion.frames,
    bytes,
    shiftZ: made[0]!.shiftZ,
    fixes,
    readMs: read - started,
    computeMs: computed - read,
    writeMs: performance.now() - computed,
  };
}

function sizeOf({ frames, joints, bodies }: MotionNpz): number {
  return 4 * frames * (2 * joints + 13 * bodies);
}

/** The repairs of a conversion: those asked for beside those that the clip was made with before, of which one of the same
 *  kind gives way; an empty list drops them all. */
async function allFixes(asked: readonly string[] | null, npz: string): Promise<readonly string[]> {
  if (asked?.length === 0) return [];
  const earlier = await earlierFixes(npz);
  if (asked === null) return earlier;
  const kinds = new Set(asked.map((fix) => parseFix(fix).kind));
  return [...earlier.filter((fix) => !kinds.has(parseFix(fix).kind)), ...asked];
}

/** The fixes that a converted clip was made with; none where it is not there or others made it. */
async function earlierFixes(npz: string): Promise<readonly string[]> {
  try {
    const { arrays } = await readNpz(npz, new Set([CONVERSION_ENTRY]));
    const entry = arrays.get(CONVERSION_ENTRY);
    return (entry?.dtype === 'U' && parseConversion(entry.data[0] ?? '')?.fixes) || [];
  } catch {
    return []; // Missing, or not readable: it is about to be replaced.
  }
}

/** A converted clip that has no source is its own: the file as it came is kept, and repairs begin from it. */
async function firstOriginal(npz: string): Promise<string> {
  const kept = originalOf(npz);
  try {
    await access(kept);
    return kept;
  } catch {
    return npz;
  }
}

/** Where the file that a converted clip came as is kept, once it is repaired. */
export function originalOf(npz: string): string {
  return path.join(path.dirname(npz), ORIGINALS, path.basename(npz));
}

async function keepOriginal(npz: string): Promise<void> {
  const kept = originalOf(npz);
  if ((await firstOriginal(npz)) === kept) return;
  await mkdir(path.dirname(kept), { recursive: true });
  // A second name for the same file: what replaces the first leaves it as it is.
  await link(npz, kept);
}
