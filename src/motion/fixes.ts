import { badInput } from '../core/errors.ts';
import { type RawClip, ROOT_COLUMNS } from '../formats/raw-clip.ts';

/** A mechanical repair of a clip's source, as the checks propose it and conversion applies it.
 *
 *  | text | meaning |
 *  |---|---|
 *  | `swap_quaternion` | the file holds its quaternions in the other order: a raw clip w x y z, an npz x y z w |
 *  | `y_up` | the file has y up: the root is turned so that z is |
 *  | `degrees` | the joint columns (of hinges) are in degrees |
 *  | `scale_positions:<x>` | the root's position is in another unit, of `<x>` m: 0.01 for centimetres |
 *  | `normalize_quaternion` | the root's quaternion is made unit length |
 *  | `reorder_joints:<name>,<name>,…` | the joint columns are these joints, in this order, whatever the file says |
 *  | `reorder_bodies`, `reorder_bodies:<n>` | an npz's bodies are in another order than the robot's; `<n>` (from 0) is the root's place in it |
 *  | `trim_first_frame`, `trim_first_frame:<n>` | the first frame, or the first `<n>`, are left out |
 *  | `input_fps:<n>` | the clip has `<n>` frames a second, whatever the file says |
 *  | `debias_z` | the clip is shifted so that its lowest sole stands on the floor (after forward kinematics: the converter does it) |
 *
 *  An npz without a raw source is repaired from what it says of root and joints: its body arrays and velocities are
 *  computed anew from them, so that `reorder_bodies` has nothing to permute but which of the bodies is the root. */
export type Fix =
  | { readonly kind: 'swap_quaternion' }
  | { readonly kind: 'y_up' }
  | { readonly kind: 'degrees' }
  | { readonly kind: 'scale_positions'; readonly factor: number }
  | { readonly kind: 'normalize_quaternion' }
  | { readonly kind: 'reorder_joints'; readonly columns: readonly string[] }
  | { readonly kind: 'reorder_bodies'; readonly root: number }
  | { readonly kind: 'trim_first_frame'; readonly count: number }
  | { readonly kind: 'input_fps'; readonly fps: number }
  | { readonly kind: 'debias_z' };

/** What a clip's file is, beside its rows. */
export interface FixedSource {
  /** joints of the robot in its own order */
  readonly joints: readonly string[];
  /** those of them that are in m; none where absent */
  readonly slides?: readonly string[];
  /** body poses of a converted clip that is repaired from itself; null for a raw clip */
  readonly motion: {
    readonly bodies: number;
    /** (frames, bodies, 3) m */
    readonly bodyPosW: ArrayLike<number>;
    /** (frames, bodies, 4) in the order of the file */
    readonly bodyQuatW: ArrayLike<number>;
  } | null;
}

/** A clip with fewer has no velocities. */
export const LEAST_FRAMES = 3;
const MAX_FPS = 100_000;
const MAX_FACTOR = 1e6;
const MAX_BODIES = 100_000;
const KINDS = [
  'swap_quaternion',
  'y_up',
  'degrees',
  'scale_positions',
  'normalize_quaternion',
  'reorder_joints',
  'reorder_bodies',
  'trim_first_frame',
  'input_fps',
  'debias_z',
] as const satisfies readonly Fix['kind'][];

/** @param field what messages call the value, such as `fixes.0`  @throws bad_input naming it and what is possible */
export function parseFix(text: string, field = 'fix'): Fix {
  const colon = text.indexOf(':');
  const kind = colon < 0 ? text : text.slice(0, colon);
  const value = colon < 0 ? null : text.slice(colon + 1);
  switch (kind) {
    case 'swap_quaternion':
    case 'y_up':
    case 'degrees':
    case 'normalize_quaternion':
    case 'debias_z':
      if (value !== null) throw badInput(`${field}: ${kind} takes no value; write it without ":"`);
      return { kind };
    case 'reorder_joints': {
      const columns = (value ?? '').split(',').map((name) => name.trim());
      if (columns.some((name) => name === ''))
        throw badInput(
          `${field}: reorder_joints needs the joints in the file's order, "reorder_joints:first,second,…"`,
        );
      const twice = columns.find((name, index) => columns.indexOf(name) !== index);
      if (twice !== undefined) throw badInput(`${field}: reorder_joints names "${twice}" twice`);
      return { kind, columns };
    }
    case 'reorder_bodies':
      return { kind, root: wholeNumber(value ?? '0', 0, MAX_BODIES, `${field}: reorder_bodies:`) };
    case 'trim_first_frame':
      return { kind, count: wholeNumber(value ?? '1', 1, Number.MAX_SAFE_INTEGER, `${field}: trim_first_frame:`) };
    case 'input_fps':
      return { kind, fps: positive(value, MAX_FPS, `${field}: input_fps`, 'input_fps:120') };
    case 'scale_positions':
      return {
        kind,
        factor: positive(value, MAX_FACTOR, `${field}: scale_positions`, 'scale_positions:0.01'),
      };
    default:
      throw badInput(`${field}: "${shown(kind)}" is no known fix; known are ${KINDS.join(', ')}`);
  }
}

