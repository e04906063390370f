import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkSize } from '../../src/evaluate/check-size.ts';
import type { UnitResult } from '../../src/evaluate/episode-result.ts';
import { listUnits, readResults, readUnit, writeResults, writeUnit } from '../../src/evaluate/evaluation-folder.ts';
import { metricsOf } from '../../src/evaluate/summarise.ts';
import type { Summary } from '../../src/protocol/schemas/evaluation.ts';
import { episode } from '../support/report-data.ts';

const MOST_PAIRS = 10_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'motion-studio-evaluation-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const unit: UnitResult = {
  episodes: [episode(0, 0, 61), episode(0, 125, null)],
  loads: {
    ...{ steps: 434, torque_peak: [0.5], torque_squares: [40], saturated: [0] },
    ...{ speed_peak: [3], power_peak: [20], heat_squares: [900] },
    moments: { joint: [1], reference: [1], joint_squares: [2], reference_squares: [2], cross: [2] },
  },
};
const metrics = metricsOf(unit.episodes, 50);

/** Stores one unit, then results with the given summary. */
function store(summary: readonly Summary[]): void {
  listUnits(folder);
  writeUnit(folder, 0, unit);
  writeResults(folder, {
    results: { summary: [...summary], robustness: [], gate: null },
    tables: { clips: [], joints: [] },
    episodes: unit.episodes,
  });
}

test('the results of as many checkpoints and conditions as are accepted can be read, with the longest names', () => {
  expect(() => checkSize(MOST_PAIRS, MOST_PAIRS)).not.toThrow();
  const names = { checkpoint: `model_${'1'.repeat(240)}.pt`, condition: '\u0001'.repeat(64) };
  const summary = Array.from({ length: MOST_PAIRS }, () => ({ ...names, ...metrics }));
  store(summary);
  expect(readResults(folder)).toEqual({ summary, robustness: [], gate: null });
  expect(listUnits(folder)).toEqual(new Set());
});

test('an evaluation of more pairs or episodes is refused, and the limit is named', () => {
  expect(() => checkSize(MOST_PAIRS + 1, MOST_PAIRS + 1)).toThrow(
    'checkpoints: the request needs 10001 pairs of a checkpoint and a condition, the limit is 10000. Use fewer checkpoints or conditions.',
  );
  expect(() => checkSize(1, 250_001)).toThrow('clips: the request needs 250001 episodes, the limit is 250000');
});

test('results that would be too large to be read are an error, and the measured units stay', () => {
  const checkpoint = 'x'.repeat(1 << 20);
  const summary = Array.from({ length: 32 }, () => ({ checkpoint, condition: 'nominal', ...metrics }));
  expect(() => store(summary)).toThrow(/results\.json would have \d+ bytes, the limit is 33554432\. Evaluate fewer/);
  expect(readResults(folder)).toBeNull();
  expect(readUnit(folder, 0, 2)).toEqual(unit);
});
