import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { PlaySession } from '../../src/protocol/schemas/play.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { addSmallRun } from '../support/small-run.ts';
import { addConverted, ended, untilJob } from '../support/training.ts';
import { findings } from './accessibility.ts';
import { expect, open, test } from './studio.ts';

const SLOW = 120_000;
const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;

test('a run is evaluated from Play; its report has summary, failures, margins and protocol; checkpoints are compared', async ({
  page,
  ownStudio,
  problems,
}, info) => {
  test.setTimeout(5 * SLOW);
  const joints = (await preparedHumanoid()).facts.joints.length;
  const runs = path.join(ownStudio.workspace, 'logs/rsl_rl');
  mkdirSync(runs, { recursive: true });
  addSmallRun(runs, joints, 'small/zero');
  const address = await ownStudio.start();
  await addConverted(address, ownStudio.workspace, 'two', ['squat', 'walk_forward']);
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, `${address}/#/play`);

  // given: the form, with the latest checkpoint proposed
  await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Evaluations' });
  await expect(dialog.getByRole('checkbox', { name: 'policy.onnx' })).toBeChecked();
  await dialog.getByRole('checkbox', { name: 'Zero action' }).check();
  await dialog.getByLabel('Starts per clip').fill('none');
  await expect(dialog.getByText('Must be an integer from 1 to 1000')).toBeVisible();
  const start = dialog.getByRole('button', { name: 'Evaluate', exact: true });
  await expect(start).toBeDisabled();
  await dialog.getByLabel('Starts per clip').fill('2');
  expect(await findings(page)).toEqual([]);
  await page.screenshot({ path: info.outputPath('form.png') });

  // when: it is started
  await start.click();

  // then: its report follows its progress
  await expect(dialog.getByRole('status', { name: 'State of the evaluation' })).toHaveText('Done', { timeout: SLOW });
  const summary = dialog.getByRole('region', { name: 'Summary' });
  await expect(summary.getByRole('row')).toHaveCount(3);
  await summary.getByRole('button', { name: /^Tracked time/ }).click();
  await expect(summary.getByRole('columnheader', { name: /^Tracked time/ })).toHaveAttribute('aria-sort', 'ascending');
  await dialog.getByRole('tab', { name: /^Failures ?\d/ }).click();
  await expect(dialog.getByRole('img', { name: /^walk_forward: \d of 2 episodes fail/ })).toBeVisible();
  for (const [width, height] of SIZES) {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await findings(page), `${width}×${height}, ${colorScheme}`).toEqual([]);
      await page.screenshot({ path: info.outputPath(`failures-${colorScheme}-${width}.png`) });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByRole('tab', { name: 'Margins' }).click();
  await expect(dialog.getByRole('region', { name: 'Margins of the joints' }).getByRole('row')).toHaveCount(joints + 1);
  await dialog.getByRole('tab', { name: 'Protocol' }).click();
  await expect(dialog.getByText('data/humanoid/two, 2 clips')).toBeVisible();
  for (const format of ['HTML', 'CSV', 'JSON']) {
    const link = dialog.getByRole('link', { name: format });
    const { status } = await fetch(new URL((await link.getAttribute('href')) ?? '', `${address}/`));
    expect([format, status]).toEqual([format, 200]);
  }

  // when: the two checkpoints are compared
  await dialog.getByRole('button', { name: 'Compare' }).click();
  const nominal = dialog.getByRole('region', { name: 'Under nominal' });
  await expect(nominal.getByRole('row')).toHaveCount(13);
  await expect(nominal.getByRole('row', { name: /^Success/ })).toContainText(/better|worse|no difference/);
  expect(await findings(page)).toEqual([]);
  await page.screenshot({ path: info.outputPath('compare.png') });
  expect(problems).toEqual([]);
});

test('the failures of an evaluation become a dataset', async ({ page, ownStudio }) => {
  test.setTimeout(5 * SLOW);
  const joints = (await preparedHumanoid()).facts.joints.length;
  const runs = path.join(ownStudio.workspace, 'logs/rsl_rl');
  mkdirSync(runs, { recursive: true });
  addSmallRun(runs, joints, 'small/zero');
  const address = await ownStudio.start();
  await addConverted(address, ownStudio.workspace, 'two', ['walk_forward']);
  const reply = await fetch(`${address}/api/evaluate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ run: 'small/zero', motion: 'data/humanoid/two', starts: 1 }),
  });
  const { job } = (await reply.json()) as { job: string };
  await untilJob(address, job, ended, SLOW);
  await open(page, `${address}/#/play`);
  await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Evaluations' });
  await dialog.getByRole('tab', { name: 'Failures to data' }).click();

  // a dataset that is made after the dialog was closed does not open another area
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/evaluations/*/dataset', async (route) => {
    await released;
    await route.continue();
  });
  await dialog.getByLabel('Dataset', { exact: true }).fill('later');
  await dialog.getByRole('button', { name: 'Make dataset' }).click();
  // a busy browser reports the closing late: here, when the dataset has been made
  await page.evaluate(() => {
    const hold = (event: Event) => {
      event.stopImmediatePropagation();
      document.removeEventListener('close', hold, true);
      Object.assign(window, { reportClose: () => event.target?.dispatchEvent(new Event('close')) });
    };
    document.addEventListener('close', hold, true);
  });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  release();
  await expect(page.getByText('Dataset later made of the failed stretches')).toBeVisible({ timeout: SLOW });
  await page.evaluate(() => (window as unknown as { reportClose(): void }).reportClose());
  await expect(page.getByRole('button', { name: 'Evaluate', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/#\/play/);

  await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
  await dialog.getByRole('tab', { name: 'Failures to data' }).click();
  await dialog.getByLabel('Dataset', { exact: true }).fill('falls');
  await expect(dialog.getByText('1 clip of 1')).toBeVisible();
  await dialog.getByRole('button', { name: 'Make dataset' }).click();
  await expect(page).toHaveURL(/#\/data/, { timeout: SLOW });
  await expect(page.getByText('walk_forward_fail1')).toBeVisible({ timeout: SLOW });
});

test('a click on a failure plays it in Play, from one second before', async ({ page, ownStudio }) => {
  test.setTimeout(5 * SLOW);
  const joints = (await preparedHumanoid()).facts.joints.length;
  const runs = path.join(ownStudio.workspace, 'logs/rsl_rl');
  mkdirSync(runs, { recursive: true });
  addSmallRun(runs, joints, 'small/zero');
  const address = await ownStudio.start();
  await addConverted(address, ownStudio.workspace, 'two', ['walk_forward']);
  const reply = await fetch(`${address}/api/evaluate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ run: 'small/zero', motion: 'data/humanoid/two', starts: 1 }),
  });
  const { job } = (await reply.json()) as { job: string };
  await untilJob(address, job, ended, SLOW);
  await open(page, `${address}/#/play`);
  await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Evaluations' });
  await dialog.getByRole('tab', { name: /^Failures ?\d/ }).click();
  await dialog.getByTitle('Plays walk_forward from one second before its failure').click();
  await expect(dialog).toBeHidden({ timeout: SLOW });
  await expect(page).toHaveURL(/#\/play/);
  const { session } = (await (await fetch(`${address}/api/play`)).json()) as { session: PlaySession };
  expect(session).toMatchObject({ run: 'small/zero', pins: [{ env: 0, clip: 'walk_forward' }] });
  expect(session.condition).toMatchObject({ name: 'nominal' });
});
