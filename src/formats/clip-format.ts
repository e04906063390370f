import { badInput } from '../core/errors.ts';
import { type RawClip, ROOT_COLUMNS } from './raw-clip.ts';

/** What a clip's file says of itself without being read whole. */
export interface ClipFileFacts {
  readonly frames: number;
  /** 7 + number of joints */
  readonly columns: number;
  /** null where the file does not say */
  readonly fps: number | null;
  /** clips in a bundle of many (`readBundle`); absent or 0 where the file is one clip */
  readonly segments?: number;
  /** where it is seen without reading numbers: that some of them are not finite, and where the first is */
  readonly notFinite?: string | null;
}

/** Something that a format needs to know to read a clip, and where it comes from. */
export interface Assumption {
  readonly what: 'fps' | 'units' | 'quaternion' | 'joint_order';
  readonly value: string | number;
  readonly from: 'file' | 'format';
}

/** A clip and what was assumed to read it. */
export interface ReadClip extends RawClip {
  readonly assumed: readonly Assumption[];
}

/** What the user knows better than the file or its format. */
export interface ReadOptions {
  readonly fps?: number;
  /** order of the root's quaternion in the file */
  readonly quaternion?: 'xyzw' | 'wxyz';
  /** unit of the root's position in the file */
  readonly units?: 'm' | 'cm' | 'mm';
  /** joints in the order of the file's columns */
  readonly joint_order?: readonly string[];
}

/** A layout of clip files. Layouts that share an ending are told apart by content.
 *  @template C what the readers of an ending make of a file: see `clip-registry.ts` */
export interface ClipFormat<C> {
  readonly id: string;
  /** what people call it */
  readonly title: string;
  /** Returns true if the file is of this format. */
  sniff(content: C): boolean;
  /** @throws bad_input naming what is wrong and what to do */
  facts(content: C): ClipFileFacts | Promise<ClipFileFacts>;
  /** @throws bad_input naming what is wrong and what to do */
  read(content: C): ReadClip | Promise<ReadClip>;
}

/** The format that recognises the content; the last one reads what none recognises, and says what is wrong with it. */
export function formatOf<C>(formats: readonly ClipFormat<C>[], content: C): ClipFormat<C> {
  const last = formats.at(-1);
  if (!last) throw new RangeError('an ending needs at least one format');
  return formats.find((format) => format === last || format.sniff(content))!;
}

const METRES = { m: 1, cm: 0.01, mm: 0.001 } as const;
type Unit = keyof typeof METRES;

/** Reads the clip as the options say. What they override is not an assumption any more.
 *  @param clip its rows are changed in place  @throws bad_input for an option that does not fit the clip */
export function withOptions(clip: ReadClip, options: ReadOptions): ReadClip {
  const { rows, columns, assumed } = clip;
  const assumedOf = (what: 'quaternion' | 'units') => {
    const value = assumed.find((assumption) => assumption.what === what)?.value;
    if (options[what] !== undefined && value === undefined)
      throw badInput(`${what}: cannot be set for this file: its format leaves no choice`);
    return value;
  };
  const quaternion = assumedOf('quaternion');
  if (options.quaternion && options.quaternion !== quaternion) turnQuaternions(rows, columns, options.quaternion);
  const units = assumedOf('units');
  if (options.units && options.units !== units)
    scalePositions(rows, columns, METRES[options.units] / METRES[units as Unit]);
  const joints = columns - ROOT_COLUMNS;
  if (options.joint_order && options.joint_order.length !== joints)
    throw badInput(`joint_order: names ${options.joint_order.length} joints, the clip has ${joints}`);
  return {
    ...clip,
    fps: options.fps ?? clip.fps,
    jointNames: options.joint_order ?? clip.jointNames,
    assumed: assumed.filter(({ what }) => options[what] === undefined),
  };
}

/** Takes the four columns of the file in the other order. @param order in which the file has them */
function turnQuaternions(rows: Float64Array, columns: number, order: 'xyzw' | 'wxyz'): void {
  for (let at = 3; at < rows.length; at += columns) {
    if (order === 'wxyz') {
      const w = rows[at]!;
      rows.copyWithin(at, at + 1, at + 4);
      rows[at + 3] = w;
    } else {
      const x = rows[at + 3]!;
      rows.copyWithin(at + 1, at, at + 3);
      rows[at] = x;
    }
  }
}

function scalePositions(rows: Float64Array, columns: number, scale: number): void {
  for (let at = 0; at < rows.length; at += columns) for (let k = at; k < at + 3; k += 1) rows[k] = rows[k]! * scale;
}
