import { describe, expect, test } from 'vitest';
import { fromYaw, multiply } from '../../../src/core/math/quaternion.ts';
import { AdaptiveSampling } from '../../../src/mdp/command/adaptive-sampling.ts';
import { FailureTracker } from '../../../src/mdp/command/failure-tracker.ts';
import { MotionCommand } from '../../../src/mdp/command/motion-command.ts';
import { createState } from '../../../src/mdp/env/state-arrays.ts';
import { LIBRARY } from '../../../src/mdp/library.ts';
import { EnvRandom } from '../../../src/mdp/random/env-random.ts';
import type { ReferenceStateInitConfig } from '../../../src/mdp/task-config.ts';
import type { TermContext } from '../../../src/mdp/term.ts';
import type { MotionLibrary } from '../../../src/motion/library/motion-library.ts';

const RSI: ReferenceStateInitConfig = {
  sampling_mode: 'uniform',
  strategy: 'similarity_ema',
  bin_width_s: 0.1,
  uniform_ratio: 0.15,
  alpha: 0.5,
  temperature_base: 1,
  similarity_norm_by_remaining_clip: false,
  persist_failure_levels: false,
  min_bin_span_ratio: 0,
  similarity_terms: {},
  similarity_from_rewards: true,
};

/** Returns two bodies, one joint, and clips of 10 and 4 frames. Body 0 moves along x with growing speed; body 1 is 1 m
 *  beside it. */
function library(): MotionLibrary {
  const frames = 14;
  const bodyPosW = new Float32Array(frames * 6);
  const bodyLinVelW = new Float32Array(frames * 6);
  const bodyQuatW = new Float32Array(frames * 8);
  for (let row = 0; row < frames; row++) {
    bodyPosW.set([row, 0, 1, row, 1, 0.5], 6 * row);
    bodyLinVelW.set([row * row, 0, 0, 0, 0, 0], 6 * row);
    bodyQuatW.set([1, 0, 0, 0, 1, 0, 0, 0], 8 * row);
  }
  return {
    fps: 50,
    clips: [
      { name: 'a', first: 0, frames: 10 },
      { name: 'b', first: 10, frames: 4 },
    ],
    frames,
    joints: 1,
    bodies: 2,
    jointPos: Float32Array.from({ length: frames }, (_, row) => row),
    jointVel: new Float32Array(frames),
    bodyPosW,
    bodyQuatW,
    bodyLinVelW,
    bodyAngVelW: new Float32Array(frames * 6),
  };
}

function commandOf(rsi: Partial<ReferenceStateInitConfig> = {}, n = 1) {
  const config = { ...RSI, ...rsi };
  const state = createState({ n, joints: 1, bodies: 2, keybodies: 2, feet: 0 });
  const indices = { anchor: 0, keybodies: [0, 1], endEffectors: [], feet: [] };
  const motion = library();
  const sampling = new AdaptiveSampling(config, motion.clips, motion.fps);
  const random = new EnvRandom(n, { seed: 1, purpose: 1, first: 0, stride: 1 });
  const command = new MotionCommand({
    state,
    indices,
    library: motion,
    mode: config.sampling_mode,
    sampling,
    random,
    terrain: null,
  });
  return { command, state, sampling, config };
}

describe('starts', () => {
  test('starts are drawn uniformly over clips, then frames, never the last frame', () => {
    const { command, state } = commandOf();
    const counts = [0, 0];
    for (let k = 0; k < 4000; k++) {
      command.sample(0);
      counts[state.clip[0]!]!++;
      expect(state.frame[0]).toBeLessThanOrEqual(state.clip[0] === 0 ? 8 : 2);
      expect(state.refJointPos[0]).toBe((state.clip[0] === 0 ? 0 : 10) + state.frame[0]!);
    }
    expect(counts[0]! / 4000).toBeCloseTo(0.5, 1);
  });
  test('starts are frame 0 of clip 0 in mode start, and the pinned frame in a pinned environment', () => {
    const { command, state } = commandOf({ sampling_mode: 'start' }, 2);
    command.pin(1, 1, 3);
    for (const env of [0, 1]) command.sample(env);
    expect([...state.clip]).toEqual([0, 1]);
    expect([...state.frame]).toEqual([0, 2]);
  });
});

