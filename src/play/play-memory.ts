import { STEP_ERRORS } from '../mdp/step-errors.ts';
import type { PlayPlan } from './plan.ts';

/** Number of values of a pose: position m, quaternion wxyz. */
const POSE = 7;
/** Values published for each environment: four means over 1 s, then clip, frame and step of the last state. */
export const METRICS = [
  'keybodyError',
  'jointRmse',
  'anchorRotation',
  'torqueAtLimit',
  'clip',
  'frame',
  'step',
] as const;
export type PlayMetric = (typeof METRICS)[number];

/** Values published for each policy of a comparison: number of falls and of episodes, whether the robot is down, number
 *  of included steps, at most 10 s, then the sums of their errors. */
export const COMPARED = { falls: 0, episodes: 1, down: 2, steps: 3, errors: 4 } as const;
export const COMPARED_VALUES = COMPARED.errors + STEP_ERRORS.length;

/** Numbers that determine the size of a session's shared memory. */
export interface PlaySizes {
  readonly capacity: number;
  readonly nbody: number;
  readonly keybodies: number;
  /** number of compared policies; 0: no comparison */
  readonly compared: number;
}

/** One picture buffer: poses of all environments, in the world frame, m. The threads of a session write it; the frame
 *  builder reads it. */
export interface PlayPicture {
  /** (capacity, nbody, 7) */
  readonly poses: Float32Array;
  /** (capacity, nbody, 7) poses of the reference */
  readonly ghosts: Float32Array;
  /** (capacity, K, 3) targets of the keybodies */
  readonly targets: Float32Array;
  /** (capacity, K, 3) forces of the keybodies on the ground, N */
  readonly forces: Float32Array;
}

/** Memory shared by the threads of a session: metrics, the session's clock, and two picture buffers. One buffer is
 *  written while the other one is shown. */
export interface PlayMemory extends PlaySizes {
  readonly buffer: SharedArrayBuffer;
  readonly pictures: readonly [PlayPicture, PlayPicture];
  /** (capacity, METRICS) */
  readonly metrics: Float32Array;
  /** (compared, COMPARED_VALUES) */
  readonly comparison: Float64Array;
  /** indexed by {@link CLOCK}: simulated time, s; simulated seconds per second of real time */
  readonly clock: Float64Array;
}

/** Indices of the values in `clock`. */
export const CLOCK = { simTime: 0, realtimeFactor: 1 } as const;
const CLOCK_BYTES = 64;

export function playSizes({
  facts,
  config,
  capacity,
  compare,
}: Pick<PlayPlan, 'facts' | 'config' | 'capacity' | 'compare'>): PlaySizes {
  return {
    capacity,
    nbody: facts.bodies.length,
    keybodies: config.commands.motion.body_names.length,
    compared: compare?.policies.length ?? 0,
  };
}

/** Returns the size of the memory that {@link createPlayMemory} creates, bytes. */
export function playMemoryBytes({ capacity, nbody, keybodies, compared }: PlaySizes): number {
  return (
    comparisonBytes(compared) + CLOCK_BYTES + 4 * capacity * (2 * (2 * POSE * nbody + 6 * keybodies) + METRICS.length)
  );
}

function comparisonBytes(compared: number): number {
  return 8 * compared * COMPARED_VALUES;
}

export function createPlayMemory(sizes: PlaySizes): PlayMemory {
  return openPlayMemory(new SharedArrayBuffer(playMemoryBytes(sizes)), sizes);
}

/** Opens the memory of a session in another thread. */
export function openPlayMemory(buffer: SharedArrayBuffer, sizes: PlaySizes): PlayMemory {
  const { capacity, nbody, keybodies, compared } = sizes;
  let at = CLOCK_BYTES + comparisonBytes(compared);
  const next = (count: number) => {
    const view = new Float32Array(buffer, at, capacity * count);
    at += view.byteLength;
    return view;
  };
  const picture = (): PlayPicture => ({
    poses: next(POSE * nbody),
    ghosts: next(POSE * nbody),
    targets: next(3 * keybodies),
    forces: next(3 * keybodies),
  });
  return {
    ...sizes,
    buffer,
    pictures: [picture(), picture()],
    metrics: next(METRICS.length),
    comparison: new Float64Array(buffer, CLOCK_BYTES, compared * COMPARED_VALUES),
    clock: new Float64Array(buffer, 0, 2),
  };
}

/** Returns a metric of one environment. */
export function metricOf({ metrics }: Pick<PlayMemory, 'metrics'>, env: number, metric: PlayMetric): number {
  return metrics[env * METRICS.length + METRICS.indexOf(metric)]!;
}
