import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findings } from './accessibility.ts';
import { expect, test } from './studio.ts';

test('runs that are copied to disk appear, are marked, found, deleted and restored', async ({ page, studio }) => {
  const folder = path.join(studio.workspace, 'logs/rsl_rl/elsewhere');
  await page.goto(`${studio.address}/#/runs`);
  await expect(page.getByRole('table', { name: 'Runs' })).toBeVisible();
  mkdirSync(path.join(folder, 'first/params'), { recursive: true });
  writeFileSync(path.join(folder, 'first/params/agent.yaml'), 'algorithm:\n  gamma: 0.99\n');
  writeFileSync(path.join(folder, 'first/params/env.yaml'), 'decimation: 4\n');
  cpSync(path.join(folder, 'first'), path.join(folder, 'second'), { recursive: true });
  writeFileSync(path.join(folder, 'second/params/agent.yaml'), 'algorithm:\n  gamma: 0.95\n');
  const table = page.getByRole('table', { name: 'Runs' });
  for (const run of ['first', 'second'])
    await expect(table.getByRole('button', { name: run, exact: true })).toBeVisible();
  // what cannot be played says why
  await expect(table.getByText(/Cannot be played/).first()).toBeAttached();

  await table.getByRole('button', { name: 'first', exact: true }).click();
  const inspector = page.getByRole('region', { name: 'Run', exact: true });
  await expect(inspector.getByText(String(new Date().getFullYear())).first()).toBeVisible(); // the date, not only the time
  await inspector.getByLabel('Tags, separated by commas').fill('baseline');
  await inspector.getByLabel('Note').fill('kept for comparison');
  await inspector.getByLabel('Note').blur();
  await expect(table.getByText('baseline')).toBeVisible();
  await page.getByLabel('Search runs').fill('comparison');
  await expect(table.getByRole('button', { name: 'second', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear filters' }).click();

  for (const run of ['first', 'second']) await table.getByRole('checkbox', { name: `Select ${run}` }).check();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('row', { name: /algorithm\.gamma 0\.99 0\.95/ })).toBeVisible();
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  expect(await findings(page)).toEqual([]);

  // a checked run that the filter hides is counted, and named before it is deleted
  await page.getByLabel('Search runs').fill('comparison');
  await expect(page.getByText('2 selected, 1 hidden by the filter')).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('first, second')).toBeVisible();
  await expect(dialog).toContainText('1 of them is hidden by the filter.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Clear filters' }).click();

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(table.getByRole('button', { name: 'first', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(table.getByRole('button', { name: 'first', exact: true })).toBeVisible();
});
