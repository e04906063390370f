import type { PlayPlan } from './plan.ts';

/** Values of a pose: position m, quaternion wxyz. */
const POSE = 7;
/** Values that are published of each environment: means over 1 s, then the last state. */
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

/** Sizes of the shared memory of a session. */
export interface PlaySizes {
  readonly capacity: number;
  readonly nbody: number;
  readonly keybodies: number;
}

/** One picture of all environments: the threads of a session write it, the frame builder reads it. World frame, m. */
export interface PlayPicture {
  /** (capacity, nbody, 7) */
  readonly poses: Float32Array;
  /** (capacity, nbody, 7) of the reference */
  readonly ghosts: Float32Array;
  /** (capacity, K, 3) targets of the keybodies */
  readonly targets: Float32Array;
  /** (capacity, K, 3) force of a keybody on the ground, N */
  readonly forces: Float32Array;
}

/** Memory that the threads of a session share: two pictures, of which one is written while the other is shown, metrics,
 *  and the clock of the session. */
export interface PlayMemory extends PlaySizes {
  readonly buffer: SharedArrayBuffer;
  readonly pictures: readonly [PlayPicture, PlayPicture];
  /** (capacity, METRICS) */
  readonly metrics: Float32Array;
  /** by {@link CLOCK}: simulated time, s; simulated seconds per second of real time */
  readonly clock: Float64Array;
}

/** Indices of the values of the clock. */
export const CLOCK = { simTime: 0, realtimeFactor: 1 } as const;
const CLOCK_BYTES = 64;

export function playSizes({ facts, config, capacity }: Pick<PlayPlan, 'facts' | 'config' | 'capacity'>): PlaySizes {
  return { capacity, nbody: facts.bodies.length, keybodies: config.commands.motion.body_names.length };
}

/** Bytes of the memory of {@link createPlayMemory}. */
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

/** A metric of one environment. */
export function metricOf({ metrics }: Pick<PlayMemory, 'metrics'>, env: number, metric: PlayMetric): number {
  return metrics[env * METRICS.length + METRICS.indexOf(metric)]!;
}
