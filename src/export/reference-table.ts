import { AdaptiveSampling } from '../mdp/command/adaptive-sampling.ts';
import { MotionCommand } from '../mdp/command/motion-command.ts';
import { LIBRARY } from '../mdp/library.ts';
import { EnvRandom } from '../mdp/random/env-random.ts';
import type { TaskConfig } from '../mdp/task-config.ts';
import type { MotionLibrary } from '../motion/library/motion-library.ts';
import { oneEnvironment } from '../presets/one-environment.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import type { PolicyTerm } from './run-policy.ts';

/** Computes the observations that depend only on the clip, for every frame. @param library a library with a single clip
 *  @returns (frames, columns) float32, as the policy observed them in training, without noise */
export function referenceTable(
  terms: readonly PolicyTerm[],
  library: MotionLibrary,
  task: TaskConfig,
  facts: RobotFacts,
): Float32Array<ArrayBuffer> {
  const context = oneEnvironment(facts, task);
  const { state, indices } = context;
  const { rsi } = task.commands.motion;
  const command = new MotionCommand({
    state,
    indices,
    library,
    mode: 'start',
    sampling: new AdaptiveSampling(rsi, library.clips, library.fps),
    random: new EnvRandom(1, { first: 0, stride: 1, seed: 0, purpose: 0 }),
    terrain: null,
  });
  const made = terms.map(({ func, config }) =>
    LIBRARY.observations[func]!.make(
      {
        ...context,
        clipPhase: (env) => command.phase(env),
        referenceAnchorAcceleration: (env, out) => command.anchorAcceleration(env, out),
      },
      config.params,
    ),
  );
  const columns = terms.reduce((sum, term) => sum + term.width, 0);
  const frames = library.clips[0]!.frames;
  const table = new Float32Array(frames * columns);
  for (let frame = 0, at = 0; frame < frames; frame += 1) {
    state.frame[0] = frame;
    command.fillReference(0);
    for (const { compute, dim } of made) {
      compute(0, table, at);
      at += dim;
    }
  }
  return table;
}
