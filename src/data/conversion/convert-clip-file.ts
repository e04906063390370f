import { rm } from 'node:fs/promises';
import path from 'node:path';
import { layoutProblem } from '../../checks/layout/motion-layout.ts';
import { badInput } from '../../core/errors.ts';
import { writeWhole } from '../../core/files/atomic-file.ts';
import { linkOrCopy } from '../../core/files/link-or-copy.ts';
import { makeFolders } from '../../core/files/make-folders.ts';
import { clipFileType } from '../../formats/clip-registry.ts';
import { type MotionNpz, readMotionNpz } from '../../formats/motion-npz.ts';
import { formatMotionNpz } from '../../formats/motion-npz-write.ts';
import type { RawClip } from '../../formats/raw-clip.ts';
import { type ClipRobot, type ClipRobotSource, openClipRobot } from '../../motion/clip-robot.ts';
import { type ConversionOptions, formatConversion } from '../../motion/conversion-options.ts';
import { ClipMemory } from '../../motion/convert/clip-memory.ts';
import { convertClip } from '../../motion/convert/convert-clip.ts';
import { mirrorMap, mirrorRows } from '../../motion/convert/mirror.ts';
import { applyFixes, asksDebias } from '../../motion/fixes.ts';
import type { ReadOptions } from '../../protocol/schemas/reading.ts';
import { ownClipRows } from '../clip/load-clip.ts';
import { allFixes, recordOf } from './load-source.ts';
import { type ClipConversion, type ConversionOutput, ORIGINALS } from './plan-conversion.ts';
import { fileIdentity, identityOf } from './source-identity.ts';

/** Maximum size of a converted file. A larger file of uncompressed arrays needs zip64, which training cannot read. */
const MAX_BYTES = 0xffff0000;
/** Memory shared by all conversions of this thread. This is safe, because there is no `await` between filling the
 *  memory and passing its content to the system, so only one output is converted at a time. */
const memory = new ClipMemory();

/** The conversion of one clip, as sent to another thread. */
export interface ConversionOrder extends ClipConversion {
  readonly robot: ClipRobotSource;
  /** `fixes` are added to the repairs of the clip's existing npz; null: keep only the existing repairs; empty:
   *  remove all repairs */
  readonly options: Omit<ConversionOptions, 'fixes' | 'inputFps'> & {
    readonly fixes: readonly string[] | null;
    /** requested frames per second, which override the rate of the file; null: not requested */
    readonly inputFps: number | null;
    /** frames per second if neither the request nor the file states a rate */
    readonly defaultFps: number;
    /** options that override what a raw file or its format states */
    readonly read: ReadOptions;
  };
}

/** The result of one conversion. */
export interface ConversionReport {
  readonly inputFrames: number;
  readonly inputFps: number;
  readonly frames: number;
  readonly bytes: number;
  /** downward shift of the clip, m */
  readonly shiftZ: number;
  /** repairs that were applied to the clip */
  readonly fixes: readonly string[];
  /** duration of reading, computing and writing, ms */
  readonly readMs: number;
  readonly computeMs: number;
  readonly writeMs: number;
}

/** Reads a clip, converts it and writes its npz files. Each file is written completely or not at all.
 *  @throws bad_input naming the file and its problem; disk_full */