/** The text of a fix, as `parseFix` reads it. */
export function fixText(fix: Fix): string {
  switch (fix.kind) {
    case 'reorder_joints':
      return `reorder_joints:${fix.columns.join(',')}`;
    case 'reorder_bodies':
      return fix.root === 0 ? 'reorder_bodies' : `reorder_bodies:${fix.root}`;
    case 'trim_first_frame':
      return fix.count === 1 ? 'trim_first_frame' : `trim_first_frame:${fix.count}`;
    case 'input_fps':
      return `input_fps:${fix.fps}`;
    case 'scale_positions':
      return `scale_positions:${fix.factor}`;
    default:
      return fix.kind;
  }
}

/** Whether the fixes ask for what needs forward kinematics first: the converter's `debias_z`. */
export function asksDebias(fixes: readonly string[]): boolean {
  return fixes.includes('debias_z');
}

/** The clip repaired, in the order of `fixes`; columns of joints are then the robot's where they were reordered. The
 *  source is untouched. `debias_z` is left to the converter (`asksDebias`).
 *  @throws bad_input naming the fix that this clip cannot have */
export function applyFixes(clip: RawClip, fixes: readonly string[], source: FixedSource): RawClip {
  if (fixes.length === 0) return clip;
  let fixed: RawClip = { ...clip, rows: Float64Array.from(clip.rows) };
  // The root has to be found before its numbers are repaired, and frames are counted as the file has them.
  const parsed = fixes.map((text, index) => parseFix(text, `fixes.${index}`));
  for (const fix of parsed) if (fix.kind === 'reorder_bodies') takeRoot(fixed, fix.root, source);
  for (const fix of parsed) {
    switch (fix.kind) {
      case 'swap_quaternion':
        turnQuaternions(fixed, source.motion ? 3 : 1);
        break;
      case 'y_up':
        standUp(fixed);
        break;
      case 'scale_positions':
        scalePositions(fixed, fix.factor);
        break;
      case 'normalize_quaternion':
        normalizeQuaternions(fixed);
        break;
      case 'reorder_joints':
        fixed = reorderJoints(fixed, fix.columns, source.joints);
        break;
      case 'trim_first_frame':
        fixed = trimmed(fixed, fix.count);
        break;
      case 'input_fps':
        fixed = { ...fixed, fps: fix.fps };
        break;
      case 'degrees':
      case 'reorder_bodies':
      case 'debias_z':
        break;
    }
  }
  // Which columns are of hinges is known once they are in order.
  if (parsed.some((fix) => fix.kind === 'degrees')) toRadians(fixed, source);
  return fixed;
}

function positive(text: string | null, most: number, what: string, example: string): number {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  if (!(value > 0 && value <= most)) throw badInput(`${what}: needs a number > 0 and ≤ ${most}, such as "${example}"`);
  return value;
}