test('a clip stops at its last frame', () => {
  const { command, state } = commandOf({ sampling_mode: 'start' });
  command.pin(0, 1, 0);
  command.sample(0);
  const seen = [0, 1, 2, 3, 4].map(() => {
    command.advance(0);
    return [state.frame[0], command.atEnd(0), state.refBodyPosW[0]];
  });
  expect(seen).toEqual([
    [1, false, 11],
    [2, false, 12],
    [3, true, 13],
    [3, true, 13],
    [3, true, 13],
  ]);
  expect(command.phase(0)).toBe(0.75);
});

test('the reference is placed at the origin of the environment', () => {
  const { command, state } = commandOf({ sampling_mode: 'start' });
  state.envOrigin.set([4, -2, 0]);
  command.sample(0);
  expect([...state.refBodyPosW]).toEqual([4, -2, 1, 4, -1, 0.5]);
});

test('acceleration is the central difference of velocity within the clip', () => {
  const { command, state } = commandOf({ sampling_mode: 'start' });
  const out = new Float64Array(6);
  const at = (clip: number, frame: number) => {
    state.clip[0] = clip;
    state.frame[0] = frame;
    command.anchorAcceleration(0, out);
    return out[0];
  };
  expect(at(0, 3)).toBe(((16 - 4) * 50) / 2);
  expect(at(0, 0)).toBe(1 * 50);
  expect(at(0, 9)).toBe((81 - 64) * 50);
  expect(at(1, 0)).toBe((121 - 100) * 50);
});

test('targets are rotated about the robot by the yaw difference only, and keep their height', () => {
  const { command, state } = commandOf({ sampling_mode: 'start' });
  command.sample(0);
  const tilt = [Math.cos(0.1), Math.sin(0.1), 0, 0];
  const turned = multiply([0, 0, 0, 0], fromYaw([0, 0, 0, 0], Math.PI / 2), tilt);
  state.bodyPosW.set([5, 6, 0.2]);
  state.bodyQuatW.set(turned);
  command.fillRelative(0);
  // The robot looks along +y, so 1 m to the left of the reference becomes 1 m along −x.
  const wanted = [5, 6, 1, 4, 6, 0.5];
  for (const [k, value] of wanted.entries()) expect(state.relBodyPosW[k]).toBeCloseTo(value, 12);
  const half = Math.SQRT1_2;
  for (const [k, value] of [half, 0, 0, half].entries()) expect(state.relBodyQuatW[4 + k]).toBeCloseTo(value, 12);
});

describe('failure of an episode', () => {
  const rewards = { names: ['motion_a', 'motion_b', 'other'], weights: Float64Array.of(2, 1, 5) };
  /** Returns the failure that adaptive sampling records for an episode of `steps` steps with tracking similarity 0.8.
   *  @param diverges whether the state of the last step is not finite */
  const failureOf = (
    rsi: Partial<ReferenceStateInitConfig>,
    steps: number,
    failed: boolean,
    diverges = false,
  ): number => {
    const { command, sampling, config, state } = commandOf({ ...rsi, sampling_mode: 'adaptive' });
    const context = { state, maxEpisodeSteps: 5 } as unknown as TermContext;
    const tracker = new FailureTracker(config, LIBRARY.rewards, context, {
      command,
      sampling,
      rewards: { ...rewards, lastReward: (name) => ({ motion_a: 1.8, motion_b: 0.6, other: 5 })[name] ?? 0 },
    });
    command.sample(0);
    command.startFrame[0] = 0;
    state.clip[0] = 0;
    for (let step = 0; step < steps; step++) tracker.step(0, !diverges || step < steps - 1);
    const bin = command.startBin[0]!;
    tracker.finish(0, failed);
    expect(sampling.counts.episodes[bin]).toBe(1);
    return sampling.counts.failures[bin]! / 4096;
  };
  test('the failure of an episode is 1 minus the weighted mean of tracking rewards', () => {
    expect(failureOf({}, 3, true)).toBeCloseTo(0.2, 3);
  });
  test('the failure of an episode includes the missing steps up to a full episode', () => {
    // The episode ends after 3 steps with a mean reward of 0.8. A full one has 5 steps, as the clip has 9 left:
    // 1 − 3 · 0.8 / 5.
    expect(failureOf({ similarity_norm_by_remaining_clip: true }, 3, true)).toBeCloseTo(0.52, 3);
  });
  test('a step that diverges has no similarity', () => {
    expect(failureOf({}, 4, true, true)).toBeCloseTo(1 - (3 * 0.8) / 4, 3);
  });
  test('the failure of an episode is 0 or 1 for binary_failure', () => {
    expect(failureOf({ strategy: 'binary_failure' }, 3, true)).toBe(1);
    expect(failureOf({ strategy: 'binary_failure' }, 3, false)).toBe(0);
  });
});
