import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, open, post, type Studio, test } from './studio.ts';

/** Adds a good clip and a clip whose robot is 0.1 m below the floor. */
function addTakes(studio: Studio): void {
  const samples = path.join(studio.workspace, 'data/humanoid/samples');
  const folder = path.join(studio.workspace, 'data/humanoid/curated');
  mkdirSync(folder, { recursive: true });
  const squat = readFileSync(path.join(samples, 'squat.csv'), 'utf8').trim();
  const sunk = squat.split('\n').map((line) => line.split(',').map((cell, k) => (k === 2 ? Number(cell) - 0.1 : cell)));
  writeFileSync(path.join(folder, 'sunk.csv'), `${sunk.map((row) => row.join(',')).join('\n')}\n`);
  writeFileSync(path.join(folder, 'squat.csv'), `${squat}\n`);
  writeFileSync(path.join(folder, 'turn.csv'), readFileSync(path.join(samples, 'turn.csv')));
}

const names = (page: Page) => page.locator('.clip-name').allTextContents();
const choose = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'Sort and filter' }).click();
  await page
    .getByRole('menuitemradio', { name: item })
    .or(page.getByRole('menuitem', { name: item }))
    .click();
};

test('clips are sorted, filtered, excluded and tagged, and a finding is ignored and counted again', async ({
  page,
  studio,
  problems,
}) => {
  addTakes(studio);
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await open(page, `${studio.address}/#/data/curated`);
  await expect.poll(() => names(page)).toEqual(['squat', 'sunk', 'turn']);
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });
  await expect(row('sunk').locator('.badge-error, .badge-warning')).toBeVisible();
  await expect(row('turn').locator('.badge-ok')).toBeVisible();

  await choose(page, 'Worst findings first');
  await expect.poll(async () => (await names(page))[0]).toBe('sunk');
  await choose(page, 'With findings');
  await expect.poll(() => names(page)).toEqual(['sunk']);
  await choose(page, 'Reset');
  await expect.poll(() => names(page)).toEqual(['squat', 'sunk', 'turn']);

  // Two clips are marked together.
  await page.getByRole('checkbox', { name: 'Select squat' }).click();
  await page.getByRole('checkbox', { name: 'Select turn' }).click();
  await page.getByRole('button', { name: 'Mark', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('radio', { name: 'Excluded' })
    .or(dialog.getByRole('button', { name: 'Excluded' }))
    .click();
  await dialog.getByLabel('Add tags').fill('retake, legs');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row('squat').getByText('Excluded')).toBeVisible();
  await choose(page, 'Tag: retake');
  await expect.poll(() => names(page)).toEqual(['squat', 'turn']);
  await choose(page, 'Reset');
  expect(readFileSync(path.join(studio.workspace, 'data/humanoid/curated/dataset.yaml'), 'utf8')).toContain(
    '"squat": {"exclude": true, "tags": ["retake","legs"]}',
  );

  // An ignored finding is not counted. If it is no longer ignored, it is counted again.
  await row('sunk').click();
  const inspector = page.getByLabel('Clip inspector');
  await inspector.getByRole('button', { name: /^Ground penetration/ }).click();
  await inspector.getByRole('button', { name: 'Ignore' }).click();
  await expect(inspector.getByText('Ignored', { exact: true })).toBeVisible();
  await expect(row('sunk').locator('.badge-ok')).toBeVisible();
  await inspector.getByRole('button', { name: 'Count again' }).click();
  await expect(row('sunk').locator('.badge-error, .badge-warning')).toBeVisible();
  expect(problems).toEqual([]);
});
