import { createServer } from 'node:net';
import { expect, open, post, stats, test } from './studio.ts';

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

test('when the service stops, the page says so, and continues by itself when the service is back', async ({
  page,
  ownStudio,
}) => {
  const args = ['--port', await quietPort()];
  const address = await ownStudio.start(args);
  await post(address, '/api/data/load', { dataset: 'samples', clip: 'walk_forward' });
  await open(page, `${address}/#/data`);
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await ownStudio.stop('SIGKILL');
  await expect(page.getByText(/Reconnecting/i).first()).toBeVisible();
  await ownStudio.start(args);
  await expect(page.getByText(/Reconnecting/i)).toHaveCount(0, { timeout: 20_000 });
  // the page says that the service has restarted, and how to return to what was open
  await expect(page.getByText('The service has restarted')).toBeVisible();
  await expect(page.getByText(/Another client/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Reopen walk_forward' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  const { decoded } = await stats(page);
  await expect.poll(async () => (await stats(page)).decoded).toBeGreaterThan(decoded);
});

test('an area that is first opened while the service is gone says so, and a reload shows it', async ({
  page,
  ownStudio,
}) => {
  const args = ['--port', await quietPort()];
  const address = await ownStudio.start(args);
  await open(page, `${address}/#/data`);
  await expect(page.getByRole('heading', { name: 'Data' }).first()).toBeVisible();
  await ownStudio.stop('SIGKILL');
  await expect(page.getByText(/Reconnecting/i).first()).toBeVisible();
  await page.getByRole('button', { name: 'Tasks', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Tasks', exact: true });
  await expect(panel).toContainText('Tasks could not be loaded');
  await expect(panel).toContainText('Reload the page when the service is connected.');
  await expect(page.locator('.app > .empty')).toHaveCount(0); // nothing of a dialog below the areas
  await ownStudio.start(args);
  await expect(page.getByText(/Reconnecting/i)).toHaveCount(0, { timeout: 20_000 });
  await panel.getByRole('button', { name: 'Reload page' }).click();
  await expect(panel.getByRole('button', { name: 'Wbc-Humanoid', exact: true })).toBeVisible();
});

test('a page whose token is refused says so, and how to get access again', async ({ page, ownStudio }) => {
  const address = await ownStudio.start();
  await open(page, address);
  const state = page.getByRole('status', { name: 'Connection' });
  await expect(state).toHaveCount(0);
  const json = { error: 'unauthorized', detail: 'wrong token: open /?token=<token> once in the browser' };
  await page.route('**/healthz', (route) => route.fulfill({ status: 401, json }));
  await expect(state).toHaveText('Access was refused. Open the link with the token again.', { timeout: 15_000 });
  await page.unroute('**/healthz');
  await expect(state).toHaveCount(0, { timeout: 15_000 });
});
