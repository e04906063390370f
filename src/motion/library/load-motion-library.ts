import { badInput, StudioError } from '../../core/errors.ts';
import { listBundle, readBundle } from '../../formats/clips/bundle.ts';
import { type MotionNpz, motionFacts, readMotionNpz } from '../../formats/motion-npz.ts';
import type { LibraryClip, MotionLibrary } from './motion-library.ts';

/** A converted clip on disk, or a dataset's bundle of several clips. */
export interface LibraryFile {
  /** name of the clip; unused for a bundle, which stores the names of its clips */
  readonly name: string;
  readonly path: string;
  /** factor on the probability that an episode starts in the clip, or in each clip of a bundle; default 1 */
  readonly weight?: number;
}

/** The robot for which a motion library is loaded. */
export interface LibraryRobot {
  readonly joints: readonly { readonly name: string }[];
  readonly bodies: readonly unknown[];
}

/** Reads the frame count and frame rate of a converted clip. Returns null if the file is not a converted clip. */
export async function readMotionFacts(file: string): Promise<{ frames: number; fps: number } | null> {
  try {
    const { frames, fps } = await motionFacts(file);
    return { frames, fps };
  } catch (error) {
    if (error instanceof StudioError) return null;
    throw error;
  }
}

interface NamedMotion {
  readonly name: string;
  readonly motion: MotionNpz;
  readonly weight?: number;
}

/** A clip whose frames are not read yet. */
interface AnnouncedClip extends Pick<MotionNpz, 'frames' | 'fps' | 'joints' | 'bodies'> {
  readonly name: string;
  readonly weight?: number;
}

/** Reads converted clips into one motion library in shared memory. Only one clip is in memory a second time, because
 *  libraries may fill half of the memory.
 *  @throws StudioError bad_input naming a clip that belongs to another robot, has another frame rate or is damaged */
export async function loadMotionLibrary(files: readonly LibraryFile[], robot: LibraryRobot): Promise<MotionLibrary> {
  if (files.length === 0) throw badInput('motion: there are no converted clips. Convert clips of the dataset first.');
  const announced: AnnouncedClip[] = [];
  for (const file of files) announced.push(...(await announcedIn(file)));
  const library = emptyLibrary(announced, robot);
  let next = 0;
  for (const file of files)
    for await (const { name, motion } of motionsOf(file)) fillClip(library, next++, { name, motion }, robot);
  if (next < announced.length) throw badInput('motion: a clip was removed while the clips were read. Start again.');
  checkFinite(library);
  return library;
}

/** Lists the clips of a file. */
async function announcedIn({ name, path, weight }: LibraryFile): Promise<AnnouncedClip[]> {
  const { segments, ...facts } = await named(name, motionFacts(path));
  const weighted = weight === undefined ? {} : { weight };
  if (segments === 0) return [{ ...facts, name, ...weighted }];
  const clips = await listBundle(path);
  return clips.map((clip) => ({ ...facts, name: clip.name, frames: clip.frames, ...weighted }));
}

/** Reads the clips of a file one by one. @throws StudioError bad_input naming a damaged clip */
export async function* motionsOf({ name, path }: LibraryFile): AsyncGenerator<{ name: string; motion: MotionNpz }> {
  const { segments } = await named(name, motionFacts(path));
  if (segments === 0) yield { name, motion: await named(name, readMotionNpz(path)) };
  else for await (const { clip, motion } of readBundle(path)) yield { name: clip.name, motion };
}

