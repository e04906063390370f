import { expect, open, stats, test } from './studio.ts';

test('a newcomer sees the robot and plays a clip with one click', async ({ page, problems, ownStudio }) => {
  await open(page, await ownStudio.start());
  await page.getByRole('button', { name: /Play walk_forward/ }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  const { decoded, drawn } = await stats(page);
  await expect.poll(async () => (await stats(page)).decoded).toBeGreaterThan(decoded + 100);
  await expect.poll(async () => (await stats(page)).drawn).toBeGreaterThan(drawn);
  expect(problems).toEqual([]);
});
