import { readFileSync } from 'node:fs';
import path from 'node:path';
import { kitClip } from '../../test/support/clips.ts';
import { hasKit } from '../../test/support/kit.ts';
import { preparedG1, preparedHumanoid } from '../../test/support/robots.ts';
import { fromDist } from './product.ts';

const { loadMujoco } = await fromDist<typeof import('../../src/sim/mujoco.ts')>('sim/mujoco.js');
const { createEnvironments } = await fromDist<typeof import('../../src/mdp/env/create-environments.ts')>(
  'mdp/env/create-environments.js',
);
const { LIBRARY } = await fromDist<typeof import('../../src/mdp/library.ts')>('mdp/library.js');
const { baseTasks } = await fromDist<typeof import('../../src/mdp/tasks/base-tasks.ts')>('mdp/tasks/base-tasks.js');
const { openClipRobot } = await fromDist<typeof import('../../src/motion/clip-robot.ts')>('motion/clip-robot.js');
const { convertClip } = await fromDist<typeof import('../../src/motion/convert/convert-clip.ts')>(
  'motion/convert/convert-clip.js',
);
const { stackMotions } = await fromDist<typeof import('../../src/motion/library/load-motion-library.ts')>(
  'motion/library/load-motion-library.js',
);
const { builtinClip } = await import('../../test/support/clips.ts');

/** Robots whose tasks are measured; the G1 belongs to the kit. */
export const TRACKED = hasKit ? (['humanoid', 'g1'] as const) : (['humanoid'] as const);

/** Loads the parts from which a thread creates environments. They can be passed between threads. */
export async function trackingParts(robot: (typeof TRACKED)[number]) {
  const { folder, facts } = await (robot === 'g1' ? preparedG1() : preparedHumanoid());
  const physicsPath = path.join(folder, 'physics.mjb');
  const clipRobot = await openClipRobot({ physicsPath, facts });
  const clip = robot === 'g1' ? kitClip('walk1_subject1') : builtinClip('walk_forward');
  const { motion } = convertClip(clipRobot, clip, { outputFps: 50, debiasZ: false });
  return { physicsPath, facts, library: stackMotions([{ name: 'walk', motion }], facts) };
}

export type TrackingParts = Awaited<ReturnType<typeof trackingParts>>;

/** Called before each `mj_step`. */
export type StepWatch = (data: import('../../src/sim/mujoco.ts').MjData) => void;

/** Creates environments of the plain task of a robot with noise, pushes and both observation groups, as in training.
 *  @param watch called before each physics step */
export async function trackingEnvironments(
  { physicsPath, facts, library }: TrackingParts,
  place: { readonly n: number; readonly firstEnv: number; readonly total: number },
  watch?: StepWatch,
) {
  const mj = await loadMujoco();
  const watched = watch
    ? (Object.create(mj, {
        mj_step: {
          value: (...args: Parameters<typeof mj.mj_step>) => {
            watch(args[1]);
            mj.mj_step(...args);
          },
        },
      }) as typeof mj)
    : mj;
  const { config } = baseTasks(facts)[0]!;
  return createEnvironments({
    ...place,
    mj: watched,
    physics: readFileSync(physicsPath),
    facts,
    library,
    config,
    terms: LIBRARY,
    seed: 1,
  });
}

export { loadMujoco };
