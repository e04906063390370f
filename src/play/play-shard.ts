import { badInput } from '../core/errors.ts';
import type { TermIndices } from '../mdp/env-state.ts';
import type { Environments, ObservationGroup } from '../mdp/environments.ts';
import type { PlaySignals } from '../plots/play-channels.ts';
import { createPolicy } from '../policy/create-policy.ts';
import type { Policy, PolicyWeights } from '../policy/policy.ts';
import type { EnvShard } from './env-group.ts';
import type { PlayCommand, PlayEvent, PlayPlan, PlayShape, ShardPart } from './plan.ts';
import { METRICS, type PlayMemory } from './play-memory.ts';
import { beginGeneration, openRecordRing, type RecordRing, rowsWritten } from './record/record-ring.ts';
import { RowWriter, rowWidth } from './record/row-writer.ts';
import { TrackingMetrics } from './tracking-metrics.ts';

/** Maximum number of events kept between two calls of `takeEvents`. Further events are dropped. */
const MOST_EVENTS = 64;

/** The environments of one play thread with their policy. Steps, records and draws them into shared memory. Does not
 *  depend on threads or real time. */
export class PlayShard implements EnvShard {
  readonly shape: PlayShape;
  readonly shapes: readonly PlayShape[];
  readonly #part: ShardPart;
  readonly #envs: Environments;
  readonly #observations: ObservationGroup | null;
  readonly #memory: PlayMemory;
  readonly #metrics: TrackingMetrics;
  readonly #indices: Pick<TermIndices, 'anchor' | 'keybodies'>;
  readonly #clips: readonly string[];
  readonly #rows: RowWriter;
  readonly #rings: (RecordRing | null)[];
  readonly #kept: number;
  readonly #actions: Float32Array;
  /** (n) 1 if the last step ended the episode or the clip */
  readonly #hasEnded: Uint8Array;
  #policy: Policy | null = null;
  #generation = 0;
  #events: PlayEvent[] = [];

  constructor(plan: PlayPlan, part: ShardPart, envs: Environments, memory: PlayMemory, historyS: number) {
    const { config, facts, library } = plan;
    this.#part = part;
    this.#envs = envs;
    this.#memory = memory;
    this.#observations = envs.observations.get('actor') ?? envs.observations.get('policy') ?? null;
    const efforts = config.robot?.effort_limit;
    const signals: PlaySignals = {
      joints: facts.joints.map((joint, k) => ({ ...joint, effortLimit: efforts?.[k] ?? joint.effortLimit })),
      limitsFrom: efforts ? 'run' : 'spec',
      rewards: envs.rewardNames,
      observations: this.#observations?.slices ?? [],
    };
    this.shape = {
      stepS: envs.stepS,
      signals,
      rewardWeights: [...envs.rewardWeights],
      terminations: envs.terminationNames,
    };
    this.shapes = [this.shape];
    const body = (name: string) => facts.bodies.findIndex((other) => other.name === name);
    const { anchor_body: anchor, body_names: keybodies } = config.commands.motion;
    this.#indices = { anchor: body(anchor), keybodies: keybodies.map(body) };
    const limits = Float64Array.from(signals.joints, (joint) => joint.effortLimit ?? Infinity);
    this.#metrics = new TrackingMetrics(envs, this.#indices, limits);
    this.#clips = library.clips.map((clip) => clip.name);
    this.#rows = new RowWriter(envs, this.#observations, signals);
    this.#rings = new Array<RecordRing | null>(envs.n).fill(null);
    this.#kept = Math.round(historyS / envs.stepS);
    this.#actions = new Float32Array(envs.n * envs.actionDim);
    this.#hasEnded = new Uint8Array(envs.n);
    envs.terminations = plan.terminations;
    envs.onEnd = (env) => this.#ended(env);
    this.#setPolicy(plan.policy);
    envs.active = this.#activeOf(plan.numEnvs);
    envs.arrange(plan.numEnvs);
    envs.reset();
  }

  advance(steps: number, picture: number): void {
    for (let step = 0; step < steps; step += 1) this.step();
    this.draw(picture);
  }

  takeEvents(): PlayEvent[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }

