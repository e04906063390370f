import type { EnvState } from '../mdp/env-state.ts';
import type { JointMoments } from './episode-result.ts';

/** Standard deviation of a reference, rad or m, below which its joint is considered not to move. */
const STILL = 0.02;
/** Tracked time, s, below which correlations are not reported. Measured with a policy of 29 joints whose observations
 *  were wrong, so that it fell at once: in 3 s or less, up to 10 joints with correct actions have a correlation below
 *  0.2. */
const SHORTEST = 5;
/** Two joints are exchanged if each correlates with the reference of the other by at least this much more than with its
 *  own. Measured with a policy of 29 joints, over all pairs: at most −0.3 for a policy that tracks well, at most 0.22
 *  for pairs that were not exchanged in policies with other faults, 0.37 to 0.90 for half of the exchanged pairs. The
 *  value was chosen on 18 pairs; of nine others it named five and no wrong joint. */
const EXCHANGED = 0.3;

/** Measures how well the joints follow their references over the steps of several episodes. */
export class FollowMeter {
  readonly #state: EnvState;
  readonly #moments: { readonly [K in keyof JointMoments]: Float64Array };

  constructor(state: EnvState) {
    this.#state = state;
    const zeros = () => new Float64Array(state.joints);
    this.#moments = {
      joint: zeros(),
      reference: zeros(),
      joint_squares: zeros(),
      reference_squares: zeros(),
      cross: new Float64Array(state.joints ** 2),
    };
  }

  /** Adds the state of an environment after a control step. */
  add(env: number): void {
    const { joints, jointPos, refJointPos } = this.#state;
    const m = this.#moments;
    for (let j = 0, at = env * joints; j < joints; j++, at++) {
      const [q, r] = [jointPos[at]!, refJointPos[at]!];
      m.joint[j] = m.joint[j]! + q;
      m.reference[j] = m.reference[j]! + r;
      m.joint_squares[j] = m.joint_squares[j]! + q * q;
      m.reference_squares[j] = m.reference_squares[j]! + r * r;
      const row = j * joints;
      for (let k = 0; k < joints; k++) m.cross[row + k] = m.cross[row + k]! + q * refJointPos[env * joints + k]!;
    }
  }

  get result(): JointMoments {
    const m = this.#moments;
    return {
      joint: [...m.joint],
      reference: [...m.reference],
      joint_squares: [...m.joint_squares],
      reference_squares: [...m.reference_squares],
      cross: [...m.cross],
    };
  }
}

/** Adds the sums of two groups of episodes. */
export function addMoments(a: JointMoments, b: JointMoments): JointMoments {
  const sum = (key: keyof JointMoments) => a[key].map((value, j) => value + b[key][j]!);
  return {
    joint: sum('joint'),
    reference: sum('reference'),
    joint_squares: sum('joint_squares'),
    reference_squares: sum('reference_squares'),
    cross: sum('cross'),
  };
}

/** How a joint moves with the references. */
export interface Following {
  /** correlation of its position with its reference, −1..1; null if the reference hardly moves, or after too short a
   *  time */
  readonly follows: number | null;
  /** index of the joint whose reference it follows while that joint follows its own reference; else null */
  readonly exchangedWith: number | null;
}

/** Returns how each joint moves with the references. @param steps number of steps in the sums */
export function followingOf(moments: JointMoments, steps: number, controlHz: number): Following[] {
  const joints = moments.joint.length;
  if (steps < SHORTEST * controlHz)
    return Array.from({ length: joints }, () => ({ follows: null, exchangedWith: null }));
  const own = Array.from({ length: joints }, (_, j) => correlation(moments, j, j, steps));
  const partners = own.map((_, j) => partnerOf(moments, own, j, steps));
  return own.map((follows, j) => {
    const partner = partners[j]!;
    return { follows, exchangedWith: partner !== null && partners[partner] === j ? partner : null };
  });
}

/** Returns the joint with which joint `j` seems to be exchanged most clearly. */
function partnerOf(moments: JointMoments, own: readonly (number | null)[], j: number, steps: number): number | null {
  let best: { readonly joint: number; readonly gain: number } | null = null;
  for (const [k, other] of own.entries()) {
    const mine = own[j]!;
    if (k === j || mine === null || other === null) continue;
    const gain = Math.min(correlation(moments, j, k, steps)! - mine, correlation(moments, k, j, steps)! - other);
    if (gain >= EXCHANGED && gain > (best?.gain ?? 0)) best = { joint: k, gain };
  }
  return best?.joint ?? null;
}

/** Returns the correlation of the position of joint `j` with the reference of joint `k`, −1..1; null if that reference
 *  hardly moves. */
function correlation(moments: JointMoments, j: number, k: number, steps: number): number | null {
  const [q, r] = [moments.joint[j]! / steps, moments.reference[k]! / steps];
  const ofReference = moments.reference_squares[k]! / steps - r * r;
  if (!(ofReference > STILL ** 2)) return null;
  const ofJoint = Math.max(0, moments.joint_squares[j]! / steps - q * q);
  if (ofJoint === 0) return 0;
  const product = moments.cross[j * moments.joint.length + k]! / steps - q * r;
  return Math.max(-1, Math.min(1, product / Math.sqrt(ofJoint * ofReference)));
}
