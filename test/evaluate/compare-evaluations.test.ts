import { expect, test } from 'vitest';
import { type ComparedSide, compareEvaluations } from '../../src/evaluate/compare/compare-evaluations.ts';
import type { ReportData } from '../../src/evaluate/report/report-data.ts';
import { METRIC_NAMES } from '../../src/protocol/evaluation-metrics.ts';
import type { Protocol } from '../../src/protocol/schemas/evaluation.ts';
import { reportData } from '../support/report-data.ts';

const data = reportData();
const side = (field: string, checkpoint?: string, of: ReportData = data): ComparedSide => ({
  field,
  data: of,
  ...(checkpoint === undefined ? {} : { checkpoint }),
});
const withProtocol = (change: Partial<Protocol>): ReportData => ({
  ...data,
  evaluation: { ...data.evaluation, protocol: { ...data.evaluation.protocol, ...change } },
});

test('two checkpoints of one evaluation are compared under every condition, by every metric', () => {
  const differences = compareEvaluations(side('a', 'model_300.pt'), side('b', 'model_900.pt'));
  expect(differences).toHaveLength(4 * METRIC_NAMES.length);
  const { summary } = data.evaluation;
  const success = (checkpoint: string, condition: string) =>
    summary.find((row) => row.checkpoint === checkpoint && row.condition === condition)!.success;
  for (const { metric, condition, a, b, mean, low, high } of differences) {
    if (metric === 'success')
      expect([a, b]).toEqual([success('model_300.pt', condition), success('model_900.pt', condition)]);
    expect(mean).toBeCloseTo(b - a, 12);
    // Equal in all episodes, up to rounding of their sums: this must not look like a difference.
    if (metric === 'errors.body_rot') expect([mean, low, high]).toEqual([0, 0, 0]);
    expect(low).toBeLessThanOrEqual(mean);
    expect(high).toBeGreaterThanOrEqual(mean);
  }
});

test('a checkpoint compared with itself has no differences; without a name the first one is used', () => {
  for (const { mean, low, high } of compareEvaluations(side('a'), side('b', 'model_900.pt')))
    expect([mean, low, high]).toEqual([0, 0, 0]);
});

test.each<[string, ReportData]>([
  ['motion', withProtocol({ motion: 'data/humanoid/other' })],
  ['starts', withProtocol({ starts: 8 })],
  ['seed', withProtocol({ seed: 1 })],
  ['conditions', withProtocol({ conditions: [{ name: 'nominal' }] })],
  ['horizon_s', withProtocol({ horizon_s: 5 })],
  ['clips', { ...data, clips: ['walk', 'run', 'jump'] }],
])('evaluations with different %s are refused by that name', (field, other) => {
  expect(() => compareEvaluations(side('a'), side('b', undefined, other))).toThrow(
    `b: "test-1" differs from "test-1" in ${field}: evaluate both with the same settings`,
  );
});

test('all differences are named in one message', () => {
  const other = { ...withProtocol({ seed: 1, motion: 'x' }), clips: ['walk'] };
  expect(() => compareEvaluations(side('a'), side('b', undefined, other))).toThrow('in clips, motion, seed:');
});

test('unknown checkpoints and unfinished evaluations are refused', () => {
  expect(() => compareEvaluations(side('a'), side('b', 'model_90.pt'))).toThrow(
    'b_checkpoint: the evaluation "test-1" has no checkpoint "model_90.pt"; did you mean "model_900.pt"?',
  );
  const running = { ...data, evaluation: { ...data.evaluation, status: 'running' as const } };
  expect(() => compareEvaluations(side('a', undefined, running), side('b'))).toThrow(
    'a: the evaluation "test-1" is running',
  );
});