  apply(command: PlayCommand): void {
    const envs = this.#envs;
    switch (command.kind) {
      case 'policy':
        this.#setPolicy(command.policy);
        return;
      case 'num-envs': {
        const before = envs.active;
        envs.active = this.#activeOf(command.numEnvs);
        envs.arrange(command.numEnvs);
        // An environment that returns is new: it has lost its pin.
        for (let env = before; env < envs.active; env += 1) envs.pin(env, null, 0);
        return;
      }
      case 'terminations':
        envs.terminations = command.on;
        return;
      case 'restart':
        this.#generation = command.generation;
        for (const ring of this.#rings) if (ring) beginGeneration(ring, command.generation);
        envs.reset();
        return;
      case 'pin': {
        const env = this.#localOf(command.env);
        if (env !== null) envs.pin(env, command.clip, command.frame);
        return;
      }
      case 'push':
        this.#push(command.env, command.pushes);
        return;
      case 'rewards':
        for (const [k, name] of envs.rewardNames.entries())
          envs.rewardWeights[k] = command.weights[name] ?? envs.rewardWeights[k]!;
        return;
      case 'layout':
        return;
      case 'record': {
        const env = this.#localOf(command.env);
        if (env === null) return;
        const ring = openRecordRing(command.buffer, rowWidth(this.shape.signals), this.#kept);
        beginGeneration(ring, this.#generation);
        this.#rings[env] = ring;
        return;
      }
    }
  }

  delete(): void {
    this.#envs.delete();
  }

  /** Takes one control step. */
  step(): void {
    const envs = this.#envs;
    const { active } = envs;
    if (active === 0) return;
    if (this.#policy && this.#observations) {
      this.#policy.evaluate(this.#observations.values, this.#actions, active);
    } else {
      this.#actions.fill(0);
    }
    this.#hasEnded.fill(0);
    envs.step(this.#actions);
    const { metrics } = this.#memory;
    for (let env = 0; env < active; env += 1) {
      const ring = this.#rings[env];
      if (ring && !this.#hasEnded[env]) this.#rows.write(ring, env, false);
      this.#metrics.update(env, metrics, this.#globalOf(env) * METRICS.length);
    }
  }

  /** Whether the last step ended the episode or clip of an environment. @param env index in this thread */
  hasEnded(env: number): boolean {
    return this.#hasEnded[env] === 1;
  }

  /** Records a failure although the episode continues. @param env index in this thread */
  addFailure(env: number): void {
    const ring = this.#rings[env];
    if (ring) this.#addEnd(env, ring, 'failure');
  }

  /** Records the current state once more, for a step in which the environment rests. @param env index in this thread */
  repeatRow(env: number): void {
    const ring = this.#rings[env];
    if (ring) this.#rows.write(ring, env, false);
  }

  /** Records the last state of an episode or clip before the reset replaces it. */
  #ended(env: number): void {
    this.#hasEnded[env] = 1;
    const ring = this.#rings[env];
    if (!ring) return;
    this.#rows.write(ring, env, true);
    const { terminated, timedOut } = this.#envs;
    if (terminated[env] === 1) this.#addEnd(env, ring, 'failure');
    else if (timedOut[env] === 1) this.#addEnd(env, ring, 'time_out');
  }

  #addEnd(env: number, ring: RecordRing, kind: 'failure' | 'time_out'): void {
    const { state, terminationNames, cause, stepS } = this.#envs;
    const name = terminationNames[cause[env]!];
    const step = state.episodeStep[env]!;
    const error = this.#memory.metrics[this.#globalOf(env) * METRICS.length + METRICS.indexOf('keybodyError')]!;
    this.#addEvent(env, rowsWritten(ring) - 1, {
      kind,
      ...(name === undefined ? {} : { cause: name }),
      text: `${(step * stepS).toFixed(2)} s after its start; key bodies ${(100 * error).toFixed(1)} cm from the reference`,
    });
  }

  #push(only: number | null, pushes: readonly { readonly x: number; readonly y: number }[]): void {
    const envs = this.#envs;
    for (let env = 0; env < envs.active; env += 1) {
      const index = this.#globalOf(env);
      if (only !== null && only !== index) continue;
      const push = pushes[only === null ? index : 0];
      if (!push) continue;
      envs.push(env, push.x, push.y);
      const ring = this.#rings[env];
      const text = `${Math.hypot(push.x, push.y).toFixed(2)} m/s`;
      if (ring) this.#addEvent(env, Math.max(0, rowsWritten(ring) - 1), { kind: 'push', text });
    }
  }

  #addEvent(env: number, row: number, event: Pick<PlayEvent, 'kind' | 'cause' | 'text'>): void {
    if (this.#events.length >= MOST_EVENTS) return;
    const { state } = this.#envs;
    this.#events.push({
      env: this.#globalOf(env),
      generation: this.#generation,
      row,
      clip: this.#clips[state.clip[env]!] ?? '',
      step: state.episodeStep[env]!,
      ...event,
    });
  }

  /** Draws all environments. @param picture 0 or 1 */
  draw(picture: number): void {
    const envs = this.#envs;
    const { pictures, nbody, keybodies: places } = this.#memory;
    const { poses, ghosts, targets, forces } = pictures[picture]!;
    const { relBodyPosW, contactForce } = envs.state;
    const { keybodies } = this.#indices;
    for (let env = 0; env < envs.active; env += 1) {
      const index = this.#globalOf(env);
      envs.writePoses(env, poses, index * nbody * 7);
      envs.writeReferencePoses(env, ghosts, index * nbody * 7);
      const from = env * keybodies.length * 3;
      const to = index * places * 3;
      for (let k = 0; k < 3 * Math.min(places, keybodies.length); k += 1) {
        targets[to + k] = relBodyPosW[from + k]!;
        forces[to + k] = contactForce[from + k]!;
      }
    }
  }

  #setPolicy(weights: PolicyWeights | null): void {
    const policy = weights && createPolicy(weights, Math.max(1, this.#envs.n));
    const observed = this.#observations?.dim ?? 0;
    if (policy && policy.inputs !== observed)
      throw badInput(`checkpoint: the policy expects ${policy.inputs} observations, the task has ${observed}`);
    if (policy && policy.outputs !== this.#envs.actionDim)
      throw badInput(
        `checkpoint: the policy outputs ${policy.outputs} actions, the robot has ${this.#envs.actionDim} joints`,
      );
    this.#policy = policy;
  }

  /** Converts the index of an environment in this thread to its index in the session. */
  #globalOf(env: number): number {
    return this.#part.index + this.#part.count * env;
  }

  /** Converts the index of an environment in the session to its index in this thread; null if another thread runs
   *  it. */
  #localOf(env: number): number | null {
    const { index, count } = this.#part;
    return env % count === index ? (env - index) / count : null;
  }

  /** Returns how many of the session's first `numEnvs` environments run in this thread. */
  #activeOf(numEnvs: number): number {
    const { index, count } = this.#part;
    return Math.max(0, Math.ceil((numEnvs - index) / count));
  }
}

/** Returns the number of environments that one thread has memory for, out of `capacity` environments in all threads. */
export function shardCapacity(capacity: number, { index, count }: ShardPart): number {
  return Math.max(0, Math.ceil((capacity - index) / count));
}
