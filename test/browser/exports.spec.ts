import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { preparedHumanoid } from '../support/robots.ts';
import { addSmallRun } from '../support/small-run.ts';
import { addConverted } from '../support/training.ts';
import { findings } from './accessibility.ts';
import { expect, open, test } from './studio.ts';

test('a run is exported in a dialog, tested, downloaded as a zip, checked and deleted; the list of runs offers to evaluate and compare', async ({
  page,
  ownStudio,
  problems,
}, info) => {
  test.slow(); // on a loaded machine, the first task waits for a thread
  const joints = (await preparedHumanoid()).facts.joints.length;
  const runs = path.join(ownStudio.workspace, 'logs/rsl_rl');
  mkdirSync(runs, { recursive: true });
  addSmallRun(runs, joints, 'small/still', { action: 0.1 });
  addSmallRun(runs, joints, 'small/falls', { action: 4 });
  const address = await ownStudio.start();
  await addConverted(address, ownStudio.workspace, 'one', ['squat']);
  await open(page, `${address}/#/runs`);
  const table = page.getByRole('table', { name: 'Runs' });
  await table.getByRole('button', { name: 'still', exact: true }).click();
  await page.getByRole('button', { name: 'Export', exact: true }).click();

  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog.getByText('No export yet')).toBeVisible();
  await expect(dialog.getByLabel('Checkpoint').locator('option')).toHaveText(['policy.onnx (newest)', 'policy.onnx']);
  await dialog.getByLabel('Stand in').fill('61');
  await expect(dialog.getByText('Must be a number from 0 to 60')).toBeVisible();
  const start = dialog.getByRole('button', { name: 'Export', exact: true });
  await expect(start).toBeDisabled();
  await dialog.getByLabel('Stand in').fill('0.2');
  await start.click();
  const list = dialog.getByRole('list', { name: 'Exported bundles' });
  await expect(list.getByText('Self-test passed')).toBeVisible({ timeout: 60_000 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await findings(page), colorScheme).toEqual([]);
    await page.screenshot({ path: info.outputPath(`export-${colorScheme}.png`) });
  }
  const [download] = await Promise.all([page.waitForEvent('download'), list.getByRole('link').click()]);
  expect(download.suggestedFilename()).toMatch(/^[\w-]+-unitree\.zip$/);
  await dialog.locator('input[type=file]').setInputFiles(await download.path());
  await expect(dialog.getByText('Self-test passed')).toHaveCount(2, { timeout: 60_000 });
  await list.getByRole('button', { name: /^Delete / }).click();
  const question = page.getByRole('dialog', { name: 'Delete export' });
  await expect(question).toContainText('This cannot be undone.');
  expect(await findings(page)).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await list.getByRole('button', { name: /^Delete / }).click();
  await question.getByRole('button', { name: 'Delete export' }).click();
  await expect(dialog.getByText('No export yet')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
  const evaluations = page.getByRole('dialog', { name: 'Evaluations' });
  await expect(evaluations.getByRole('checkbox', { name: 'policy.onnx' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(evaluations).toBeHidden();

  for (const run of ['still', 'falls']) await table.getByRole('checkbox', { name: `Select ${run}` }).check();
  await page.screenshot({ path: info.outputPath('selected.png') });
  await page.getByRole('button', { name: 'Compare in Play' }).click();
  const compare = page.getByRole('dialog', { name: 'Compare policies' });
  for (const [k, run] of ['still', 'falls'].entries()) {
    await expect(compare.getByLabel(`Run ${k + 1}`, { exact: true })).toHaveValue(`small/${run}`);
    await expect(compare.getByLabel(`Checkpoint ${k + 1}`, { exact: true })).toHaveValue('policy.onnx');
  }
  await compare.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(compare).toBeHidden({ timeout: 60_000 });
  await expect(page).toHaveURL(/#\/?play/, { timeout: 60_000 });
  await expect(page.getByRole('table', { name: /Policies in lock step/ }).getByRole('row')).toHaveCount(3);
  await page.screenshot({ path: info.outputPath('compared.png') });
  expect(problems).toEqual([]);
});
