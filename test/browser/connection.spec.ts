import { spawnService } from '../support/service-process.ts';
import { expect, open, stats, test } from './studio.ts';

test('when the service goes, the page says so, and goes on by itself when it is back', async ({ page, studio }) => {
  await open(page, studio.address);
  const port = new URL(studio.address).port;
  studio.service.child.kill('SIGKILL');
  await studio.service.exit;
  await expect(page.getByText(/Reconnecting/i).first()).toBeVisible();
  studio.service = spawnService(['--workspace', studio.workspace, '--port', port]);
  await studio.service.ready;
  await expect(page.getByText(/Reconnecting/i)).toHaveCount(0, { timeout: 20_000 });
  const { decoded } = await stats(page);
  await expect.poll(async () => (await stats(page)).decoded).toBeGreaterThan(decoded);
});
