import { expect, open, stats, test } from './studio.ts';

test('a link copied from Status lets a person watch on a phone without changing anything', async ({
  page,
  context,
  browser,
  ownStudio,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const address = await ownStudio.start(['--token', 's3cret', '--view-token', 'look']);
  await open(page, address);
  await page.getByRole('button', { name: 'Status' }).click();
  const clients = page.getByRole('region', { name: 'Clients' });
  await expect(clients.getByRole('listitem')).toHaveText([/This page.*Can control/]);
  await clients.getByRole('button', { name: 'Copy link for viewers' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).searchParams.get('token')).toBe('look');

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const viewer = await phone.newPage();
  await viewer.goto(link);
  await expect.poll(async () => (await stats(viewer)).decoded).toBeGreaterThan(1);
  expect(new URL(viewer.url()).search).toBe('');
  await expect(viewer.getByRole('banner').getByText(/View only/)).toBeVisible();
  const status = await viewer.evaluate(async () => (await fetch('api/robot/joint/reset', { method: 'POST' })).status);
  expect(status).toBe(403);
  await expect(clients.getByRole('listitem')).toHaveText([/This page.*Can control/, /View only/]);
  await phone.close();
});
