import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { compareToBaseline, readBaseline, writeBaseline } from '../../src/cli/commands/baseline.ts';
import type { Summary } from '../../src/protocol/schemas/evaluation.ts';

const THIRD = 1 / 3;
const SUMMARY: Summary = {
  checkpoint: 'model_900.pt',
  condition: 'nominal',
  episodes: 3,
  success: 2 * THIRD,
  tracked_s: THIRD,
  tracked_share: THIRD,
  errors: {
    body_pos: THIRD,
    body_pos_local: THIRD,
    body_rot: THIRD,
    joint_pos: THIRD,
    joint_vel: THIRD,
    anchor_pos: THIRD,
    anchor_rot: THIRD,
  },
  action_rate: THIRD,
  jerk: THIRD,
};

test('the policy whose values were written to a baseline passes it without any tolerance', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'baseline-'));
  try {
    const file = path.join(folder, 'baseline.json');
    writeBaseline(file, null, SUMMARY);
    const missed = compareToBaseline(readBaseline(file)!, SUMMARY, 0).filter(({ ok }) => !ok);
    expect(missed).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
