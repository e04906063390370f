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

/** Numbers that determine the size of a session's shared memory. */
export interface PlaySizes {
  readonly capacity: number;
  readonly nbody: number;
  readonly keybodies: number;
}

/** One picture of all environments, in the world frame, m. The threads of a session write it; the frame builder reads
 *  it. */
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

/** Memory shared by the threads of a session: metrics, the session's clock, and two pictures. One picture is written
 *  while the other one is shown. */
export interface PlayMemory extends PlaySizes {
  readonly buffer: SharedArrayBuffer;
  readonly pictures: readonly [PlayPicture, PlayPicture];
  /** (capacity, METRICS) */
  readonly metrics: Float32Array;
  /** indexed by {@link CLOCK}: simulated time, s; simulated seconds per second of real time */
  readonly clock: Float64Array;
}

/** Indices of the values in `clock`. */
export const CLOCK = { simTime: 0, realtimeFactor: 1 } as const;
const CLOCK_BYTES = 64;

export function playSizes({ facts, config, capacity }: Pick<PlayPlan, 'facts' | 'config' | 'capacity'>): PlaySizes {
  return { capacity, nbody: facts.bodies.length, keybodies: config.commands.motion.body_names.length };
}

/** Returns the size of the memory that {@link createPlayMemory} creates, bytes. */
export function playMemoryBytes({ capacity, nbody, keybodies }: PlaySizes): number {
  return CLOCK_BYTES + 4 * capacity * (2 * (2 * POSE * nbody + 6 * keybodies) + METRICS.length);
}

export function createPlayMemory(sizes: PlaySizes): PlayMemory {
  return openPlayMemory(new SharedArrayBuffer(playMemoryBytes(sizes)), sizes);
}

/** Opens the memory of a session in another thread. */
export function openPlayMemory(buffer: SharedArrayBuffer, sizes: PlaySizes): PlayMemory {
  const { capacity, nbody, keybodies } = sizes;
  let at = CLOCK_BYTES;
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
    clock: new Float64Array(buffer, 0, 2),
  };
}

/** Returns a metric of one environment. */
export function metricOf({ metrics }: Pick<PlayMemory, 'metrics'>, env: number, metric: PlayMetric): number {
  return metrics[env * METRICS.length + METRICS.indexOf(metric)]!;
}
