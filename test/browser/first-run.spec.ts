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

test('a newcomer trains a policy and plays it with at most six clicks', async ({ page, ownStudio }) => {
  test.setTimeout(600_000);
  await open(page, await ownStudio.start());
  let clicks = 0;
  const click = async (name: string | RegExp) => {
    clicks += 1;
    await page.getByRole('button', { name }).first().click({ timeout: 300_000 }); // waits until it is enabled
  };
  await click(/^Train$/);
  await click('Convert 6 clips');
  // A small training, so that the test is short. The trainer's own numbers need no click either.
  await page.getByLabel('Environments', { exact: true }).fill('8');
  await page.getByLabel('Iterations', { exact: true }).fill('3');
  await click('Start training');
  await click('Play this checkpoint');
  await expect
    .poll(
      async () => ((await (await fetch(`${ownStudio.address}/api/play`)).json()) as PlayReply).session?.checkpoint,
      {
        timeout: 120_000,
      },
    )
    .toMatch(/^model_\d+\.pt$/);
  await expect(page).toHaveURL(/#\/play/);
  expect(clicks).toBeLessThanOrEqual(6);
});

interface PlayReply {
  readonly session: { readonly checkpoint: string } | null;
}
