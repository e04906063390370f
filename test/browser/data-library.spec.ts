import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import type { DatasetCounts } from '../../src/protocol/schemas/data.ts';
import { expect, open, post, type Studio, test } from './studio.ts';

const samples = (studio: Studio) => path.join(studio.workspace, 'data/humanoid/samples');
const sample = (studio: Studio, clip: string) => readFileSync(path.join(samples(studio), `${clip}.csv`));

async function counts(studio: Studio, name: string): Promise<DatasetCounts | undefined> {
  const reply = await fetch(`${studio.address}/api/data/datasets`);
  const { datasets } = (await reply.json()) as { datasets: DatasetCounts[] };
  return datasets.find((set) => set.name === name);
}

/** Adds a dataset with copies of a sample clip, and waits until it is listed. */
async function addDataset(page: Page, studio: Studio, name: string, clips: readonly string[]): Promise<void> {
  const folder = path.join(studio.workspace, 'data/humanoid', name);
  mkdirSync(folder, { recursive: true });
  for (const clip of clips) writeFileSync(path.join(folder, `${clip}.csv`), sample(studio, 'squat'));
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await expect(page.getByRole('checkbox', { name: `Select ${clips[0]}`, exact: true })).toBeVisible();
}

test.beforeEach(async ({ page, studio }) => {
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await post(studio.address, '/api/data/close', {});
  await open(page, studio.address);
  await page.getByRole('button', { name: 'Data', exact: true }).click();
});

test('a folder becomes a dataset: clips are kept, a broken clip is named, other files are left out', async ({
  page,
  studio,
}) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'takes-'));
  writeFileSync(path.join(folder, 'one.csv'), sample(studio, 'squat'));
  writeFileSync(path.join(folder, 'two.csv'), sample(studio, 'turn'));
  writeFileSync(path.join(folder, 'broken.csv'), '1,2,3\n');
  writeFileSync(path.join(folder, 'notes.txt'), 'x');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByLabel('Clip folder').setInputFiles(folder);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('notes.txt')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('takes');
  await dialog.getByRole('button', { name: 'Upload 3 clips' }).click();
  await expect(dialog.getByText('2 of 3 files are in takes.')).toBeVisible();
  await expect(dialog.getByText(/the line has only 3 columns/)).toBeVisible();
  expect(await counts(studio, 'takes')).toMatchObject({ source: 2, converted: 0, missing: 2 });
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(page.getByText('two', { exact: true })).toBeVisible();
  rmSync(folder, { recursive: true });
});

test('files dropped anywhere on the page are added to the selected dataset', async ({ page, studio }) => {
  await addDataset(page, studio, 'dropped', ['first']);
  const text = String(sample(studio, 'arm_wave'));
  await page.evaluate((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'wave.csv'));
    const tell = (type: string) =>
      document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
    tell('dragenter');
    tell('dragover');
    tell('drop');
  }, text);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Into')).toHaveValue('dropped');
  await dialog.getByRole('button', { name: 'Upload 1 clip' }).click();
  await expect(dialog.getByText('1 of 1 file is in dropped.')).toBeVisible();
  expect(existsSync(path.join(studio.workspace, 'data/humanoid/dropped/wave.csv'))).toBe(true);
});

