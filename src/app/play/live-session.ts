import { meanErrors } from '../../mdp/step-errors.ts';
import { HISTORY_S, type PlayEvent, type PlayPlan, RECORDED_ENVS } from '../../play/plan.ts';
import { CLOCK, COMPARED, COMPARED_VALUES, metricOf } from '../../play/play-memory.ts';
import type { PlayScene } from '../../play/play-scene.ts';
import { bytesToCome, createRecordRing, type RecordRing } from '../../play/record/record-ring.ts';
import { rowWidth } from '../../play/record/row-writer.ts';
import { type PlayColumns, playChannels, playColumns, referenceColumns } from '../../plots/play-channels.ts';
import type { RecordEvent } from '../../protocol/play-record.ts';
import type { Condition } from '../../protocol/schemas/evaluation.ts';
import type {
  CompareLayout,
  PlayComparison,
  PlayFigures,
  PlayOptions,
  PlaySession,
} from '../../protocol/schemas/play.ts';
import type { PlayThreads } from '../../workers/play/play-threads.ts';
import type { SessionGround } from './session-ground.ts';
import { checkRecordMemory } from './session-memory.ts';

/** Number of environments whose tracking errors are reported; further environments have none. */
const SHOWN_ERRORS = 256;
/** Maximum number of recent failures that are reported, and of events kept per environment. */
const SHOWN_ENDS = 16;
const KEPT_EVENTS = 512;
/** Maximum number of environments of a session. The epoch of an environment is the session's epoch times this number,
 *  plus the index of the environment. */
const ENVS = 65_536;

/** A complete request for a session, with defaults filled in. */
export interface PlayRequest {
  readonly run: string;
  /** name of the checkpoint; '': zero action */
  readonly checkpoint: string;
  readonly motion: string;
  readonly numEnvs: number;
  readonly terminations: boolean;
  readonly seed: number;
  /** policies of a comparison; null: all environments play the same checkpoint */
  readonly compare: CompareRequest | null;
  /** condition of an evaluation; null: the simulation as configured in the run */
  readonly condition: Condition | null;
}

/** A complete request for a comparison. The first entry is the session's run and checkpoint. */
interface CompareRequest {
  readonly entries: readonly ComparedCheckpoint[];
  /** index in the motion library; null: chosen by the task */
  readonly clip: number | null;
  readonly frame: number;
  readonly layout: CompareLayout;
}

interface ComparedCheckpoint {
  readonly run: string;
  /** name of the checkpoint; '': zero action */
  readonly checkpoint: string;
}

export interface LiveSessionParts {
  readonly id: number;
  readonly request: PlayRequest;
  readonly task: string;
  readonly plan: PlayPlan;
  readonly threads: PlayThreads;
  readonly ground: SessionGround;
  /** Returns an epoch number that was never used. */
  nextEpoch(): number;
}

const DEFAULT_OPTIONS: PlayOptions = { ghost: 'off', targets: false, contacts: false, speed: 1 };

interface KeptEvent {
  readonly generation: number;
  readonly event: RecordEvent;
}

/** A running session: its state on the main thread, and its records. */
export class LiveSession {
  readonly id: number;
  readonly task: string;
  readonly plan: PlayPlan;
  readonly threads: PlayThreads;
  readonly ground: SessionGround;
  request: PlayRequest;
  options = DEFAULT_OPTIONS;
  playing = true;
  focus = 0;
  weights: number[];
  error: string | null = null;
  readonly pins = new Map<number, string>();
  readonly #rings = new Map<number, RecordRing>();
  readonly #events = new Map<number, KeptEvent[]>();
  readonly #nextEpoch: () => number;
  /** epochs of this session, indexed by generation; each restart begins a new generation */
  readonly #epochs: number[];
  #ends: PlayFigures['ends'] = [];

  constructor(parts: LiveSessionParts) {
    this.id = parts.id;
    this.task = parts.task;
    this.plan = parts.plan;
    this.threads = parts.threads;
    this.ground = parts.ground;
    this.request = parts.request;
    this.weights = [...parts.threads.shape.rewardWeights];
    this.#nextEpoch = parts.nextEpoch;
    this.#epochs = [parts.nextEpoch()];
    this.recordFromStart();
    const { compare } = parts.request;
    if (compare) this.pinned(0, compare.clip, compare.frame);
  }

