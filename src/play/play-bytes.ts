import type { PolicyWeights } from '../policy/policy.ts';
import type { PlayPlan } from './plan.ts';
import { HISTORY_S, RECORDED_ENVS } from './plan.ts';
import { playMemoryBytes } from './play-memory.ts';

/** Memory of a thread with MuJoCo, kernels and code, bytes; measured and rounded up. */
const THREAD_BYTES = 140 * 2 ** 20;
/** Number of float64 values of an environment: per body, per joint, and others. They include its state, the reference
 *  and MuJoCo's data. */
const VALUES_A_BODY = 40;
const VALUES_A_JOINT = 24;
const VALUES_BESIDE = 200;
/** Number of values of a row of the motion library, per body and per joint. */
const ROW_A_BODY = 13;
const ROW_A_JOINT = 2;
/** Number of recorded channels that do not depend on the robot: rewards and observations. */
const CHANNELS_BESIDE = 40;

/** Memory of the model and physics in a thread for each further policy of a comparison, bytes. */
const MODEL_BYTES = 24 * 2 ** 20;

/** Estimates the memory of a play session, bytes: threads, environments, shared pictures, records and motion library.
 *  @param observed number of values of a policy observation  @param rows number of rows of the motion library */
export function playBytes(
  plan: Pick<PlayPlan, 'facts' | 'config' | 'capacity' | 'numEnvs' | 'compare'>,
  { threads, observed, rows, controlHz }: { threads: number; observed: number; rows: number; controlHz: number },
): number {
  const { facts, config, capacity, numEnvs, compare } = plan;
  const [bodies, joints] = [facts.bodies.length, facts.joints.length];
  const env = 8 * (VALUES_A_BODY * bodies + VALUES_A_JOINT * joints + VALUES_BESIDE) + 8 * observed;
  const keybodies = config.commands.motion.body_names.length;
  const pictures = playMemoryBytes({ capacity, nbody: bodies, keybodies, compared: compare?.policies.length ?? 0 });
  const columns = 4 * joints + 2 * 9 + observed + CHANNELS_BESIDE;
  const recorded = numEnvs <= RECORDED_ENVS ? numEnvs : 1;
  const records = 4 * columns * HISTORY_S * controlHz * recorded;
  const library = 4 * rows * (ROW_A_BODY * bodies + ROW_A_JOINT * joints);
  return threads * THREAD_BYTES + comparedBytes(compare) + capacity * env + pictures + records + library;
}

/** Estimates the memory that the further policies of a comparison need: models, and weights both in the message and in
 *  the network, bytes. */
function comparedBytes(compare: PlayPlan['compare']): number {
  const others = compare?.policies.slice(1) ?? [];
  return others.reduce((sum, { policy }) => sum + MODEL_BYTES + 2 * weightBytes(policy), 0);
}

function weightBytes(policy: PolicyWeights | null): number {
  return (policy?.layers ?? []).reduce((sum, { weight, bias }) => sum + weight.byteLength + bias.byteLength, 0);
}