export async function convertClipFile(order: ConversionOrder): Promise<ConversionReport> {
  const { source, options } = order;
  const started = performance.now();
  const name = path.basename(source.path);
  const outputs = await wanted(order.outputs);
  const own = source.raw ? null : await ownOriginal(source.path);
  const original = own ?? source.path;
  const readAs = source.raw ? options.read : {};
  const { raw, identity } = await readOriginal(original, source, readAs);
  const before = await recordOf(order.outputs[0]!.path);
  // Repairs of the raw file that the clip was converted from are in its rows already.
  const applied = (source.raw ? null : await recordOf(original))?.fixes ?? [];
  const asked = allFixes(options.fixes, before?.source === identity ? before.fixes : []);
  const fixes = asked.filter((fix) => !applied.includes(fix));
  const robot = await openClipRobot(order.robot);
  const joints = robot.facts.joints.map((joint) => joint.name);
  const motion = source.raw ? null : await readMotionNpz(original);
  // A converted clip states its rate; a requested one is for raw files.
  const timed: RawClip = options.inputFps === null || !source.raw ? raw : { ...raw, fps: options.inputFps };
  const slides = robot.facts.joints.filter((joint) => joint.type === 'slide').map((joint) => joint.name);
  const fixed = applyFixes(timed, fixes, { joints, slides, motion });
  const clip = ownClipRows(fixed, { columns: robot.nq, jointNames: joints, fps: options.defaultFps }, name);
  // Bodies and velocities are computed again from root and joints, so a wrong order could not be found later.
  if (motion && fixes.length === 0) refuseWrongLayout(robot, motion, name);
  const read = performance.now();
  let [frames, shiftZ, bytes, writeMs] = [0, 0, 0, 0];
  const saving: Promise<void>[] = [];

  const debiasZ = options.debiasZ || asksDebias(fixes);
  const mirror = outputs.some(({ mirrored }) => mirrored) ? mirrorMap(robot) : null;
  for (const { path: file, mirrored } of outputs) {
    if (file === source.path && own === null) await keepOriginal(file, identity);
    const shown = mirrored && mirror ? mirrorRows(clip, mirror) : clip;
    memory.reuse();
    const made = convertClip(robot, shown, { outputFps: options.outputFps, debiasZ }, memory);
    if (sizeOf(made.motion) > MAX_BYTES)
      throw badInput(`${name}: the converted clip would be larger than 4 GiB. Split or trim the clip.`);
    const computed = performance.now();
    const record = { inputFps: clip.fps, outputFps: options.outputFps, debiasZ, mirrored, fixes, source: identity };
    const content = formatMotionNpz(made.motion, formatConversion({ ...record, read: readAs }));
    // The folder is not synced: a clip lost in a power cut is missing at the next start, and is converted again.
    saving.push(writeWhole(file, content));
    if (bytes === 0) [frames, shiftZ] = [made.motion.frames, made.shiftZ];
    bytes += content.reduce((sum, part) => sum + part.byteLength, 0);
    writeMs += performance.now() - computed;
  }
  const computeMs = performance.now() - read - writeMs;
  const saved = await Promise.allSettled(saving);
  for (const result of saved) if (result.status === 'rejected') throw result.reason;
  writeMs = performance.now() - read - computeMs;
  const { frames: inputFrames } = raw;
  return { inputFrames, inputFps: clip.fps, frames, bytes, shiftZ, fixes, readMs: read - started, computeMs, writeMs };
}

/** Reads the file once and computes the identity of its content (size and checksum) from the same bytes. */
async function readOriginal(file: string, { format, raw: isRaw }: ConversionOrder['source'], read: ReadOptions) {
  if (!isRaw) return { identity: fileIdentity(file), raw: await clipFileType(format).read(file) };
  let identity = '';
  const raw = await clipFileType(format).read(file, read, (content) => {
    identity = identityOf(content);
  });
  return { identity, raw };
}

/** @throws bad_input for a converted clip whose joints, bodies or quaternions are in another order than the robot's */
function refuseWrongLayout(robot: ClipRobot, motion: MotionNpz, name: string): void {
  const problem = layoutProblem(robot, motion);
  if (problem === null) return;
  const remedy = problem.fix === null ? '' : ` Apply the repair ${problem.fix} first.`;
  throw badInput(`${name}: ${problem.text}${remedy}`);
}

/** Returns the outputs to write. An output that was not requested is written only if this program converted the
 *  existing file, with the same value of `mirrored`. */
async function wanted(outputs: readonly ConversionOutput[]): Promise<ConversionOutput[]> {
  const out: ConversionOutput[] = [];
  for (const output of outputs)
    if (!output.refresh || (await recordOf(output.path))?.mirrored === output.mirrored) out.push(output);
  return out;
}

function sizeOf({ frames, joints, bodies }: MotionNpz): number {
  return 4 * frames * (2 * joints + 13 * bodies);
}

/** Returns the path of the original of a converted clip without a source; null if this service never converted the clip,
 *  or if its file was replaced since then. */
async function ownOriginal(npz: string): Promise<string | null> {
  const kept = originalOf(npz);
  const record = await recordOf(npz);
  if (record === null || record.source === null) return null;
  try {
    return fileIdentity(kept) === record.source ? kept : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the path of the original of a converted clip. The original is kept there before the first conversion. */
export function originalOf(npz: string): string {
  return path.join(path.dirname(npz), ORIGINALS, path.basename(npz));
}

/** @throws bad_input if the clip was replaced after `identity` was read */
async function keepOriginal(npz: string, identity: string): Promise<void> {
  const kept = originalOf(npz);
  await makeFolders(path.dirname(kept), 1);
  await rm(kept, { force: true }); // the original belongs to an earlier file of the same name
  // A hard link is enough: replacing the clip's file then leaves the original unchanged.
  await linkOrCopy(npz, kept);
  if (fileIdentity(kept) !== identity)
    throw badInput(`${path.basename(npz)}: the file was replaced during the conversion. Convert it again.`);
}
