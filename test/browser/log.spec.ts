import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, open, post, test } from './studio.ts';

const load = (address: string, clip: string) => post(address, '/api/data/load', { dataset: 'samples', clip });

test('the log shows events before and after the page opened; it is filtered and copied', async ({
  page,
  context,
  studio,
  problems,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await load(studio.address, 'squat');
  await open(page, studio.address);
  await page.getByRole('button', { name: 'Status' }).click();
  const dock = page.getByRole('region', { name: 'Log' });
  const lines = dock.getByRole('log').locator('.log-line');
  await expect(lines.filter({ hasText: 'Clip squat of samples loaded (raw): 229 frames' })).toHaveCount(1);

  writeFileSync(path.join(studio.workspace, 'data/humanoid/samples/broken.csv'), '1,2,3\n');
  await load(studio.address, 'broken');
  const failed = lines.filter({ hasText: 'Loading broken failed: broken.csv: line 1' });
  await expect(failed).toHaveCount(1);
  const all = await lines.count();
  await expect(failed).toContainText('warn');
  await expect(failed).toContainText('data');
  await expect(failed).toBeInViewport();

  const level = dock.getByRole('group', { name: 'Level' });
  await level.getByRole('button', { name: /Warnings\s*[1-9]/ }).click();
  await expect.poll(() => lines.count()).toBeLessThan(all);
  await expect(failed).toHaveCount(1);
  await expect(lines.filter({ hasText: 'info' })).toHaveCount(0);
  await level.getByRole('button', { name: /All/ }).click();
  const search = dock.getByRole('searchbox', { name: 'Search log' });
  await search.fill('words that no line has');
  await expect(dock.getByText('No lines match the filter.')).toBeVisible();
  await search.fill('LOADING BROKEN');
  await expect(lines).toHaveCount(1);
  await dock.getByRole('button', { name: 'Copy log' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^\d{4}-\d\d-\d\dT\S+Z warn data: Loading broken failed/);
  expect(problems).toEqual([]);
});

test('the log stays fast with a thousand lines: it shows the newest, loads earlier lines on request, and follows the end', async ({
  page,
  ownStudio,
}) => {
  test.setTimeout(150_000);
  const address = await ownStudio.start();
  await open(page, address);
  await page.getByRole('button', { name: 'Status' }).click();
  const dock = page.getByRole('region', { name: 'Log' });
  const box = dock.getByRole('log');
  const rows = box.locator('.log-line');
  const remove = async (id: string) => {
    const upload = `${address}/api/robots/import/upload/${id}/a.xml`;
    await fetch(upload, { method: 'PUT', body: '<mujoco/>' });
    await fetch(`${address}/api/robots/import/${id}`, { method: 'DELETE' });
  };
  for (let k = 0; k < 1100; k += 20) await Promise.all(Array.from({ length: 20 }, (_, n) => remove(`u${k + n}`)));
  await expect(dock.getByRole('button', { name: /All\s*1,?1\d\d/ })).toBeAttached();
  await expect(rows).toHaveCount(1000);
  await expect(rows.last()).toBeInViewport();

  // Scrolled away from the end, the view stays there; the button returns to the end.
  await box.evaluate((element) => element.scrollTo(0, 0));
  const newest = dock.getByRole('button', { name: 'Newest lines' });
  await expect(newest).toBeVisible();
  await remove('later');
  await expect(rows.last()).toContainText('Upload later removed');
  await expect(rows.last()).not.toBeInViewport();
  await newest.click();
  await expect(rows.last()).toBeInViewport();

  await box.evaluate((element) => element.scrollTo(0, 0));
  await dock.getByRole('button', { name: /^Show \d+ earlier lines$/ }).click();
  await expect(rows.first()).toContainText('motion-studio');
});
