import { createServer } from 'node:net';
import { expect, open, stats, test } from './studio.ts';

/** A free port below the range for outgoing connections: these could take it while the service is stopped. */
async function quietPort(): Promise<string> {
  for (let port = 21_000; ; port++) {
    const free = await new Promise<boolean>((resolve) => {
      const probe = createServer().once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (free) return String(port);
  }
}

test('when the service goes, the page says so, and goes on by itself when it is back', async ({ page, ownStudio }) => {
  const args = ['--port', await quietPort()];
  await open(page, await ownStudio.start(args));
  await ownStudio.stop('SIGKILL');
  await expect(page.getByText(/Reconnecting/i).first()).toBeVisible();
  await ownStudio.start(args);
  await expect(page.getByText(/Reconnecting/i)).toHaveCount(0, { timeout: 20_000 });
  const { decoded } = await stats(page);
  await expect.poll(async () => (await stats(page)).decoded).toBeGreaterThan(decoded);
});
