import { badInput } from '../core/errors.ts';
import { type RawClip, ROOT_COLUMNS } from './raw-clip.ts';

/** Facts of a clip file that are known without reading all of it. */
export interface ClipFileFacts {
  readonly frames: number;
  /** 7 + number of joints */
  readonly columns: number;
  /** frames per second; null if the file does not state it */
  readonly fps: number | null;
  /** number of clips in a bundle (`readBundle`); absent or 0 if the file is a single clip */
  readonly segments?: number;
  /** message naming the first number that is not finite; only from formats that find it without parsing the numbers */
  readonly notFinite?: string | null;
}

/** A property that a format assumes to read a clip, and the source of its value. */
export interface Assumption {
  readonly what: 'fps' | 'units' | 'quaternion' | 'joint_order';
  readonly value: string | number;
  readonly from: 'file' | 'format';
}

/** A clip with the assumptions made to read it. */
export interface ReadClip extends RawClip {
  readonly assumed: readonly Assumption[];
}

/** Options by which the user overrides what the file or its format states. */
export interface ReadOptions {
  readonly fps?: number;
  /** order of the root's quaternion in the file */
  readonly quaternion?: 'xyzw' | 'wxyz';
  /** unit of the root's position in the file */
  readonly units?: 'm' | 'cm' | 'mm';
  /** names of the joints in the order of the file's columns */
  readonly joint_order?: readonly string[];
}

/** A layout of clip files. Formats with the same ending are distinguished by content.
 *  @template C type in which the content of a file is passed to its formats, see `clip-registry.ts` */
export interface ClipFormat<C> {
  readonly id: string;
  /** name shown to users */
  readonly title: string;
  /** Returns true if the content has this format. */
  sniff(content: C): boolean;
  /** Reads only the facts. @throws bad_input naming the problem and the remedy */
  facts(content: C): ClipFileFacts | Promise<ClipFileFacts>;
  /** Reads the whole clip. @throws bad_input naming the problem and the remedy */
  read(content: C): ReadClip | Promise<ReadClip>;
}

/** Returns the first format that recognises the content. If none does, returns the last one, whose reader reports the
 *  problem. */
export function formatOf<C>(formats: readonly ClipFormat<C>[], content: C): ClipFormat<C> {
  const last = formats.at(-1);
  if (!last) throw new RangeError('an ending needs at least one format');
  return formats.find((format) => format === last || format.sniff(content))!;
}

const METRES = { m: 1, cm: 0.01, mm: 0.001 } as const;
type Unit = keyof typeof METRES;

/** Applies the user's options to a clip. An overridden property is removed from the assumptions.
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

/** Reorders the quaternion columns in place, for a file whose order differs from the one that its format assumes.
 *  @param order order in which the file stores the quaternion */
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