  get controlHz(): number {
    return 1 / this.threads.shape.stepS;
  }

  get simTime(): number {
    return this.threads.memory.clock[CLOCK.simTime]!;
  }

  get clips(): readonly string[] {
    return this.plan.library.clips.map((clip) => clip.name);
  }

  columnsOf(env: number): PlayColumns {
    return playColumns(this.#signalsOf(env));
  }

  channelsOf(env: number) {
    return playChannels(this.#signalsOf(env));
  }

  refColsOf(env: number): number[] {
    return referenceColumns(this.#signalsOf(env));
  }

  /** Names of the reward terms of all policies. */
  get rewardNames(): ReadonlySet<string> {
    const count = this.request.compare?.entries.length ?? 1;
    return new Set(Array.from({ length: count }, (_, env) => this.#signalsOf(env).rewards).flat());
  }

  #signalsOf(env: number) {
    return this.threads.shapeOf(env).signals;
  }

  /** Describes the session for the simulation thread, which shows it. */
  stage(): PlayScene {
    const { memory, shape } = this.threads;
    const { facts, config, library } = this.plan;
    const played = this.request.compare?.entries ?? [this.request];
    return {
      buffer: memory.buffer,
      nbody: memory.nbody,
      keybodies: memory.keybodies,
      capacity: memory.capacity,
      bodies: config.commands.motion.body_names.map((name) => facts.bodies.findIndex((body) => body.name === name)),
      clips: this.clips,
      fps: library.fps,
      compared: memory.compared,
      titles: played.map(({ run, checkpoint }) => `${run} · ${checkpoint === '' ? 'zero action' : checkpoint}`),
      stepS: shape.stepS,
      terrainVersion: this.ground.version,
      spacing: config.scene.env_spacing,
      state: {
        numEnvs: this.request.numEnvs,
        focus: this.focus,
        playing: this.playing,
        options: this.options,
      },
    };
  }

  describe(): PlaySession {
    const { request, plan, threads, weights } = this;
    const { shape, memory } = threads;
    const state = this.error !== null ? 'failed' : this.playing ? 'running' : 'paused';
    return {
      id: this.id,
      state,
      error: this.error,
      run: request.run,
      checkpoint: request.checkpoint,
      motion: request.motion,
      task: this.task,
      robot: plan.facts.id,
      num_envs: request.numEnvs,
      capacity: plan.capacity,
      focus: this.focus,
      playing: this.playing,
      terminations: request.terminations,
      control_hz: 1 / shape.stepS,
      sim_time: this.simTime,
      realtime_factor: memory.clock[CLOCK.realtimeFactor]!,
      history_s: HISTORY_S,
      options: this.options,
      rewards: shape.signals.rewards.map((name, k) => ({
        name,
        weight: weights[k]!,
        default: shape.rewardWeights[k]!,
      })),
      pins: Array.from(this.pins, ([env, clip]) => ({ env, clip })),
      compare: this.#comparison(),
      condition: request.condition,
      figures: this.#figures(),
    };
  }

  #comparison(): PlayComparison | null {
    const { compare } = this.request;
    if (!compare) return null;
    const { comparison } = this.threads.memory;
    return {
      entries: compare.entries.map(({ run, checkpoint }, env) => {
        const at = env * COMPARED_VALUES;
        const steps = comparison[at + COMPARED.steps]!;
        const sums = comparison.subarray(at + COMPARED.errors, at + COMPARED_VALUES);
        return {
          run,
          checkpoint,
          env,
          falls: comparison[at + COMPARED.falls]!,
          episodes: comparison[at + COMPARED.episodes]!,
          down: comparison[at + COMPARED.down] === 1,
          errors: steps > 0 ? meanErrors(sums, steps) : null,
        };
      }),
      layout: compare.layout,
      clip: compare.clip === null ? null : this.clips[compare.clip]!,
      frame: compare.frame,
      seed: this.request.seed,
    };
  }

  /** Returns whether an environment is recorded, and starts recording it if possible. @param field name of the
   *  request's field, for errors @throws bad_input if there is not enough memory for another record */
  isRecorded(env: number): boolean {
    return this.#rings.has(env);
  }

  ring(env: number, field = 'env'): RecordRing {
    const known = this.#rings.get(env);
    if (known) return known;
    const ring = this.#newRing(env);
    // The records of other environments may still grow to their full size, so include that memory.
    const rings = [...this.#rings.values(), ring];
    checkRecordMemory(
      field,
      env,
      rings.reduce((sum, each) => sum + bytesToCome(each), 0),
    );
    return this.#record(env, ring);
  }

  /** Returns the record of an environment; null if it is not recorded. */
  recorded(env: number): RecordRing | null {
    return this.#rings.get(env) ?? null;
  }

  /** Starts the default records: of all environments of a small session, or only of the focused environment of a large
   *  one. */
  recordFromStart(): void {
    const { numEnvs } = this.request;
    const envs = numEnvs > RECORDED_ENVS ? [this.focus] : Array.from({ length: numEnvs }, (_, env) => env);
    for (const env of envs) if (!this.#rings.has(env)) this.#record(env, this.#newRing(env));
  }

  /** Notes that an environment repeats a clip; in a comparison, all environments repeat it. @param clip null: the clip
   *  is sampled again */
  pinned(only: number, clip: number | null, frame: number): void {
    const { compare } = this.request;
    if (compare) this.request = { ...this.request, compare: { ...compare, clip, frame } };
    const all = Array.from({ length: this.request.numEnvs }, (_, env) => env);
    for (const env of compare ? all : [only])
      if (clip === null) this.pins.delete(env);
      else this.pins.set(env, this.clips[clip]!);
  }

  /** Begins a new epoch. @returns the generation number of all following rows */
  restart(): number {
    this.#epochs.push(this.#nextEpoch());
    return this.#epochs.length - 1;
  }

  epochOf(env: number, generation: number): number {
    return this.#epochs[generation]! * ENVS + env;
  }

  /** Returns the generation of an epoch; null if the epoch does not belong to this environment. */
  generationOf(env: number, epoch: number): number | null {
    const generation = this.#epochs.indexOf(Math.floor(epoch / ENVS));
    return generation < 0 || epoch % ENVS !== env ? null : generation;
  }

  /** Returns the events of an environment in rows [start, end) of a generation. */
  eventsOf(env: number, generation: number, start: number, end: number): RecordEvent[] {
    return (this.#events.get(env) ?? [])
      .filter(({ generation: other, event }) => other === generation && event.row >= start && event.row < end)
      .map(({ event }) => event);
  }

  keepEvents(events: readonly PlayEvent[]): void {
    const ends: PlayFigures['ends'] = [];
    for (const { env, generation, row, kind, cause, text, clip, step } of events) {
      const kept = this.#events.get(env) ?? [];
      kept.push({ generation, event: { row, kind, text, ...(cause === undefined ? {} : { cause }) } });
      if (kept.length > KEPT_EVENTS) kept.shift();
      this.#events.set(env, kept);
      if (kind === 'failure') ends.unshift({ env, sim_time: this.simTime, step, clip, cause: cause ?? '', text });
    }
    if (ends.length > 0) this.#ends = [...ends, ...this.#ends].slice(0, SHOWN_ENDS);
  }

  #newRing(env: number): RecordRing {
    const { stepS, signals } = this.threads.shapeOf(env);
    return createRecordRing(rowWidth(signals), Math.round(HISTORY_S / stepS), this.#epochs.length - 1);
  }

  #record(env: number, ring: RecordRing): RecordRing {
    this.#rings.set(env, ring);
    this.threads.apply({ kind: 'record', env, buffer: ring.buffer });
    return ring;
  }

  #figures(): PlayFigures {
    const { memory } = this.threads;
    const finite = (value: number) => (Number.isFinite(value) ? value : null);
    return {
      errors: Array.from({ length: Math.min(SHOWN_ERRORS, this.request.numEnvs) }, (_, env) =>
        finite(metricOf(memory, env, 'keybodyError')),
      ),
      tracking: {
        keybody_error: finite(metricOf(memory, this.focus, 'keybodyError')),
        joint_rmse: finite(metricOf(memory, this.focus, 'jointRmse')),
        anchor_rotation: finite(metricOf(memory, this.focus, 'anchorRotation')),
        torque_at_limit: finite(metricOf(memory, this.focus, 'torqueAtLimit')),
      },
      ends: [...this.#ends],
    };
  }
}
