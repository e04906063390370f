import { expect, test } from 'vitest';
import { jointFindings } from '../../src/protocol/joint-findings.ts';
import type { JointMargin, Summary } from '../../src/protocol/schemas/evaluation.ts';
import { reportData } from '../support/report-data.ts';

const joint = (name: string, follows: number | null, exchanged: string | null = null): JointMargin => ({
  ...{ checkpoint: 'model_1.pt', condition: 'nominal', joint: name, torque_peak: 0, torque_rms: 0, saturated: 0 },
  ...{ speed_peak: 0, power_peak: 0, follows, exchanged_with: exchanged, heat: null },
});
const summary = (success: number, trackedS: number): Summary => ({
  ...reportData().evaluation.summary[0]!,
  ...{ success, tracked_s: trackedS, episodes: 4 },
});

test('exchanged joints are one finding, in the order of the joints, and are not also listed as lost', () => {
  expect(jointFindings([joint('hip', -0.2, 'knee'), joint('knee', -0.1, 'hip'), joint('toe', 0.9)], undefined)).toEqual(
    ["hip and knee follow each other's references. Check the order of joints in the actions."],
  );
});

test('joints that do not follow their references are listed with their correlations, the least first', () => {
  expect(jointFindings([joint('hip', 0.1), joint('knee', -0.3), joint('toe', 0.2)], undefined)).toEqual([
    'Does not follow its reference: knee (−0.30), hip (0.10). Check sign and order in the actions and observations.',
  ]);
});

test('failures within a time too short for correlations are named, good policies and old evaluations are not', () => {
  const short = [joint('hip', null)];
  expect(jointFindings(short, summary(0, 0.1))[0]).toMatch(/^Tracked 0\.4 s in all, too short/);
  expect(jointFindings(short, summary(1, 1))).toEqual([]);
  const { follows: _, ...old } = joint('hip', null);
  expect(jointFindings([old], summary(0, 0.1))).toEqual([]);
});

test('zero actions, which follow nothing, have no findings', () => {
  expect(jointFindings([{ ...joint('hip', -0.5), checkpoint: '' }], summary(0, 0.1))).toEqual([]);
});
