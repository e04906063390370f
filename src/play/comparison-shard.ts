import type { Environments } from '../mdp/environments.ts';
import { ComparedErrors } from './compared-errors.ts';
import type { EnvShard } from './env-group.ts';
import type { ComparePlan, PlayCommand, PlayEvent, PlayPlan, PlayShape } from './plan.ts';
import { COMPARED, COMPARED_VALUES, type PlayMemory, type PlayPicture } from './play-memory.ts';
import { PlayShard } from './play-shard.ts';

/** Difference between the seeds of successive episodes. It is odd, so that all 2³² seeds differ. */
const SEED_STEP = 0x9e3779b9;

/** One policy of a comparison. */
interface Entry {
  readonly shard: PlayShard;
  readonly envs: Environments;
  readonly errors: ComparedErrors;
  /** whether its key bodies are the same as those of the first policy */
  readonly sameKeybodies: boolean;
}

/** The environments of a comparison: one for each policy, in one thread and in lock step. All have the same place and
 *  the same random streams, so that equal policies give bit-identical motions. A robot that falls stays down until all
 *  robots have fallen or the clip ends. Then all episodes start together, with new random numbers that are the same for
 *  all. */
export class ComparisonShard implements EnvShard {
  readonly shapes: readonly PlayShape[];
  readonly #entries: readonly Entry[];
  readonly #memory: PlayMemory;
  readonly #seed: number;
  readonly #spacing: number;
  readonly #keybodies: readonly number[];
  #layout: ComparePlan['layout'];
  #episode = 0;

  /** @param each one environment for each policy */
  constructor(
    plan: PlayPlan,
    compare: ComparePlan,
    each: readonly Environments[],
    memory: PlayMemory,
    historyS: number,
  ) {
    const { policies, layout, spacing, clip, frame } = compare;
    const count = policies.length;
    const { anchor_body: anchor, body_names: keybodies } = plan.config.commands.motion;
    const body = (name: string) => plan.facts.bodies.findIndex((other) => other.name === name);
    // Measure the errors of all policies at the key bodies of the first policy.
    const indices = { anchor: body(anchor), keybodies: keybodies.map(body) };
    this.#keybodies = indices.keybodies;
    this.#memory = memory;
    this.#seed = plan.seed;
    this.#spacing = spacing;
    this.#layout = layout;
    this.#entries = policies.map(({ config, policy }, index) => {
      const envs = each[index]!;
      const own: PlayPlan = { ...plan, config, policy, compare: null, terminations: false };
      const shard = new PlayShard(own, { index, count }, envs, memory, historyS);
      envs.arrange(1);
      const sameKeybodies = config.commands.motion.body_names.join() === keybodies.join();
      return { shard, envs, errors: new ComparedErrors(envs, indices), sameKeybodies };
    });
    this.shapes = this.#entries.map(({ shard }) => shard.shape);
    this.#pin(clip, frame);
  }

  advance(steps: number, picture: number): void {
    for (let step = 0; step < steps; step += 1) this.#step();
    this.#draw(picture);
    for (const [index, { errors }] of this.#entries.entries())
      errors.write(this.#memory.comparison, index * COMPARED_VALUES + COMPARED.steps);
  }

  takeEvents(): PlayEvent[] {
    return this.#entries.flatMap(({ shard }) => shard.takeEvents());
  }

  apply(command: PlayCommand): void {
    switch (command.kind) {
      case 'layout':
        this.#layout = command.layout;
        return;
      case 'restart':
        this.#newEpisode();
        break;
      case 'pin':
        this.#pin(command.clip, command.frame);
        return;
      default:
        break;
    }
    for (const { shard } of this.#entries) shard.apply(command);
  }

  delete(): void {
    for (const { shard } of this.#entries) shard.delete();
  }

  #step(): void {
    const entries = this.#entries;
    for (let index = 0; index < entries.length; index += 1) this.#stepEntry(entries[index]!, index);
    const isOver = entries.every(
      ({ shard, envs }, index) => this.#isDown(index) || (envs.active > 0 && shard.hasEnded(0)),
    );
    if (!isOver) return;
    for (let index = 0; index < entries.length; index += 1) this.#count(index, 'episodes');
    this.#newEpisode();
    for (const { envs } of entries) envs.reset();
  }

  #stepEntry({ shard, envs, errors }: Entry, index: number): void {
    if (envs.active === 0) shard.repeatRow(0);
    else shard.step();
    const wasDown = this.#isDown(index);
    if (!wasDown && envs.cause[0]! >= 0) {
      this.#memory.comparison[index * COMPARED_VALUES + COMPARED.down] = 1;
      this.#count(index, 'falls');
      if (envs.terminated[0] === 0) shard.addFailure(0);
    }
    // An environment whose state is not finite has already been reset. It rests until all environments start again.
    if (envs.terminated[0] === 1) envs.active = 0;
    // At the end of the clip the robot has already been moved to another frame.
    if (!this.#isDown(index) && !shard.hasEnded(0)) errors.add();
  }

  /** Gives all environments the same new random numbers, and lets all of them run again. */
  #newEpisode(): void {
    const seed = (this.#seed + Math.imul(this.#episode, SEED_STEP)) >>> 0;
    this.#episode += 1;
    for (const [index, { envs }] of this.#entries.entries()) {
      envs.active = 1;
      envs.reseed(seed);
      this.#memory.comparison[index * COMPARED_VALUES + COMPARED.down] = 0;
    }
  }

  /** Makes all environments repeat a clip, and restarts the counters of falls and episodes. */
  #pin(clip: number | null, frame: number): void {
    this.#memory.comparison.fill(0);
    this.#newEpisode();
    for (const { envs, errors } of this.#entries) {
      envs.pin(0, clip, frame);
      errors.clear();
    }
  }

  #isDown(index: number): boolean {
    return this.#memory.comparison[index * COMPARED_VALUES + COMPARED.down] === 1;
  }

  #count(index: number, value: 'falls' | 'episodes'): void {
    const at = index * COMPARED_VALUES + COMPARED[value];
    this.#memory.comparison[at] = this.#memory.comparison[at]! + 1;
  }

  /** Draws all robots in the same place, then moves them side by side if the layout requires it. */
  #draw(picture: number): void {
    const { nbody, keybodies, pictures } = this.#memory;
    const { poses, ghosts, targets } = pictures[picture]!;
    for (const [index, { shard, sameKeybodies }] of this.#entries.entries()) {
      shard.draw(picture);
      if (!sameKeybodies) this.#drawTargets(pictures[picture]!, index);
      if (this.#layout === 'overlay') continue;
      const dy = ((this.#entries.length - 1) / 2 - index) * this.#spacing;
      for (let body = index * nbody; body < (index + 1) * nbody; body += 1) {
        poses[7 * body + 1] = poses[7 * body + 1]! + dy;
        ghosts[7 * body + 1] = ghosts[7 * body + 1]! + dy;
      }
      for (let k = index * keybodies; k < (index + 1) * keybodies; k += 1)
        targets[3 * k + 1] = targets[3 * k + 1]! + dy;
    }
  }

  /** Draws the targets of a policy that tracks other key bodies than the first one: at the poses of the reference,
   *  without forces. */
  #drawTargets({ ghosts, targets, forces }: PlayPicture, index: number): void {
    const { nbody, keybodies } = this.#memory;
    for (const [k, body] of this.#keybodies.entries()) {
      const from = 7 * (index * nbody + body);
      targets.set(ghosts.subarray(from, from + 3), 3 * (index * keybodies + k));
    }
    forces.fill(0, 3 * index * keybodies, 3 * (index + 1) * keybodies);
  }
}
