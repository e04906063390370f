import { rmSync } from 'node:fs';
import { spawnService } from '../support/service-process.ts';
import { newWorkspace } from '../support/workspace.ts';
import { expect, open, stats, test } from './studio.ts';

test('a newcomer sees the robot and plays a clip with one click; the page takes ≥ 50 frames/s at ≤ 8 ms each', async ({
  page,
  problems,
}) => {
  const workspace = newWorkspace();
  const service = spawnService(['--workspace', workspace]);
  await open(page, await service.ready);
  await page.getByRole('button', { name: /Play walk_forward/ }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  const start = await stats(page);
  await page.waitForTimeout(4000); // a rate needs a stretch of time to be measured over
  const end = await stats(page);
  const rate = (end.decoded - start.decoded) / 4;
  console.log(
    `decoded ${rate.toFixed(1)} frames/s, ${end.scriptMs.toFixed(2)} ms a frame, drawn ${end.fps.toFixed(1)} fps`,
  );
  expect(rate).toBeGreaterThanOrEqual(50);
  expect(end.scriptMs).toBeLessThanOrEqual(8);
  expect(problems).toEqual([]);
  service.child.kill('SIGTERM');
  await service.exit;
  rmSync(workspace, { recursive: true });
});
