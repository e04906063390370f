/** The fields of a joint that the pose panel needs. */
export interface NamedJoint {
  readonly name: string;
}

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

type Side = 'left' | 'right';

const SIDE_WORD: Readonly<Record<string, Side>> = { left: 'left', l: 'left', right: 'right', r: 'right' };

/** A joint belongs to the first group that matches its name, so the order matters: `hand_index` is in Hands. */
const GROUPS: readonly (readonly [title: string, words: RegExp])[] = [
  ['Head', /head|neck|jaw|eye/],
  ['Hands', /finger|thumb|index|middle|ring|pinky|palm|gripper/],
  ['Arms', /shoulder|elbow|wrist|forearm|arm|hand|clavicle/],
  ['Legs', /hip|thigh|knee|shin|calf|ankle|leg|foot|toe/],
  ['Waist', /waist|torso|spine|abdomen|chest|back|lumbar|pelvis/],
];
const ORDER = ['Legs', 'Waist', 'Arms', 'Head', 'Hands', 'Other'] as const;

/** Splits a joint's name into side and rest. A side is a whole word (`left`, `l`, `right`, `r`) between underscores,
 *  dots, dashes or camel-case humps, or a leading capital L or R (`LHipYaw`). */
export function splitSide(name: string): { readonly side: Side | null; readonly rest: string } {
  const bare = name.replace(/[_.-]?joint$/i, '');
  const humps = bare.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/^([LR])(?=[A-Z][a-z])/, '$1_');
  const words = humps.split(/[_.\-\s]+/).filter((word) => word !== '');
  const at = words.findIndex((word) => SIDE_WORD[word.toLowerCase()] !== undefined);
  const side = at < 0 ? null : (SIDE_WORD[words[at]!.toLowerCase()] ?? null);
  if (side === null || words.length === 1) return { side: null, rest: bare };
  return { side, rest: words.filter((_, k) => k !== at).join('_') };
}

/** Returns the joint of the same name on the other side; null if the robot has none. */
export function twinOf<J extends NamedJoint>(joint: J, joints: readonly J[]): J | null {
  const own = splitSide(joint.name);
  if (own.side === null) return null;
  for (const other of joints) {
    const { side, rest } = splitSide(other.name);
    if (side !== null && side !== own.side && rest === own.rest) return other;
  }
  return null;
}

/** Returns the joint value that mirrors `value` at the sagittal plane, for the joint on the other side. The sign of
 *  roll and yaw joints is inverted, that of pitch joints is kept. */
export function mirrored(name: string, value: number): number {
  const negative = /roll|yaw/i.test(name);
  return negative && value !== 0 ? -value : value;
}

function groupTitle(rest: string): string {
  const lower = rest.toLowerCase();
  return GROUPS.find(([, words]) => words.test(lower))?.[0] ?? 'Other';
}

/** Returns the groups of the pose panel in the order legs, waist, arms, head, hands, other. Joints within a group are
 *  in the robot's order. */
export function groupJoints<J extends NamedJoint>(joints: readonly J[]): readonly JointGroup<J>[] {
  const rowsOf = new Map<string, JointRow<J>[]>();
  const placed = new Set<J>();
  for (const joint of joints) {
    if (placed.has(joint)) continue;
    const { side, rest } = splitSide(joint.name);
    const twin = twinOf(joint, joints);
    placed.add(joint);
    let row: JointRow<J>;
    if (side !== null && twin !== null && !placed.has(twin)) {
      placed.add(twin);
      const [left, right] = side === 'left' ? [joint, twin] : [twin, joint];
      row = { label: rest, left, right, single: null };
    } else {
      row = {
        label: side === null ? rest : joint.name.replace(/_joint$/i, ''),
        left: null,
        right: null,
        single: joint,
      };
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
