import type { EnvState } from '../mdp/env-state.ts';
import type { JointMoments } from './episode-result.ts';

/** Standard deviation of a reference, rad or m, below which its joint is considered not to move. */
const STILL = 0.02;

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
      products: zeros(),
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
      m.products[j] = m.products[j]! + q * r;
    }
  }

  get result(): JointMoments {
    const m = this.#moments;
    return {
      joint: [...m.joint],
      reference: [...m.reference],
      joint_squares: [...m.joint_squares],
      reference_squares: [...m.reference_squares],
      products: [...m.products],
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
    products: sum('products'),
  };
}

/** Returns the correlation of the position of joint `j` with its reference, −1..1; null if the reference hardly moves.
 *  @param steps number of steps in the sums */
export function followOf(moments: JointMoments, j: number, steps: number): number | null {
  if (steps === 0) return null;
  const [q, r] = [moments.joint[j]! / steps, moments.reference[j]! / steps];
  const ofReference = moments.reference_squares[j]! / steps - r * r;
  if (!(ofReference > STILL ** 2)) return null;
  const ofJoint = Math.max(0, moments.joint_squares[j]! / steps - q * q);
  if (ofJoint === 0) return 0;
  return Math.max(-1, Math.min(1, (moments.products[j]! / steps - q * r) / Math.sqrt(ofJoint * ofReference)));
}