function wholeNumber(text: string, least: number, most: number, what: string): number {
  if (/^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw badInput(`${what} needs a whole number ≥ ${least} and ≤ ${most}, it has "${shown(text)}"`);
}

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Root columns := pose of body `root`, quaternion turned as the reader turns body 0's: w x y z → x y z w. */
function takeRoot(clip: RawClip, root: number, { motion }: FixedSource): void {
  if (!motion) throw badInput('reorder_bodies: a raw clip has no bodies; this fix is for npz files without a source');
  if (root >= motion.bodies)
    throw badInput(`reorder_bodies:${root}: the file has ${motion.bodies} bodies, counted from 0`);
  const { rows, frames, columns } = clip;
  for (let frame = 0; frame < frames; frame++) {
    const body = frame * motion.bodies + root;
    for (let k = 0; k < 3; k++) rows[frame * columns + k] = motion.bodyPosW[3 * body + k]!;
    for (let k = 0; k < 4; k++) rows[frame * columns + 3 + k] = motion.bodyQuatW[4 * body + ((k + 1) % 4)]!;
  }
}

/** Column k of the quaternion := column k + places. A raw row read as x y z w that is w x y z needs 1; one of an npz
 *  read as w x y z, turned to x y z w, that was x y z w needs 3. */
function turnQuaternions({ rows, frames, columns }: RawClip, places: number): void {
  const before = [0, 0, 0, 0];
  for (let frame = 0; frame < frames; frame++) {
    const at = frame * columns + 3;
    for (let k = 0; k < 4; k++) before[k] = rows[at + k]!;
    for (let k = 0; k < 4; k++) rows[at + k] = before[(k + places) % 4]!;
  }
}

/** x y z with y up → x −z y with z up, a turn by 90° about x. */
function standUp({ rows, frames, columns }: RawClip): void {
  for (let frame = 0; frame < frames; frame++) {
    const at = frame * columns;
    const [y, z] = [rows[at + 1]!, rows[at + 2]!];
    rows[at + 1] = -z;
    rows[at + 2] = y;
    const [qx, qy, qz, qw] = [rows[at + 3]!, rows[at + 4]!, rows[at + 5]!, rows[at + 6]!];
    rows[at + 3] = Math.SQRT1_2 * (qx + qw);
    rows[at + 4] = Math.SQRT1_2 * (qy - qz);
    rows[at + 5] = Math.SQRT1_2 * (qz + qy);
    rows[at + 6] = Math.SQRT1_2 * (qw - qx);
  }
}

function toRadians({ rows, frames, columns, jointNames }: RawClip, { joints, slides = [] }: FixedSource): void {
  const factors = (jointNames ?? joints).map((name) => (slides.includes(name) ? 1 : Math.PI / 180));
  for (let frame = 0; frame < frames; frame++)
    for (let column = ROOT_COLUMNS; column < columns; column++) {
      const at = frame * columns + column;
      rows[at] = rows[at]! * (factors[column - ROOT_COLUMNS] ?? 1);
    }
}

function scalePositions({ rows, frames, columns }: RawClip, factor: number): void {
  for (let frame = 0; frame < frames; frame++)
    for (let k = 0; k < 3; k++) rows[frame * columns + k] = rows[frame * columns + k]! * factor;
}

function normalizeQuaternions({ rows, frames, columns }: RawClip): void {
  for (let frame = 0; frame < frames; frame++) {
    const at = frame * columns + 3;
    const norm = Math.hypot(rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3]!);
    // A quaternion without direction stays as it is: whoever reads the clip refuses it by its row.
    if (norm > 0 && Number.isFinite(norm)) for (let k = 0; k < 4; k++) rows[at + k] = rows[at + k]! / norm;
  }
}

function reorderJoints(clip: RawClip, order: readonly string[], joints: readonly string[]): RawClip {
  const { rows, frames, columns } = clip;
  if (columns !== ROOT_COLUMNS + joints.length || order.length !== joints.length)
    throw badInput(
      `reorder_joints: names ${order.length} joints; the clip has ${columns - ROOT_COLUMNS} and the robot ${joints.length}`,
    );
  const from = joints.map((joint) => {
    const column = order.indexOf(joint);
    if (column < 0) throw badInput(`reorder_joints: the robot's joint "${joint}" is missing in the list`);
    return ROOT_COLUMNS + column;
  });
  const out = Float64Array.from(rows);
  for (let frame = 0; frame < frames; frame++) {
    const at = frame * columns;
    for (let j = 0; j < from.length; j++) out[at + ROOT_COLUMNS + j] = rows[at + from[j]!]!;
  }
  return { ...clip, rows: out, jointNames: clip.jointNames && [...joints] };
}

function trimmed(clip: RawClip, count: number): RawClip {
  const frames = clip.frames - count;
  if (frames < LEAST_FRAMES)
    throw badInput(
      `trim_first_frame: ${count} of ${clip.frames} frames would leave fewer than the ${LEAST_FRAMES} a clip needs`,
    );
  return { ...clip, frames, rows: clip.rows.slice(count * clip.columns) };
}
