import type { EnvState } from '../../mdp/env-state.ts';
import { EnvRandom } from '../../mdp/random/env-random.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { mirrorValues, type SignedPermutation } from './signed-permutation.ts';

/** Bounds of the random actions. */
const ACTIONS = 1.5;
/** Number of the random stream of the plan; environments use other numbers. */
const PURPOSE = 107;

/** Forces of `EnvState` that are usually 0, by robot. */
interface Forces {
  readonly contactForce: Float64Array;
  readonly assistForce: Float64Array;
  readonly assistTorque: Float64Array;
  readonly assistGain: Float64Array;
}

/** Actions and forces of the robots while their observations are compared. */
export interface Plan {
  /** (n, A) raw actions of each step */
  readonly actions: readonly Float32Array[];
  /** forces at the start and after each step */
  readonly looks: readonly Forces[];
}

/** Draws random actions and forces. @param n number of robots */
export function planOf(n: number, steps: number, { joints }: RobotFacts, { commands }: TaskConfig): Plan {
  const random = new EnvRandom(1, { first: 0, stride: 1, seed: 0, purpose: PURPOSE });
  const draw = (length: number) => Float64Array.from({ length }, () => random.uniform(0, -1, 1));
  return {
    actions: Array.from({ length: steps }, () =>
      Float32Array.from({ length: n * joints.length }, () => ACTIONS * random.uniform(0, -1, 1)),
    ),
    looks: Array.from({ length: steps + 1 }, () => ({
      contactForce: draw(3 * n * commands.motion.body_names.length),
      assistForce: draw(3 * n),
      assistTorque: draw(3 * n),
      assistGain: draw(n),
    })),
  };
}

/** Returns the plan of the mirrored robots. @param partner of each tracked body, by index among the tracked bodies */
export function mirroredPlan({ actions, looks }: Plan, action: SignedPermutation, partner: readonly number[]): Plan {
  return {
    actions: actions.map((given) => {
      const out = new Float32Array(given.length);
      mirrorValues(given, action, out);
      return out;
    }),
    looks: looks.map(({ contactForce, assistForce, assistTorque, assistGain }) => ({
      contactForce: polar(contactForce, partner),
      assistForce: polar(assistForce, [0]),
      assistTorque: polar(assistTorque, [0]).map((value) => -value),
      assistGain,
    })),
  };
}

/** Mirrors vectors at y = 0: (x, −y, z). Axial vectors get the opposite of this. @param partner of each vector in a
 *  row */
function polar(vectors: Float64Array, partner: readonly number[]): Float64Array {
  const width = 3 * partner.length;
  return vectors.map((_, k) => {
    const row = Math.floor(k / width) * width;
    const axis = k % 3;
    const from = row + 3 * partner[(k - row - axis) / 3]! + axis;
    return axis === 1 ? -vectors[from]! : vectors[from]!;
  });
}

/** Writes the forces into the state of the robots. */
export function setForces(state: EnvState, forces: Forces): void {
  for (const key of ['contactForce', 'assistForce', 'assistTorque', 'assistGain'] as const) state[key].set(forces[key]);
}
