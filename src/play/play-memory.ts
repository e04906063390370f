import type { PlayPlan } from './plan.ts';

/** Values of a pose: position m, quaternion wxyz. */
const POSE = 7;
/** Figures of one environment; 1 s means but for the last three. */
export const FIGURES = [
  'keybodyError',
  'jointRmse',
  'anchorRotation',
  'torqueAtLimit',
  'clip',
  'frame',
  'step',
] as const;
export type Figure = (typeof FIGURES)[number];

/** Sizes of a session's shared memory. */
export interface PlaySizes {
  readonly capacity: number;
  readonly nbody: number;
  readonly keybodies: number;
}

/** One complete picture of all environments, written by the threads of a session, read where frames are built. World
 *  frame, m. */
export interface PlayPicture {
  /** (capacity, nbody, 7) */
  readonly poses: Float32Array;
  /** (capacity, nbody, 7) of the reference */
  readonly ghosts: Float32Array;
  /** (capacity, K, 3) where tracking wants the keybodies */
  readonly targets: Float32Array;
  /** (capacity, K, 3) N, of a keybody on the ground */
  readonly forces: Float32Array;
}

/** What the threads of a session share: two pictures, one being written while the other is shown, figures, and the
 *  session's clock. */
export interface PlayMemory extends PlaySizes {
  readonly buffer: SharedArrayBuffer;
  readonly pictures: readonly [PlayPicture, PlayPicture];
  /** (capacity, FIGURES) */
  readonly figures: Float32Array;
  /** s simulated; simulated seconds a wall second */
  readonly clock: Float64Array;
}

export const CLOCK = { simTime: 0, realtimeFactor: 1 } as const;
const CLOCK_BYTES = 64;

export function playSizes({ facts, config, capacity }: Pick<PlayPlan, 'facts' | 'config' | 'capacity'>): PlaySizes {
  return { capacity, nbody: facts.bodies.length, keybodies: config.commands.motion.body_names.length };
}

/** Bytes that {@link createPlayMemory} takes. */
export function playMemoryBytes({ capacity, nbody, keybodies }: PlaySizes): number {
  return CLOCK_BYTES + 4 * capacity * (2 * (2 * POSE * nbody + 6 * keybodies) + FIGURES.length);
}

export function createPlayMemory(sizes: PlaySizes): PlayMemory {
  return openPlayMemory(new SharedArrayBuffer(playMemoryBytes(sizes)), sizes);
}

/** The same memory seen from another thread. */
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
    figures: next(FIGURES.length),
    clock: new Float64Array(buffer, 0, 2),
  };
}

/** A figure of one environment. */
export function figureOf({ figures }: Pick<PlayMemory, 'figures'>, env: number, figure: Figure): number {
  return figures[env * FIGURES.length + FIGURES.indexOf(figure)]!;
}
