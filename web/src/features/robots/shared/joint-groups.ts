import { otherSide, splitSide } from '../../../../../src/protocol/part-sides.ts';

/** The fields of a joint that the pose panel needs. */
export interface NamedJoint {
  readonly name: string;
}

/** A joint with its limits, rad or m; null: none. */
export interface RangedJoint extends NamedJoint {
  readonly lower: number | null;
  readonly upper: number | null;
}

/** Largest difference between two limits that count as equal, rad or m. */
const RANGE_TOLERANCE = 1e-3;

/** One row of the pose panel: a left and a right joint, or one joint alone. */
export interface JointRow<J> {
  /** name of the joint without its side and without `_joint` */
  readonly label: string;
  readonly left: J | null;
  readonly right: J | null;
  readonly single: J | null;
}

export interface JointGroup<J> {
  readonly title: string;
  /** true if at least one row has a left and a right joint; the header of the group then names the sides */
  readonly paired: boolean;
  readonly rows: readonly JointRow<J>[];
}

/** A joint belongs to the first group that matches its name, so the order matters: `hand_index` is in Hands. */
const GROUPS: readonly (readonly [title: string, words: RegExp])[] = [
  ['Head', /head|neck|jaw|eye/],
  ['Hands', /finger|thumb|index|middle|ring|pinky|palm|gripper/],
  ['Arms', /shoulder|elbow|wrist|forearm|arm|hand|clavicle/],
  ['Legs', /hip|thigh|knee|shin|calf|ankle|leg|foot|toe|haa|hfe|kfe/],
  ['Waist', /waist|torso|spine|abdomen|chest|back|lumbar|pelvis/],
];
const ORDER = ['Legs', 'Waist', 'Arms', 'Head', 'Hands', 'Other'] as const;

/** Names of joints that turn about an axis in the sagittal plane. The hip of a Go2 (`FL_hip_joint`) is one of them; the
 *  joints that swing its legs forward have other names. */
const ACROSS = /roll|yaw|abd|abad|haa|[._]hx$|^[fhr][lr]_hip(?:_joint)?$/i;

/** Returns a joint's name without its ending `_joint`. */
const bareName = (name: string) => name.replace(/[_.-]?joint$/i, '');

/** Splits the names of joints into side and rest; the rest is without the ending `_joint`, and its words are separated
 *  by underscores. */
function splitNames<J extends NamedJoint>(joints: readonly J[]) {
  const names = joints.map(({ name }) => bareName(name));
  return joints.map((joint, at) => {
    const { side, rest } = splitSide(names[at]!, names);
    return { joint, side, rest: rest.replace(/([a-z0-9])([A-Z])/g, '$1_$2') };
  });
}

/** Returns the joint of the same name on the other side; null if the robot has none. */
export function twinOf<J extends NamedJoint>(joint: J, joints: readonly J[]): J | null {
  const names = joints.map(({ name }) => bareName(name));
  const other = otherSide(bareName(joint.name), names);
  return other === null ? null : (joints[names.indexOf(other)] ?? null);
}

/** Returns the joint value that mirrors `value` at the sagittal plane, for the joint on the other side. The sign is
 *  inverted if the ranges of the two joints are each other's negatives, and kept if they are equal. If both hold or
 *  neither, it is inverted for joints whose names state roll, yaw or abduction. */
export function mirrored(joint: RangedJoint, twin: RangedJoint, value: number): number {
  const near = (a: number | null, b: number | null) => a !== null && b !== null && Math.abs(a - b) < RANGE_TOLERANCE;
  const same = near(joint.lower, twin.lower) && near(joint.upper, twin.upper);
  const opposite = near(joint.lower, negated(twin.upper)) && near(joint.upper, negated(twin.lower));
  const negative = same === opposite ? ACROSS.test(joint.name) : opposite;
  return negative && value !== 0 ? -value : value;
}

const negated = (value: number | null) => (value === null ? null : -value);

function groupTitle(rest: string): string {
  const lower = rest.toLowerCase();
  return GROUPS.find(([, words]) => words.test(lower))?.[0] ?? 'Other';
}

/** Returns the groups of the pose panel in the order legs, waist, arms, head, hands, other. Joints within a group are
 *  in the robot's order. */
export function groupJoints<J extends NamedJoint>(joints: readonly J[]): readonly JointGroup<J>[] {
  const rowsOf = new Map<string, JointRow<J>[]>();
  const placed = new Set<J>();
  for (const { joint, side, rest } of splitNames(joints)) {
    if (placed.has(joint)) continue;
    const twin = twinOf(joint, joints);
    placed.add(joint);
    let row: JointRow<J>;
    if (twin !== null && !placed.has(twin)) {
      placed.add(twin);
      const [left, right] = side === 'left' ? [joint, twin] : [twin, joint];
      row = { label: rest, left, right, single: null };
    } else {
      row = { label: bareName(joint.name), left: null, right: null, single: joint };
    }
    const title = groupTitle(rest);
    const rows = rowsOf.get(title);
    if (rows === undefined) rowsOf.set(title, [row]);
    else rows.push(row);
  }
  return ORDER.flatMap((title) => {
    const rows = rowsOf.get(title);
    return rows === undefined ? [] : [{ title, paired: rows.some((row) => row.single === null), rows }];
  });
}
