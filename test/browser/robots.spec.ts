import { expect, open, post, stats, test } from './studio.ts';

test.beforeEach(async ({ page, studio }) => {
  await post(studio.address, '/api/robot/select', { name: 'walker' });
  await open(page, studio.address);
  await page.getByRole('button', { name: 'Robots', exact: true }).click();
});

async function joint(address: string, name: string): Promise<number> {
  const robot = (await (await fetch(`${address}/api/robot`)).json()) as { joints: { name: string; value: number }[] };
  return robot.joints.find((one) => one.name === name)!.value;
}

test('a slider poses the robot within its limits', async ({ page, studio }) => {
  const slider = page.getByRole('slider', { name: 'left_knee_joint', exact: true });
  await slider.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => joint(studio.address, 'left_knee_joint')).toBeCloseTo(0.1, 6);
  await page.keyboard.press('End');
  await expect.poll(() => joint(studio.address, 'left_knee_joint')).toBeCloseTo(2, 6);
  await page.getByRole('button', { name: 'Default', exact: true }).click();
  await expect.poll(() => joint(studio.address, 'left_knee_joint')).toBe(0);
});

test('a pose set by another client moves the slider', async ({ page, studio }) => {
  await post(studio.address, '/api/robot/joint', { name: 'right_hip_joint', value: 0.5 });
  await expect(page.getByRole('slider', { name: 'right_hip_joint', exact: true })).toHaveAttribute(
    'aria-valuenow',
    /^0\.50?$/,
  );
});

test('one click selects another robot', async ({ page, studio }) => {
  await page
    .getByRole('button', { name: /humanoid/ })
    .first()
    .click();
  await expect
    .poll(async () => ((await (await fetch(`${studio.address}/api/robot`)).json()) as { id: string }).id)
    .toBe('humanoid');
  await expect(page.getByRole('slider', { name: 'left_elbow_joint', exact: true })).toBeVisible();
});

test('a robot that is selected by keyboard keeps the focus', async ({ page, studio }) => {
  const card = page.getByRole('region', { name: 'Robots' }).getByRole('button', { name: /^humanoid/ });
  await card.focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => ((await (await fetch(`${studio.address}/api/robot`)).json()) as { id: string }).id)
    .toBe('humanoid');
  await expect(card).toHaveAttribute('aria-pressed', 'true');
  await expect(card).toBeFocused();
});

test('while the model of a robot loads, the previous robot is not shown under its name', async ({ page, studio }) => {
  await post(studio.address, '/api/robot/joint/options', { show_wiring: true });
  const labels = page.locator('.labels .label:not(.env-tag)');
  await expect(labels.filter({ hasText: 'left_foot' })).toBeVisible();
  const robotCalls = (await stats(page)).drawCalls;

  let deliver = () => {};
  const delivered = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  await page.route('**/api/robot/model.bin*', async (route) => {
    await delivered;
    await route.continue();
  });
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await expect(page.locator('.scene-note')).toHaveText('Loading humanoid');
  await expect(labels).toHaveCount(0);
  await expect.poll(async () => (await stats(page)).drawCalls).toBeLessThan(robotCalls);

  deliver();
  await expect(page.locator('.scene-note')).toHaveCount(0);
  await expect(labels).not.toHaveCount(0);
  await post(studio.address, '/api/robot/joint/options', { show_wiring: false });
});

test('wiring markers are switched on in the panel', async ({ page, studio }) => {
  await page.getByRole('switch', { name: 'Show markers' }).click();
  const shown = async () =>
    ((await (await fetch(`${studio.address}/api/robot`)).json()) as { options: { show_wiring: boolean } }).options
      .show_wiring;
  await expect.poll(shown).toBe(true);
  await page.getByRole('switch', { name: 'Show markers' }).click();
  await expect.poll(shown).toBe(false);
});

test('in mirror mode the other side follows with roll negated; the pose is copied as JSON', async ({
  page,
  context,
  studio,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  const slider = page.getByRole('slider', { name: 'left_hip_roll_joint', exact: true });
  await expect(slider).toBeVisible();
  const before = await joint(studio.address, 'left_hip_roll_joint');
  await page.getByRole('switch', { name: 'Mirror L/R' }).check();
  await slider.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => joint(studio.address, 'left_hip_roll_joint')).toBeCloseTo(before + 0.1, 6);
  await expect.poll(() => joint(studio.address, 'right_hip_roll_joint')).toBeCloseTo(-before - 0.1, 6);
  const pitch = page.getByRole('slider', { name: 'right_knee_joint', exact: true });
  await pitch.focus();
  await page.keyboard.press('Shift+ArrowRight');
  const right = async () => joint(studio.address, 'right_knee_joint');
  await expect.poll(async () => (await joint(studio.address, 'left_knee_joint')) - (await right())).toBeCloseTo(0, 6);
  await page.getByRole('button', { name: 'Copy pose' }).click();
  await expect(page.getByText('Pose copied')).toBeVisible();
  const pose = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as Record<string, number>;
  expect(pose['right_hip_roll_joint']).toBeCloseTo(-before - 0.1, 4);
  expect(Object.keys(pose)).toHaveLength(21);
});
