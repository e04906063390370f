import { describe, expect, test } from 'vitest';
import { EpisodeMetrics } from '../../src/evaluate/episode-metrics.ts';
import type { EpisodeResult } from '../../src/evaluate/episode-result.ts';
import { metricsOf } from '../../src/evaluate/summarise.ts';
import { createState } from '../../src/mdp/env/state-arrays.ts';
import type { EnvState } from '../../src/mdp/env-state.ts';

const BODIES = 3;
const JOINTS = 2;
const KEYBODIES = [0, 2];
const INDICES = { anchor: 1, keybodies: KEYBODIES };

/** The state of two environments; the second one is measured, so that offsets matter. */
const ENV = 1;
const newState = () =>
  createState({ n: 2, joints: JOINTS, bodies: BODIES, keybodies: KEYBODIES.length, feet: 0 }) as EnvState;

/** Moves a body of the measured environment, m. */
function place(values: Float64Array, body: number, x: number, y: number, z: number): void {
  values.set([x, y, z], 3 * (ENV * BODIES + body));
}
function turn(values: Float64Array, body: number, angle: number): void {
  values.set([Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)], 4 * (ENV * BODIES + body));
}

/** Measures an episode whose state at time t, s, `set` writes. @returns its metrics */
function measured(seconds: number, controlHz: number, set: (state: EnvState, t: number, step: number) => void) {
  const steps = Math.round(seconds * controlHz);
  const state = newState();
  set(state, 0, 0);
  const metrics = new EpisodeMetrics(state, ENV, INDICES, { steps, controlHz });
  for (let step = 1; step <= steps; step++) {
    state.previousActions.set(state.actions);
    set(state, step / controlHz, step);
    metrics.add();
  }
  const result: EpisodeResult = { clip: 0, start: 0, possible: steps, failure: null, ...metrics.result };
  return metricsOf([result], controlHz);
}

describe('errors of states that are known exactly', () => {
  test('distances and angles are means over the key bodies and steps', () => {
    const { errors } = measured(1, 50, (state) => {
      place(state.bodyPosW, 0, 3, 4, 0); // 5 m
      place(state.bodyPosW, 2, 0, 0, 1); // 1 m
      place(state.bodyPosW, 1, 2, 0, 0); // the anchor: 2 m
      state.relBodyPosW.set([3, 4, 0.5, 0, 0, 0.8], 3 * ENV * KEYBODIES.length);
      turn(state.bodyQuatW, 0, 0.4);
      turn(state.bodyQuatW, 1, -0.3);
    });
    expect(errors.body_pos).toBeCloseTo(3, 12);
    expect(errors.body_pos_local).toBeCloseTo((0.5 + 0.2) / 2, 12);
    expect(errors.body_rot).toBeCloseTo(0.2, 12);
    expect(errors.anchor_pos).toBeCloseTo(2, 12);
    expect(errors.anchor_rot).toBeCloseTo(0.3, 12);
  });

  test('joint errors are RMS over joints and steps, not means of norms', () => {
    const { errors } = measured(0.04, 50, (state, _t, step) => {
      state.jointPos.set([3 * step, 4], JOINTS * ENV);
      state.refJointPos.set([0, 4], JOINTS * ENV);
      state.jointVel.set([1, 7], JOINTS * ENV);
    });
    // Two steps: squares 9 and 36 of the first joint, 0 of the second.
    expect(errors.joint_pos).toBeCloseTo(Math.sqrt((9 + 36) / 4), 12);
    expect(errors.joint_vel).toBeCloseTo(Math.sqrt((1 + 49) / 2), 12);
  });

  test('the action rate of a ramp is its slope, and the first action is ignored', () => {
    const { action_rate: rate } = measured(1, 50, (state, t) =>
      state.actions.set([10 + 3 * t, 10 - 3 * t], JOINTS * ENV),
    );
    expect(rate).toBeCloseTo(3, 9);
  });

  test('the jerk of a cubic is exact, and the jerk of a uniform acceleration is 0', () => {
    const cubic = measured(2, 50, (state, t) => {
      place(state.bodyPosW, 0, 2 * t ** 3, 0, 0);
      place(state.bodyPosW, 2, 0, 2 * t ** 3, 0);
    });
    expect(cubic.jerk).toBeCloseTo(12, 3);
    const uniform = measured(2, 50, (state, t) => place(state.bodyPosW, 0, t * t, 5 * t, 1));
    expect(uniform.jerk).toBeLessThan(1e-6);
  });

  test('the jerk is the 95th percentile over key bodies and steps', () => {
    // Of a sine A sin(ωt), |jerk| = A ω³ |cos|, whose 95th percentile is A ω³ sin(0.95 π / 2). The other body rests.
    const [amplitude, omega] = [0.1, 2 * Math.PI];
    const { jerk } = measured(20, 200, (state, t) => {
      for (const body of KEYBODIES) place(state.bodyPosW, body, amplitude * Math.sin(omega * t), 0, 0);
    });
    const wanted = amplitude * omega ** 3 * Math.sin((0.95 * Math.PI) / 2);
    expect(Math.abs(jerk / wanted - 1)).toBeLessThan(0.005);
  });

  test('metrics of one motion are the same at 50, 100 and 200 control steps per second', () => {
    const at = (controlHz: number) =>
      measured(4, controlHz, (state, t) => {
        const wave = Math.sin(2 * Math.PI * t);
        place(state.bodyPosW, 0, 0.1 * wave, 0, 0);
        place(state.bodyPosW, 2, 0, 0.2 * wave, 0);
        state.jointPos.set([0.3 * wave, 0], JOINTS * ENV);
        state.actions.set([wave, -wave], JOINTS * ENV);
      });
    const [slow, ...others] = [at(50), at(100), at(200)];
    for (const other of others) {
      expect(other.tracked_s).toBeCloseTo(slow.tracked_s, 9);
      expect(Math.abs(other.errors.body_pos / slow.errors.body_pos - 1)).toBeLessThan(0.01);
      expect(Math.abs(other.errors.joint_pos / slow.errors.joint_pos - 1)).toBeLessThan(0.01);
      expect(Math.abs(other.action_rate / slow.action_rate - 1)).toBeLessThan(0.01);
      expect(Math.abs(other.jerk / slow.jerk - 1)).toBeLessThan(0.02);
    }
  });
});
