import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Preview } from '../../src/protocol/schemas/data.ts';
import { expect, open, post, type Studio, test } from './studio.ts';

const preview = async (address: string) => (await (await fetch(`${address}/api/data/preview`)).json()) as Preview;

/** Row of the jump that `addSeeded` writes. */
const JUMP = 60;

/** Adds a squat that stands 0.1 m in the floor; in row JUMP, one joint is off by 2 rad. */
function addSeeded(studio: Studio, clip: string): void {
  const rows = readFileSync(path.join(studio.workspace, 'data/humanoid/samples/squat.csv'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(',').map(Number));
  for (const row of rows) row[2]! -= 0.1;
  rows[JUMP]![12]! += 2;
  const folder = path.join(studio.workspace, 'data/humanoid/seeded');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${clip}.csv`), `${rows.map((row) => row.join(',')).join('\n')}\n`);
}

test('issues of a clip are listed, marked on the timeline and lead to their frames; one click repairs the clip', async ({
  page,
  studio,
}) => {
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  addSeeded(studio, 'broken');
  await open(page, studio.address);
  await page.getByRole('button', { name: 'Data', exact: true }).click();
  await page.getByRole('button', { name: /^seeded/ }).click();
  await page.getByText('broken', { exact: true }).click();
  const inspector = page.getByLabel('Clip inspector');
  const jump = inspector.getByRole('button', { name: /^Jump/ }).first();
  await jump.click();
  const frame = page.getByLabel('Frame', { exact: true });
  await expect.poll(async () => Math.abs(Number(await frame.inputValue()) - JUMP)).toBeLessThanOrEqual(2);
  await expect.poll(async () => Math.abs((await preview(studio.address)).frame - JUMP)).toBeLessThanOrEqual(2);
  expect((await preview(studio.address)).playing).toBe(false);

  await page.getByRole('img', { name: /^Scene: / }).click();
  await page.keyboard.press('Home');
  await page.keyboard.press('.');
  await expect.poll(async () => (await preview(studio.address)).frame).toBeGreaterThan(0);
  await page.keyboard.press('End');
  await page.locator('.qa-marker').first().click();
  await expect.poll(async () => (await preview(studio.address)).frame).toBeLessThan(JUMP);

  // the badge in the listing shows the same count
  const { qa } = await preview(studio.address);
  const row = page.getByRole('row').filter({ hasText: 'broken' });
  await expect(row.locator('.badge-error')).toHaveText(String(qa!.issues.length));

  await inspector.getByRole('button', { name: /^Ground penetration/ }).click();
  await inspector.getByRole('button', { name: 'Fix floor offset' }).click();
  await expect(inspector.getByText('Converted', { exact: true })).toBeVisible();
  await expect(inspector.getByRole('button', { name: /^Jump/ }).first()).toBeVisible();
  await expect(inspector.getByRole('button', { name: /^Ground penetration/ })).toHaveCount(0);
});
