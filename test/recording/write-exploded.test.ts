import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { playColumns } from '../../src/plots/play-channels.ts';
import { listRecordings } from '../../src/recording/read/list-recordings.ts';
import { loadRecording } from '../../src/recording/read/load-recording.ts';
import { writeExploded } from '../../src/recording/write-exploded.ts';
import { PREPARED_FILES } from '../../src/robots/prepared-robot.ts';
import { preparedHumanoid } from '../support/robots.ts';

test('a recording of the last second of diverged physics has finite poses', async () => {
  const { facts, folder: cache } = await preparedHumanoid();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'exploded-'));
  const joints = facts.joints.length;
  const columns = playColumns({ joints: facts.joints, limitsFrom: 'spec', rewards: [], observations: [] });
  const rows = 50;
  const data = new Float32Array(rows * columns.count);
  for (let row = 0; row < rows; row += 1) data[row * columns.count + columns.pos + 2] = 1 + row / 100;
  data.fill(Number.NaN, (rows - 2) * columns.count); // the state after the explosion
  const bodies = facts.bodies.map((body) => body.name);
  await writeExploded({
    ...{ folder, name: 'exploded-now', robot: facts.id, physicsPath: path.join(cache, PREPARED_FILES.physics), bodies },
    ...{ created: '2026-05-04T10:12:31.000Z', stepS: 0.02, text: ['env 0'], columns, joints, data },
    channels: Array.from({ length: columns.count }, (_, k) => `channel ${k}`),
  });
  expect(await listRecordings(folder)).toMatchObject([
    { name: 'exploded-now', robot: facts.id, owner: 'play', error: null },
  ]);
  const file = path.join(folder, 'exploded-now.npz');
  const { poses, robots, fps } = await loadRecording({ file, format: 'npz', name: 'exploded-now', bodies });
  expect([robots.length, fps]).toEqual([rows, 50]);
  const height = (row: number) => poses[row * bodies.length * 7 + 2]!;
  expect(height(10)).toBeCloseTo(1.1, 6);
  expect(height(rows - 1)).toBeCloseTo(height(rows - 3), 6); // held where the robot was before
  expect(poses.every(Number.isFinite)).toBe(true);
  rmSync(folder, { recursive: true });
});
