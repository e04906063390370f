import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, open, post, type Studio, test } from './studio.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }>;
}

/** Expects that axe finds no violations and that nothing overflows the page horizontally. */
async function looksRight(page: Page, what: string): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), what).toBeLessThanOrEqual(
    0,
  );
  await page.evaluate(AXE);
  const found = await page.evaluate(async () =>
    (await (window as unknown as { axe: Axe }).axe.run()).violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`,
    ),
  );
  expect(found, what).toEqual([]);
}

/** Adds a dataset with a clip that has issues and a file that is not a clip. */
function addTakes(studio: Studio): void {
  const folder = path.join(studio.workspace, 'data/humanoid/takes');
  mkdirSync(folder, { recursive: true });
  const squat = readFileSync(path.join(studio.workspace, 'data/humanoid/samples/squat.csv'), 'utf8');
  const sunk = squat
    .trim()
    .split('\n')
    .map((line) => line.split(',').map((cell, k) => (k === 2 ? Number(cell) - 0.1 : cell)));
  writeFileSync(path.join(folder, 'sunk.csv'), `${sunk.map((row) => row.join(',')).join('\n')}\n`);
  writeFileSync(path.join(folder, 'broken.csv'), '0,0,1,0,0,0,1,0\n');
}

/** Colours depend on the theme, and positions on the width: two of the four combinations cover both. */
const FORMS = [
  ['dark', 1440],
  ['light', 390],
] as const;

for (const [theme, width] of FORMS) {
  test(`Data in all its forms, ${theme}, ${width} px: no accessibility findings, no overflow`, async ({
    page,
    studio,
  }) => {
    const phone = width < 700;
    addTakes(studio);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: phone ? 844 : 900 });
    await post(studio.address, '/api/robot/select', { name: 'humanoid' });
    await post(studio.address, '/api/data/load', { dataset: 'takes', clip: 'sunk' });
    await open(page, `${studio.address}/#/data/takes`);
    if (phone) await page.getByRole('button', { name: 'Raise the panel' }).click();
    await page.getByRole('checkbox', { name: 'Select sunk' }).click();
    await expect(page.getByRole('button', { name: 'broken', exact: true })).toBeVisible();
    await looksRight(page, 'selected and unreadable clips');

    if (phone) await page.getByRole('tab', { name: 'Clip', exact: true }).click();
    await page.locator('.issue-main').first().click();
    await looksRight(page, 'a chosen issue');
    for (const tab of ['Display', 'Files', 'Dataset']) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      await looksRight(page, tab);
    }
    if (phone) await page.getByRole('tab', { name: 'Clips', exact: true }).click();

    const dialog = page.getByRole('dialog');
    const close = () => page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
    await expect(dialog.getByRole('button', { name: 'Delete clip' })).toBeVisible();
    await looksRight(page, 'delete');
    await close();
    await page.getByRole('button', { name: 'Convert 1', exact: true }).click();
    await dialog.getByLabel('Output frame rate').fill('x');
    await looksRight(page, 'convert, with a wrong field');
    await close();
    await page.getByRole('button', { name: 'Dataset actions' }).click();
    await looksRight(page, 'menu');
    await page.getByRole('menuitem', { name: 'New dataset' }).click();
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await looksRight(page, 'new dataset');
    await close();

    if (phone) await page.getByRole('button', { name: 'Dataset actions' }).click();
    await page.getByRole(phone ? 'menuitem' : 'button', { name: /^Import/ }).click();
    await looksRight(page, 'import');
    await dialog.getByRole('tab', { name: /^Folder/ }).click();
    await looksRight(page, 'import of a folder');
    await dialog.getByRole('tab', { name: /^From this/ }).click();
    const folder = mkdtempSync(path.join(tmpdir(), 'looks-'));
    writeFileSync(path.join(folder, 'a.csv'), '1\n');
    writeFileSync(path.join(folder, 'b.txt'), 'x');
    await dialog.getByLabel('Clip folder').setInputFiles(folder);
    await expect(dialog.getByText('b.txt')).toBeVisible();
    await looksRight(page, 'upload');
    await close();
    rmSync(folder, { recursive: true });
  });
}
