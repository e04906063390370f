import { badInput } from '../core/errors.ts';
import {
  type Assumption,
  LENGTH_UNITS,
  type LengthUnit,
  QUATERNION_ORDERS,
  type QuaternionOrder,
  type ReadOptions,
} from '../protocol/schemas/reading.ts';
import { type LeftOutColumns, type RawClip, ROOT_COLUMNS } from './raw-clip.ts';

/** Properties of a clip file that can be determined without reading the whole file. */
export interface ClipFileFacts {
  readonly frames: number;
  /** 7 + number of joints */
  readonly columns: number;
  /** frames per second; null if the file does not state its rate */
  readonly fps: number | null;
  /** number of clips in a bundle (`readBundle`); absent or 0 for a single clip */
  readonly segments?: number;
  /** message naming the first number that is not finite; set only by formats that can find it without parsing the
   *  numbers */
  readonly notFinite?: string | null;
  /** names of the joint columns, if the format can determine them without reading the whole file */
  readonly jointNames?: readonly string[] | null;
  /** as in `RawClip` */
  readonly leftOut?: LeftOutColumns;
  readonly assumed: readonly Assumption[];
}

/** A clip, together with the assumptions made while reading it. */
export interface ReadClip extends RawClip {
  readonly assumed: readonly Assumption[];
}

/** One clip of a file with several clips. */
export interface NamedClip {
  /** name as stored in the file; may not be a valid clip name */
  readonly name: string;
  readonly clip: ReadClip;
}

/** Describes one format of clip files. Formats with the same ending are distinguished by content.
 *  @template C type in which a file's content is passed to the format, see `clip-registry.ts` */
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
  /** Reads the clips of a file with several clips, one after another. @throws bad_input naming the clip */
  parts?(content: C): Iterable<NamedClip>;
}

/** Returns the first format that recognises the content. If none recognises it, returns the last format, whose
 *  reader reports the problem. */
export function formatOf<C>(formats: readonly ClipFormat<C>[], content: C): ClipFormat<C> {
  const last = formats.at(-1);
  if (!last) throw new RangeError('a file name extension needs at least one format');
  return formats.find((format) => format === last || format.sniff(content))!;
}

/** Applies the user's read options to a clip. Properties set by the options are removed from the assumptions.
 *  @param clip its rows are changed in place  @throws bad_input for an option that does not fit the clip */
export function withOptions(clip: ReadClip, options: ReadOptions): ReadClip {
  const { rows, columns, assumed } = clip;
  const quaternion = overridden(clip, 'quaternion', options, QUATERNION_ORDERS);
  if (quaternion && options.quaternion !== quaternion) turnQuaternions(rows, columns, options.quaternion!);
  const units = overridden(clip, 'units', options, Object.keys(LENGTH_UNITS) as LengthUnit[]);
  if (units && options.units !== units)
    scalePositions(rows, columns, LENGTH_UNITS[options.units!] / LENGTH_UNITS[units]);
  const joints = columns - ROOT_COLUMNS;
  if (options.joint_order && options.joint_order.length !== joints)
    throw badInput(`joint_order: has ${options.joint_order.length} names, but the clip has ${joints} joints`);
  return {
    ...clip,
    fps: options.fps ?? clip.fps,
    jointNames: options.joint_order ?? clip.jointNames,
    assumed: notOverridden(assumed, options),
  };
}

/** Returns the assumptions, without those that the user's options replace. */
export function notOverridden(assumed: readonly Assumption[], options: ReadOptions): readonly Assumption[] {
  return assumed.filter(({ what }) => what === 'up' || options[what] === undefined);
}

/** Returns the assumed value of a property if the options override it, else null.
 *  @throws bad_input if the property cannot be overridden, as for Euler angles */
function overridden<V extends string>(
  { assumed }: ReadClip,
  what: 'quaternion' | 'units',
  options: ReadOptions,
  choices: readonly V[],
): V | null {
  if (options[what] === undefined) return null;
  const value = assumed.find((assumption) => assumption.what === what)?.value;
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const has = value === undefined ? '' : `: the file has ${value}`;
  throw badInput(`${what}: cannot be set for this file, because its format defines it${has}`);
}

/** Reorders the quaternion columns in place if a file's order differs from the order that its format assumes.
 *  @param order order in which the file stores the quaternion */
export function turnQuaternions(rows: Float64Array, columns: number, order: QuaternionOrder): void {
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