test('missing clips are converted with live progress, and the log stays in the dock', async ({ page, studio }) => {
  await addDataset(page, studio, 'lesson', ['a', 'b', 'c']);
  await page.getByRole('button', { name: 'Convert 3', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Output frame rate').fill('5000');
  await expect(dialog.getByText('must be a number from 1 to 1000')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Convert 3 clips' })).toBeDisabled();
  await dialog.getByLabel('Output frame rate').fill('25');
  await dialog.getByRole('button', { name: 'Convert 3 clips' }).click();
  await expect(dialog.getByRole('status', { name: 'Job' })).toContainText('Done');
  await expect(dialog.getByText('3 of 3 clips converted')).toBeVisible();
  await dialog.getByRole('button', { name: 'Show in the dock' }).click();
  await expect(page.getByRole('tab', { name: 'Job log' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('log')).toContainText('b:');
  expect(await counts(studio, 'lesson')).toMatchObject({ converted: 3, missing: 0 });
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByText('b', { exact: true }).first().click();
  await expect(page.getByLabel('Clip inspector').getByText('Converted', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Clip inspector').getByText(/· 25 fps/)).toBeVisible();
});

test('selected clips play side by side as a grid, are deleted after confirmation, and restored by Undo', async ({
  page,
  studio,
}) => {
  await addDataset(page, studio, 'pairs', ['p1', 'p2', 'p3']);
  await page.getByRole('checkbox', { name: 'Select p1' }).click();
  await page.getByRole('checkbox', { name: 'Select p3' }).click({ modifiers: ['Shift'] });
  await expect(page.getByRole('status', { name: 'Selected clips' })).toHaveText('3 selected');
  await page.getByRole('checkbox', { name: 'Select p2' }).click();
  await page.getByRole('button', { name: 'Show as a grid' }).click();
  await expect(page.getByRole('heading', { name: '2 clips' })).toBeVisible();
  await expect(page.getByLabel('Clip inspector').getByRole('listitem')).toHaveText([/1.*p1/, /2.*p3/]);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('p1, p3')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await counts(studio, 'pairs'))?.source).toBe(3);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('button', { name: 'Delete 2 clips' }).click();
  await expect(page.getByRole('checkbox', { name: 'Select p1' })).toHaveCount(0);
  await expect(page.getByRole('checkbox', { name: 'Select p2' })).toBeVisible();
  const file = path.join(studio.workspace, 'data/humanoid/pairs/p1.csv');
  expect(existsSync(file)).toBe(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('checkbox', { name: 'Select p1' })).toBeVisible();
  expect(existsSync(file)).toBe(true);
});

test('closing the dialog during a deletion stops it, and a dialog opened meanwhile stays open', async ({
  page,
  studio,
}) => {
  await addDataset(page, studio, 'halted', ['h1', 'h2', 'h3']);
  // given: a service that deletes slowly
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/data/datasets/halted/clips/*', async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole('checkbox', { name: 'Select h1' }).click();
  await page.getByRole('checkbox', { name: 'Select h3' }).click({ modifiers: ['Shift'] });
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete 3 clips' }).click();
  await expect(dialog.getByRole('button', { name: 'Stop' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Dataset actions' }).click();
  await page.getByRole('menuitem', { name: 'New dataset' }).click();
  release();
  await expect(page.getByText('1 of 3 clips deleted')).toBeVisible();
  await expect(dialog.getByLabel('Name')).toBeVisible();
  expect((await counts(studio, 'halted'))?.source).toBe(2);
});

test('clips without a source and failed clips are counted separately; a mirror image is deleted with its clip if requested', async ({
  page,
  studio,
}) => {
  await addDataset(page, studio, 'images', ['m1', 'm2']);
  // 20 frames at 1000 Hz are one frame at 50 Hz: the clip can be read but not converted.
  const rows = sample(studio, 'squat').toString().split('\n').slice(0, 20);
  writeFileSync(path.join(studio.workspace, 'data/humanoid/images/short.csv'), `# fps: 1000\n${rows.join('\n')}\n`);
  await post(studio.address, '/api/data/uploaded', {});
  await page.getByRole('button', { name: 'Convert 3', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('group', { name: 'Mirror' }).getByRole('button', { name: 'On' }).click();
  await dialog.getByRole('button', { name: 'Convert 3 clips' }).click();
  await expect(dialog.getByText('2 of 3 clips converted')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /images 2 \/ 3 \+ 2/ })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Clips found' })).toHaveText(/^5 clips/);
  // Failed clips are found by one click, and are tried again in the row or all together.
  const short = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'short', exact: true }) });
  await expect(short.getByText('Failed')).toBeVisible();
  await page.getByRole('button', { name: '1 failed' }).click();
  await expect(page.getByRole('status', { name: 'Clips found' })).toHaveText(/^1 of 5 clips/);
  await expect(page.getByRole('button', { name: 'Retry 1', exact: true })).toBeEnabled();
  await short.getByRole('button', { name: 'Retry short' }).click();
  await expect(page.getByRole('button', { name: 'Retry 1', exact: true })).toBeEnabled();
  await page.getByRole('list', { name: 'Order and filters' }).getByRole('button').click();
  await page.getByText('m1', { exact: true }).first().click();
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByLabel('Clip inspector').getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.getByText('The clip that is open will be closed.')).toBeVisible();
  await dialog.getByRole('switch', { name: 'Delete its mirror image m1_M too' }).click();
  await dialog.getByRole('button', { name: 'Delete clip' }).click();
  await expect(page.getByRole('checkbox', { name: 'Select m1', exact: true })).toHaveCount(0);
  await expect(page.getByRole('checkbox', { name: 'Select m1_M' })).toHaveCount(0);
  await expect(page.getByRole('checkbox', { name: 'Select m2_M' })).toBeVisible();
});

test('hours and lengths are shown without a scan', async ({ page, studio }) => {
  await addDataset(page, studio, 'lengths', ['s1', 's2']);
  const inspector = page.getByLabel('Clip inspector');
  await expect(inspector.getByText('2 clips', { exact: true })).toBeVisible();
  await expect(inspector.locator('.histogram')).toBeVisible();
  await inspector.getByRole('button', { name: 'Scan again' }).click();
  await expect(inspector.getByRole('button', { name: 'Scan again' })).toBeEnabled();
  expect((await counts(studio, 'lengths'))?.scan).toMatchObject({ clips: 2, unreadable: [] });
});

test('a dataset is created and deleted by name', async ({ page, studio }) => {
  await page.getByRole('button', { name: 'Dataset actions' }).click();
  await page.getByRole('menuitem', { name: 'New dataset' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('a/b');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText(/must begin with/)).toBeVisible();
  await dialog.getByLabel('Name').fill('fresh');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText('fresh is empty')).toBeVisible();
  await page.getByRole('button', { name: 'Dataset actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete fresh' }).click();
  await dialog.getByRole('button', { name: 'Delete dataset' }).click();
  await expect(page.getByText('fresh deleted')).toBeVisible();
  expect(await counts(studio, 'fresh')).toBeUndefined();
});
