import { badInput } from '../core/errors.ts';
import { type RawClip, ROOT_COLUMNS } from '../formats/raw-clip.ts';
import type { Assumption } from '../protocol/schemas/reading.ts';

/** A mechanical repair of a clip's source. The checks propose repairs, and the conversion applies them.
 *
 *  | text | meaning |
 *  |---|---|
 *  | `swap_quaternion` | the file has its quaternions in the other order: w x y z in a raw clip, x y z w in an npz |
 *  | `y_up` | the file has y up: rotates the root so that z is up |
 *  | `degrees` | the columns of hinge joints are in degrees |
 *  | `scale_positions:<x>` | the unit of the root's position is `<x>` m: 0.01 for centimetres |
 *  | `normalize_quaternion` | scales the root's quaternion to unit length |
 *  | `reorder_joints:<name>,<name>,…` | the joint columns are these joints in this order; overrides the file |
 *  | `reorder_bodies`, `reorder_bodies:<n>` | an npz has another body order; `<n>` is the root's index, from 0 |
 *  | `trim_first_frame`, `trim_first_frame:<n>` | removes the first frame, or the first `<n>` frames |
 *  | `input_fps:<n>` | the frame rate of the clip is `<n>` Hz; overrides the file |
 *  | `debias_z` | shifts the clip so that its lowest sole stands on the floor (by the converter, after kinematics) |
 *
 *  An npz without a raw source is repaired from its own root and joints. Its body arrays and velocities are computed
 *  again from these, so `reorder_bodies` only selects the body that is the root. */
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

/** Properties of a clip's file that fixes need, besides its rows. */
export interface FixedSource {
  /** joints of the robot, in the robot's order */
  readonly joints: readonly string[];
  /** names of the slide joints, whose values are in m; absent: the robot has no slide joints */
  readonly slides?: readonly string[];
  /** body poses of a converted clip without a raw source; null for a raw clip */
  readonly motion: {
    readonly bodies: number;
    /** (frames, bodies, 3) m */
    readonly bodyPosW: ArrayLike<number>;
    /** (frames, bodies, 4) in the order of the file */
    readonly bodyQuatW: ArrayLike<number>;
  } | null;
}

/** Minimum number of frames of a clip. Velocities cannot be computed from fewer frames. */
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

/** Parses the text of a fix.
 *  @param field name of the text in messages, such as `fixes.0`  @throws bad_input naming the field and the valid
 *  fixes */
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
      if (value !== null) throw badInput(`${field}: ${kind} does not accept a value. Write it without ":".`);
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
      throw badInput(`${field}: "${shown(kind)}" is not a known fix. Known fixes: ${KINDS.join(', ')}`);
  }
}

/** Formats a fix as the text that `parseFix` reads. */
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

/** Returns true if the fixes include `debias_z`. The converter applies this fix, because it needs forward
 *  kinematics. */
export function asksDebias(fixes: readonly string[]): boolean {
  return fixes.includes('debias_z');
}

/** Returns true if the reader has already detected the quaternion order w x y z from the numbers. A stored fix
 *  `swap_quaternion` would then swap the quaternions back. */
function wasGuessed(assumed: readonly Assumption[] = []): boolean {
  return assumed.some(({ what, value, from }) => what === 'quaternion' && value === 'wxyz' && from === 'guess');
}

/** Applies fixes in order and returns a repaired copy. After `reorder_joints`, the joint columns are in the robot's
 *  order. Ignores `debias_z`, which the converter applies (`asksDebias`).
 *  @throws bad_input naming a fix that cannot be applied to this clip */
export function applyFixes(
  clip: RawClip & { readonly assumed?: readonly Assumption[] },
  fixes: readonly string[],
  source: FixedSource,
): RawClip {
  if (fixes.length === 0) return clip;
  let fixed: RawClip = { ...clip, rows: Float64Array.from(clip.rows) };
  // Find the root first: other fixes change its numbers or remove frames, and body poses are indexed by the file's
  // frames.
  const parsed = fixes.map((text, index) => parseFix(text, `fixes.${index}`));
  for (const fix of parsed) if (fix.kind === 'reorder_bodies') takeRoot(fixed, fix.root, source);
  for (const fix of parsed) {
    switch (fix.kind) {
      case 'swap_quaternion':
        if (wasGuessed(clip.assumed)) break;
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
  // Convert degrees after the reordering, because only then is it known which columns belong to hinge joints.
  if (parsed.some((fix) => fix.kind === 'degrees')) toRadians(fixed, source);
  return fixed;
}

function positive(text: string | null, most: number, what: string, example: string): number {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  if (!(value > 0 && value <= most))
    throw badInput(`${what}: requires a number > 0 and ≤ ${most}, such as "${example}"`);
  return value;
}

function wholeNumber(text: string, least: number, most: number, what: string): number {
  if (/^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw badInput(`${what} requires an integer from ${least} to ${most}, but has "${shown(text)}"`);
}

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Copies the pose of body `root` to the root columns. Reorders its quaternion like the reader does for body 0: w x
 *  y z → x y z w. */
function takeRoot(clip: RawClip, root: number, { motion }: FixedSource): void {
  if (!motion) throw badInput('reorder_bodies: a raw clip has no bodies. This fix is for npz files without a source.');
  if (root >= motion.bodies)
    throw badInput(`reorder_bodies:${root}: must be from 0 to ${motion.bodies - 1}, the bodies of the file`);
  const { rows, frames, columns } = clip;
  for (let frame = 0; frame < frames; frame++) {
    const body = frame * motion.bodies + root;
    for (let k = 0; k < 3; k++) rows[frame * columns + k] = motion.bodyPosW[3 * body + k]!;
    for (let k = 0; k < 4; k++) rows[frame * columns + 3 + k] = motion.bodyQuatW[4 * body + ((k + 1) % 4)]!;
  }
}

/** Rotates the quaternion's columns: column k gets the value of column k + `places`. Use 1 for a raw clip that
 *  contains w x y z instead of x y z w. Use 3 for an npz that contains x y z w, which the reader has reordered as if
 *  it were w x y z. */
function turnQuaternions({ rows, frames, columns }: RawClip, places: number): void {
  const before = [0, 0, 0, 0];
  for (let frame = 0; frame < frames; frame++) {
    const at = frame * columns + 3;
    for (let k = 0; k < 4; k++) before[k] = rows[at + k]!;
    for (let k = 0; k < 4; k++) rows[at + k] = before[(k + places) % 4]!;
  }
}

/** Rotates the root by 90° about x: (x, y, z) with y up → (x, −z, y) with z up. */
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
    // Keep a quaternion of length 0: the reader of the clip refuses it and names its row.
    if (norm > 0 && Number.isFinite(norm)) for (let k = 0; k < 4; k++) rows[at + k] = rows[at + k]! / norm;
  }
}

function reorderJoints(clip: RawClip, order: readonly string[], joints: readonly string[]): RawClip {
  const { rows, frames, columns } = clip;
  if (columns !== ROOT_COLUMNS + joints.length || order.length !== joints.length)
    throw badInput(
      `reorder_joints: has ${order.length} names, but the clip has ${columns - ROOT_COLUMNS} joints and the robot has ${joints.length}`,
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
      `trim_first_frame: ${count} of ${clip.frames} frames would be removed, but at least ${LEAST_FRAMES} must remain`,
    );
  return { ...clip, frames, rows: clip.rows.slice(count * clip.columns) };
}
