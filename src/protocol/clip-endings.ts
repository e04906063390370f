/** Endings of clip files, in lower case. */
export const CLIP_ENDINGS = ['.csv', '.pkl', '.npy', '.motion', '.npz'] as const;
export type ClipEnding = (typeof CLIP_ENDINGS)[number];

/** The endings as text: `.csv, .pkl, .npy, .motion or .npz` */
export const CLIP_ENDINGS_TEXT = `${CLIP_ENDINGS.slice(0, -1).join(', ')} or ${CLIP_ENDINGS.at(-1)}`;

/** Returns the ending of a clip file, in upper or lower case; null for any other file. */
export function clipEndingOf(fileName: string): ClipEnding | null {
  return endingOf(fileName, CLIP_ENDINGS);
}

/** Names of human motion files, by ending. No robot can play these files. */
const HUMAN_FILES = {
  '.bvh': 'a BVH recording of a human skeleton',
  '.fbx': 'an FBX scene, such as a motion of a human skeleton',
  '.glb': 'a glTF scene, such as a motion of a human skeleton',
  '.gltf': 'a glTF scene, such as a motion of a human skeleton',
  '.c3d': 'a C3D recording of markers on a human',
} as const;
export type HumanEnding = keyof typeof HUMAN_FILES;
export const HUMAN_ENDINGS = Object.keys(HUMAN_FILES) as HumanEnding[];

/** Advice to the user on what to do with human motion. */
export const HUMAN_REMEDY = 'retarget it to the robot first, for example with GMR, and upload the result';

/** Returns the ending of a human motion file, in upper or lower case; null for any other file. */
export function humanEndingOf(fileName: string): HumanEnding | null {
  return endingOf(fileName, HUMAN_ENDINGS);
}

/** Returns a text that says what a file with this ending is, and what to do with it. */
export function humanFileText(ending: HumanEnding): string {
  return `the file is ${HUMAN_FILES[ending]}; ${HUMAN_REMEDY}`;
}

function endingOf<E extends string>(fileName: string, endings: readonly E[]): E | null {
  const name = fileName.toLowerCase();
  return endings.find((ending) => name.endsWith(ending) && name.length > ending.length) ?? null;
}
