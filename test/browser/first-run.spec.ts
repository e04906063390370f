import { expect, open, post, stats, test } from './studio.ts';

test('a new user sees the robot and plays a clip with one click', async ({ page, problems, ownStudio }) => {
  await open(page, await ownStudio.start());
  await page.getByRole('button', { name: /Play walk_forward/ }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  const { decoded, drawn } = await stats(page);
  await expect.poll(async () => (await stats(page)).decoded).toBeGreaterThan(decoded + 100);
  await expect.poll(async () => (await stats(page)).drawn).toBeGreaterThan(drawn);
  expect(problems).toEqual([]);
});

test('an empty workspace needs at most six clicks until a policy plays', async ({ page, ownStudio }) => {
  const slow = { timeout: 120_000 };
  test.setTimeout(4 * slow.timeout);
  await page.addInitScript(() => {
    let clicks = 0;
    addEventListener('click', () => Object.assign(window, { clicks: ++clicks }), { capture: true });
  });
  const address = await ownStudio.start();
  await open(page, address);

  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await page.getByRole('button', { name: 'Convert 6 clips' }).click();
  const start = page.getByRole('button', { name: 'Start training' });
  await expect(start).toBeEnabled(slow);
  await expect(start).toBeFocused(); // the button that converted is gone
  await start.click();
  const play = page.getByRole('button', { name: 'Play this checkpoint' });
  await expect(play).toBeEnabled(slow);
  await play.click();
  await expect
    .poll(async () => ((await (await fetch(`${address}/api/play`)).json()) as { session: object | null }).session, slow)
    .not.toBeNull();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible(slow);

  await post(address, '/api/jobs/train-samples-1/stop', {}); // a training outlives its service
  await expect
    .poll(async () => (await (await fetch(`${address}/api/jobs/train-samples-1?tail=0`)).json()).status, slow)
    .toBe('stopped');
  expect(await page.evaluate(() => (window as unknown as { clicks: number }).clicks)).toBeLessThanOrEqual(6);
});
