import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import type { Preview } from '../../src/protocol/schemas/data.ts';
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

test('clips are sorted, filtered, excluded and tagged; a finding is ignored and restored', async ({
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

test('ignoring one finding keeps the others, and the worst frame, body and channels of a finding are shown', async ({
  page,
  studio,
}) => {
  addTakes(studio);
  const file = path.join(studio.workspace, 'data/humanoid/curated/dataset.yaml');
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await post(studio.address, '/api/data/mark', {
    dataset: 'curated',
    clips: ['sunk'],
    ignore: [{ kind: 'jump', body: 'head' }],
  });
  await open(page, `${studio.address}/#/data/curated`);
  await page.getByRole('button', { name: 'sunk', exact: true }).click();
  const inspector = page.getByLabel('Clip inspector');
  await inspector.getByRole('button', { name: /^Ground penetration/ }).click();
  let qa: Preview['qa'] = null;
  const checked = async () => {
    ({ qa } = (await (await fetch(`${studio.address}/api/data/preview`)).json()) as Preview);
    return qa;
  };
  await expect.poll(checked).not.toBeNull(); // the findings of the list come before those of the open clip
  const issue = qa!.issues.find(({ kind }) => kind === 'ground_penetration')!;
  await expect(inspector.getByText(`frame ${issue.plot.frame}, ${issue.body}`)).toBeVisible();
  await expect(page.getByLabel('Frame', { exact: true })).toHaveValue(String(issue.plot.frame));

  await inspector.getByRole('button', { name: 'Ignore' }).click();
  await expect(inspector.getByText('Ignored', { exact: true })).toBeVisible();
  expect(readFileSync(file, 'utf8')).toContain(
    `"ignore": [{"kind":"jump","body":"head"},{"kind":"ground_penetration","body":"${issue.body}"}]`,
  );
  await inspector.getByRole('button', { name: 'Count again' }).click();
  await expect(inspector.getByText('Ignored', { exact: true })).toHaveCount(0);
  expect(readFileSync(file, 'utf8')).toContain('"ignore": [{"kind":"jump","body":"head"}]');

  await inspector.getByRole('button', { name: 'Show in plots' }).click();
  await expect(page.getByText(`${issue.plot.channels.length} shown`)).toBeVisible();
  await expect(page.getByLabel('Frame', { exact: true })).toHaveValue(String(issue.plot.frame));
});

test('column heads sort, chips remove filters, and actions apply to the listed clips', async ({ page, studio }) => {
  addTakes(studio);
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await post(studio.address, '/api/data/mark', {
    dataset: 'curated',
    q: '*',
    exclude: false,
    tags: ['old'],
    ignore: [],
  });
  await open(page, `${studio.address}/#/data/curated`);
  await expect.poll(() => names(page)).toEqual(['squat', 'sunk', 'turn']);
  await expect(page.locator('.clip-qa .badge')).toHaveCount(3);
  const table = page.getByRole('table', { name: 'Clips of curated' });
  await table.getByRole('button', { name: 'Clip', exact: true }).click();
  await expect.poll(() => names(page)).toEqual(['turn', 'sunk', 'squat']);
  await expect(table.getByRole('columnheader', { name: 'Clip', exact: true })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await table.getByRole('button', { name: 'QA', exact: true }).click();
  await expect.poll(async () => (await names(page))[0]).toBe('sunk');
  await choose(page, 'Best score first');
  await expect(table.getByRole('columnheader', { name: 'Score' })).toHaveAttribute('aria-sort', 'descending');

  // The button converts what the filter lists, not the whole dataset.
  await choose(page, 'With findings');
  const chips = page.getByRole('list', { name: 'Order and filters' }).getByRole('button');
  await expect(chips).toHaveText(['Best score first', 'With findings']);
  await page.getByRole('button', { name: 'Convert 1 listed' }).click();
  await expect(page.getByRole('dialog').getByText('sunk', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await chips.nth(1).click();
  await chips.nth(0).click();
  await expect(chips).toHaveCount(0);

  // Tags are added to many clips without replacing those that they have.
  await page.getByRole('checkbox', { name: 'Select all listed clips' }).click();
  await page.getByRole('button', { name: 'Mark', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Add tags').fill('new');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'squat', exact: true })).toHaveAttribute('title', 'squat · old · new');
  await page.getByRole('button', { name: 'Deselect all' }).click();

  // The best clip is selected, and the others are excluded.
  await choose(page, 'Best by score…');
  await page.getByRole('dialog').getByLabel('Total length').fill('0.01');
  await page
    .getByRole('dialog')
    .getByRole('switch', { name: /^Exclude all other clips/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Select', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Selected clips' })).toHaveText('1 selected');
  await expect(table.getByText('Excluded', { exact: true })).toHaveCount(2);
});
