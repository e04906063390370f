import { isPattern, jointPattern } from './joint-pattern.ts';
import type { StatedGain } from './stated-gains.ts';

export interface MatchedGains {
  /** by joint of the robot */
  readonly gains: ReadonlyMap<string, StatedGain>;
  /** joints of the robot without gains, then names of the file that match no joint */
  readonly unmatched: readonly string[];
}

/** Finds the joints that the names of a file mean. A suffix `_joint` may be missing or added. An exact name counts more
 *  than a pattern, a later pattern more than an earlier one, and `.*` least. If no name or pattern matches, names count
 *  as parts of joint names (`hip_yaw`), the longest part most, as in legged_gym.
 *  @param joints the robot's actuated joints  @throws bad_input for a pattern that is not supported */
export function matchJoints(stated: ReadonlyMap<string, StatedGain>, joints: readonly string[]): MatchedGains {
  const whole = matchWhole(stated, joints);
  const found = whole.used.size > 0 ? whole : matchParts(stated, joints);
  const useful = [...found.gains].filter(([, gain]) => gain.stiffness !== undefined && gain.stiffness > 0);
  const gains = new Map(useful);
  return {
    gains,
    unmatched: [
      ...joints.filter((joint) => !gains.has(joint)),
      ...[...stated.keys()].filter((name) => !found.used.has(name) && !joints.includes(name)),
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
  for (const pattern of patterns.toSorted((a, b) => Number(b === '.*') - Number(a === '.*'))) {
    const expression = jointPattern(pattern);
    for (const joint of joints)
      if (expression.test(joint) || expression.test(bare(joint)) || expression.test(`${bare(joint)}_joint`))
        take(joint, pattern);
  }
  const byBare = new Map(joints.map((joint) => [bare(joint), joint]));
  const others = [...stated.keys()].filter((name) => !patterns.includes(name));
  // A name that equals the joint's comes last, so that it wins.
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

/** Whether `part` is one or more whole words of the name. */
function isPart(part: string, name: string): boolean {
  const inWords = (text: string) => `_${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_')}_`;
  return inWords(name).includes(inWords(part));
}

/** The name without a suffix `_joint`. */
function bare(name: string): string {
  return name.replace(/(.)[_-]joint$/i, '$1');
}