/** Adds the name of the clip to the errors of a reading. */
export async function named<T>(name: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw badInput(`motion: ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Concatenates clips into one motion library. @throws StudioError bad_input for the same reasons as {@link
 *  loadMotionLibrary} */
export function stackMotions(motions: readonly NamedMotion[], robot: LibraryRobot): MotionLibrary {
  const library = emptyLibrary(
    motions.map(({ motion, ...clip }) => ({ ...motion, ...clip })),
    robot,
  );
  for (const [k, motion] of motions.entries()) fillClip(library, k, motion, robot);
  checkFinite(library);
  return library;
}

/** Creates a library with room for all frames of the clips. */
function emptyLibrary(announced: readonly AnnouncedClip[], robot: LibraryRobot): MotionLibrary {
  const joints = robot.joints.length;
  const bodies = robot.bodies.length;
  const { fps } = announced[0]!;
  const clips: LibraryClip[] = [];
  let frames = 0;
  for (const { name, weight, ...clip } of announced) {
    if (clip.joints !== joints || clip.bodies !== bodies)
      throw badInput(
        `motion: ${name} has ${clip.joints} joints and ${clip.bodies} bodies, but the robot has ${joints} and ${bodies}. It was converted for another robot.`,
      );
    if (Math.abs(clip.fps - fps) > 1e-3)
      throw badInput(
        `motion: ${name} has ${clip.fps} frames per second, but the clips before it have ${fps}. Convert it again.`,
      );
    clips.push({ name, first: frames, frames: clip.frames, ...(weight === undefined ? {} : { weight }) });
    frames += clip.frames;
  }
  return {
    fps,
    clips,
    frames,
    joints,
    bodies,
    jointPos: shared(frames * joints),
    jointVel: shared(frames * joints),
    bodyPosW: shared(3 * frames * bodies),
    bodyQuatW: shared(4 * frames * bodies),
    bodyLinVelW: shared(3 * frames * bodies),
    bodyAngVelW: shared(3 * frames * bodies),
  };
}

/** Copies the frames of a clip to its place in a library. @param index of the clip
 *  @throws StudioError bad_input if the clip is not the announced one */
function fillClip(library: MotionLibrary, index: number, { name, motion }: NamedMotion, robot: LibraryRobot): void {
  const clip = library.clips[index];
  const { joints, bodies } = library;
  if (clip?.frames !== motion.frames || motion.joints !== joints || motion.bodies !== bodies)
    throw badInput(`motion: ${name} was replaced while it was read. Start again.`);
  const order = jointOrder(name, motion.jointNames, robot);
  copyJoints(library.jointPos, clip.first, motion.jointPos, joints, order);
  copyJoints(library.jointVel, clip.first, motion.jointVel, joints, order);
  for (const key of ['bodyPosW', 'bodyQuatW', 'bodyLinVelW', 'bodyAngVelW'] as const)
    library[key].set(motion[key], (clip.first * motion[key].length) / motion.frames);
}

function shared(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(4 * length));
}

/** Returns the permutation of the joints: the file's column for each joint of the robot. Returns null if the orders
 *  agree, or if the file does not contain joint names. */
function jointOrder(name: string, names: readonly string[] | null, { joints }: LibraryRobot): readonly number[] | null {
  if (names === null || joints.every((joint, j) => names[j] === joint.name)) return null;
  return joints.map((joint) => {
    const column = names.indexOf(joint.name);
    if (column < 0) throw badInput(`motion: ${name} has no joint ${joint.name}. It was converted for another robot.`);
    return column;
  });
}

function copyJoints(
  to: Float32Array,
  first: number,
  from: Float32Array,
  joints: number,
  order: readonly number[] | null,
): void {
  if (!order) {
    to.set(from, first * joints);
    return;
  }
  for (let row = 0; row < from.length; row += joints)
    for (let j = 0; j < joints; j++) to[first * joints + row + j] = from[row + order[j]!]!;
}

/** Refuses NaN and infinite numbers: a single one would corrupt every environment that reaches its frame. */
function checkFinite(library: MotionLibrary): void {
  for (const key of ['jointPos', 'jointVel', 'bodyPosW', 'bodyQuatW', 'bodyLinVelW', 'bodyAngVelW'] as const) {
    const values = library[key];
    const bad = values.findIndex((value) => !Number.isFinite(value));
    if (bad < 0) continue;
    const row = Math.floor(bad / (values.length / library.frames));
    const clip = library.clips.find(({ first, frames }) => row < first + frames)!;
    throw badInput(
      `motion: ${clip.name} has a number that is not finite in frame ${row - clip.first}. Convert it again.`,
    );
  }
}
