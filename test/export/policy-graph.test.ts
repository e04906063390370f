import { expect, test } from 'vitest';
import { foldedText, planExport } from '../../src/export/export-plan.ts';
import { policyGraph } from '../../src/export/graph/policy-graph.ts';
import { LAYOUTS } from '../../src/export/layouts/layout.ts';
import { runPolicy } from '../../src/export/run-policy.ts';
import type { TaskConfig } from '../../src/mdp/task-config.ts';
import { baseTasks } from '../../src/mdp/tasks/base-tasks.ts';
import { OnnxGraph } from '../../src/policy/onnx/graph/onnx-graph.ts';
import { evaluatePlainly, someWeights } from '../support/networks.ts';
import { TINY_ROBOT } from '../support/terms.ts';
import { plainObservation } from '../support/tracking.ts';

const LEVER = [0.1, 0.2, -0.3];

/** A policy that observes the velocimeter at {@link LEVER} twice, the gyro once and the joints. */
function velocimeterTask(): TaskConfig {
  const { config } = baseTasks(TINY_ROBOT)[0]!;
  const sensor = (sensor_name: string, more = {}) => ({
    ...plainObservation('builtin_sensor'),
    params: { sensor_name, ...more },
  });
  const terms = {
    base_lin_vel: { ...sensor('imu_lin_vel', { offset: LEVER }), history_length: 2 },
    base_ang_vel: sensor('imu_ang_vel'),
    joint_pos: plainObservation('joint_pos_rel'),
  };
  const actor = { terms, enable_corruption: false, history_length: null };
  const joint_pos = { ...config.actions.joint_pos, action_mode: 'default_relative' as const };
  return { ...config, observations: { actor }, actions: { joint_pos } };
}

function cross([a, b, c]: number[], [x, y, z]: number[]): number[] {
  return [b! * z! - c! * y!, c! * x! - a! * z!, a! * y! - b! * x!];
}

test('the exported graph computes the velocity at the velocimeter from the velocities of the root, for each time', () => {
  const policy = runPolicy(velocimeterTask(), TINY_ROBOT);
  const plan = planExport(policy, LAYOUTS.whole_body_tracking);
  expect(plan.observations.map(({ name, history }) => [name, history])).toEqual([
    ['base_lin_vel', 2],
    ['base_ang_vel', 2],
    ['joint_pos', 1],
  ]);
  const weights = someWeights([11, 7, 2], 3);
  const empty = new Float32Array();
  const graph = policyGraph(policy, plan, weights, { frames: 0, jointPos: empty, jointVel: empty, table: empty });
  // given velocities of the root (oldest first) in which all axes turn
  const lin = [0.5, -1, 2, 1.5, 0.25, -0.75];
  const ang = [3, -2, 1, -4, 5, 0.5];
  const joints = [0.1, -0.2];
  const evaluator = new OnnxGraph({ ...graph, metadata: new Map() }, ['actions']);
  const { actions } = evaluator.run({ obs: { shape: [1, 14], data: Float32Array.from([...lin, ...ang, ...joints]) } });
  // then the network gets v + ω × r
  const before = cross(ang.slice(0, 3), LEVER);
  const now = cross(ang.slice(3), LEVER);
  const moved = [...before, ...now].map((value, k) => value + lin[k]!);
  const expected = evaluatePlainly(weights, [...moved, ...ang.slice(3), ...joints]);
  for (const [k, value] of expected.entries()) expect(actions!.data[k]).toBeCloseTo(value, 4);
  expect(foldedText(plan)).toContain('base_lin_vel of a sensor at (0.1, 0.2, -0.3) m in the frame of the root');
});

test('a velocimeter cannot be exported for a controller that does not know the velocity of the root', () => {
  const policy = runPolicy(velocimeterTask(), TINY_ROBOT);
  expect(() => planExport(policy, LAYOUTS.unitree)).toThrow(/unitree cannot express the observation base_lin_vel/);
});
