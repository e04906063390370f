import type { PlayPlan } from './plan.ts';
import { HISTORY_S, RECORDED_ENVS } from './plan.ts';
import { playMemoryBytes } from './play-memory.ts';

/** Memory of a thread with MuJoCo, kernels and code, bytes; measured and rounded up. */
const THREAD_BYTES = 140 * 2 ** 20;
/** Number of float64 values of an environment: per body, per joint, and other ones. Covers its state, the reference and
 *  MuJoCo. */
const VALUES_A_BODY = 40;
const VALUES_A_JOINT = 24;
const VALUES_BESIDE = 200;
/** Number of values of a row of the motion library, per body and per joint. */
const ROW_A_BODY = 13;
const ROW_A_JOINT = 2;
/** Number of record channels other than those of the robot: rewards, observations. */
const CHANNELS_BESIDE = 40;

/** Estimates the memory of a play session, bytes: threads, environments, shared pictures, records and motion library.
 *  @param observed number of values of a policy observation  @param rows number of rows of the motion library */
export function playBytes(
  plan: Pick<PlayPlan, 'facts' | 'config' | 'capacity' | 'numEnvs'>,
  { threads, observed, rows, controlHz }: { threads: number; observed: number; rows: number; controlHz: number },
): number {
  const { facts, config, capacity, numEnvs } = plan;
  const [bodies, joints] = [facts.bodies.length, facts.joints.length];
  const env = 8 * (VALUES_A_BODY * bodies + VALUES_A_JOINT * joints + VALUES_BESIDE) + 8 * observed;
  const keybodies = config.commands.motion.body_names.length;
  const pictures = playMemoryBytes({ capacity, nbody: bodies, keybodies });
  const columns = 4 * joints + 2 * 9 + observed + CHANNELS_BESIDE;
  const recorded = numEnvs <= RECORDED_ENVS ? numEnvs : 1;
  const records = 4 * columns * HISTORY_S * controlHz * recorded;
  const library = 4 * rows * (ROW_A_BODY * bodies + ROW_A_JOINT * joints);
  return threads * THREAD_BYTES + capacity * env + pictures + records + library;
}
