import { keybodiesOf } from '../create-training.ts';
import { Judge } from '../judge.ts';
import { createActorCritic, policyOf } from '../ppo/actor-critic.ts';
import { restoreSnapshot } from '../ppo/snapshot.ts';
import { WorkerGroup } from '../ppo/worker-group.ts';
import type { RankOptions } from '../rank-options.ts';

/** Measures the policy `resume` in each clip of the library, without noise. @returns tracked time for each clip, s:
 *  mean over episodes of at most the task's length */
export function measureChunks(options: Omit<RankOptions, 'listener'>): number[] {
  const { order, library, memory, rank, resume } = options;
  const { config: task } = order;
  const { agent } = task;
  if (!resume) throw new Error('there is no policy to measure');
  const group = new WorkerGroup(memory, rank);
  const networks = createActorCritic({
    agent,
    actorDim: resume.actor.layers[0]!.inputs,
    criticDim: resume.critic.layers[0]!.inputs,
    actionDim: order.robot.facts.joints.length,
    maxRows: 1,
    seed: order.seed,
  });
  restoreSnapshot(networks, resume);
  const weights = policyOf(networks, agent);
  const stepS = task.decimation * task.sim.timestep;
  const maxSteps = Math.round(task.episode_length_s / stepS);
  return library.clips.map((clip) => {
    const judge = new Judge({
      rank: { ...options, library: { ...library, clips: [clip] }, listener: null },
      group,
      task,
      keybodies: keybodiesOf(order, task),
      maxSteps,
    });
    const { meanLength } = judge.evaluate(weights, () => resume);
    judge.delete();
    return meanLength * stepS;
  });
}
