import { ALL_JOINTS, isPattern, jointPattern } from './joint-pattern.ts';
import type { StatedGain } from './stated-gains.ts';

export interface MatchedGains {
  /** gains by the robot's joint names */
  readonly gains: ReadonlyMap<string, StatedGain>;
  /** joints of the robot for which the file has no gains, then names in the file that match no joint */
  readonly unmatched: readonly string[];
}

/** Finds the robot's joints that the names of a file refer to. A suffix `_joint` may be missing or added. If several
 *  names match a joint, an exact name overrides a pattern, a later pattern overrides an earlier one, and `.*` has the
 *  lowest priority. Names that match no whole name match the other joints as parts of their names (`hip_yaw`), as in
 *  legged_gym; the longest part has the highest priority.
 *  @param joints the robot's actuated joints  @throws bad_input for a pattern that is not supported */
export function matchJoints(stated: ReadonlyMap<string, StatedGain>, joints: readonly string[]): MatchedGains {
  const named = new Map([...stated].filter(([name]) => name !== ALL_JOINTS));
  const whole = matchWhole(named, joints);
  const parts = matchParts(
    new Map([...named].filter(([name]) => !whole.used.has(name))),
    joints.filter((joint) => !whole.gains.has(joint)),
  );
  const gains = new Map<string, StatedGain>();
  for (const joint of joints) {
    const gain = { ...stated.get(ALL_JOINTS), ...(whole.gains.get(joint) ?? parts.gains.get(joint)) };
    if (gain.stiffness !== undefined && gain.stiffness > 0) gains.set(joint, gain);
  }
  return {
    gains,
    unmatched: [
      ...joints.filter((joint) => !gains.has(joint)),
      ...[...named.keys()].filter((name) => !whole.used.has(name) && !parts.used.has(name) && !joints.includes(name)),
    ],
  };
}

interface Found {
  readonly gains: Map<string, StatedGain>;
  readonly used: Set<string>;
}

function matchWhole(stated: ReadonlyMap<string, StatedGain>, joints: readonly string[]): Found {
  const gains = new Map<string, StatedGain>();
  const used = new Set<string>();
  const take = (joint: string, name: string) => {
    gains.set(joint, { ...gains.get(joint), ...stated.get(name) });
    used.add(name);
  };
  const patterns = [...stated.keys()].filter((name) => isPattern(name) && !joints.includes(name));
  for (const pattern of patterns) {
    const expression = jointPattern(pattern);
    for (const joint of joints)
      if (expression.test(joint) || expression.test(bare(joint)) || expression.test(`${bare(joint)}_joint`))
        take(joint, pattern);
  }
  const byBare = new Map(joints.map((joint) => [bare(joint), joint]));
  const others = [...stated.keys()].filter((name) => !patterns.includes(name));
  // Apply exact names last, so that they override the others.
  for (const name of others) {
    const joint = byBare.get(bare(name));
    if (joint !== undefined && !joints.includes(name) && !stated.has(joint)) take(joint, name);
  }
  for (const name of others) if (joints.includes(name)) take(name, name);
  return { gains, used };
}

function matchParts(stated: ReadonlyMap<string, StatedGain>, joints: readonly string[]): Found {
  const gains = new Map<string, StatedGain>();
  const used = new Set<string>();
  const parts = [...stated.keys()].filter((name) => name !== '').toSorted((a, b) => a.length - b.length);
  for (const part of parts)
    for (const joint of joints)
      if (isPart(part, joint)) {
        gains.set(joint, { ...gains.get(joint), ...stated.get(part) });
        used.add(part);
      }
  return { gains, used };
}

/** Returns whether `part` consists of one or more whole words of the name. */
function isPart(part: string, name: string): boolean {
  const inWords = (text: string) => `_${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_')}_`;
  return inWords(name).includes(inWords(part));
}

/** Returns the name without the suffix `_joint`. */
function bare(name: string): string {
  return name.replace(/(.)[_-]joint$/i, '$1');
}
