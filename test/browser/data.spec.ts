import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, open, post, test } from './studio.ts';

interface Preview {
  open: boolean;
  clip: string | null;
  frame: number;
  frames: number;
  playing: boolean;
  options: { speed: number; loop: boolean };
}
const preview = async (address: string) => (await (await fetch(`${address}/api/data/preview`)).json()) as Preview;

test.beforeEach(async ({ page, studio }) => {
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await post(studio.address, '/api/data/close', {});
  await open(page, studio.address);
  await page.getByRole('button', { name: 'Data', exact: true }).click();
});

async function load(page: Page, clip: string): Promise<void> {
  await page.getByText(clip, { exact: true }).first().click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeEnabled();
}

test('a clip is searched, played, paused and stepped', async ({ page, studio }) => {
  await page.getByLabel('Search clips').fill('*wave');
  await expect(page.getByText('squat', { exact: true })).toHaveCount(0);
  await load(page, 'arm_wave');
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect.poll(async () => (await preview(studio.address)).playing).toBe(false);
  const field = page.getByLabel('Frame', { exact: true });
  await field.fill('50');
  await field.press('Enter');
  await expect.poll(async () => (await preview(studio.address)).frame).toBe(50);
  await page.getByRole('button', { name: 'Step forward' }).click();
  await expect.poll(async () => (await preview(studio.address)).frame).toBe(51);
  await expect(field).toHaveValue(/51/);
});

test('the keyboard plays, pauses and seeks', async ({ page, studio }) => {
  await load(page, 'squat');
  await page.getByRole('img', { name: /^Scene: / }).click();
  await page.keyboard.press('Space');
  await expect(page.locator('.play-btn')).toHaveAccessibleName('Play');
  await page.keyboard.press('Home');
  await expect.poll(async () => (await preview(studio.address)).frame).toBe(0);
  await page.keyboard.press('End');
  const { frames } = await preview(studio.address);
  await expect.poll(async () => (await preview(studio.address)).frame).toBe(frames - 1);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => (await preview(studio.address)).frame).toBe(frames - 2);
});

test('a click on the timeline seeks', async ({ page, studio }) => {
  await load(page, 'turn');
  await page.getByRole('button', { name: 'Pause' }).click();
  const box = (await page.getByRole('slider', { name: 'Timeline' }).boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const { frames } = await preview(studio.address);
  await expect.poll(async () => (await preview(studio.address)).frame / frames).toBeGreaterThan(0.4);
  expect((await preview(studio.address)).frame / frames).toBeLessThan(0.6);
});

test('lanes of the timeline show when the feet stand on the floor', async ({ page, studio }) => {
  /** Share of the lane that is filled. */
  const filled = (lane: Locator) =>
    lane.locator('path').evaluate((path) => {
      const stretches = (path.getAttribute('d') ?? '').matchAll(/M(\d+) 0H(\d+)/g);
      const [, , frames] = (path.parentElement?.getAttribute('viewBox') ?? '').split(' ');
      return [...stretches].reduce((sum, [, from, to]) => sum + Number(to) - Number(from), 0) / Number(frames);
    });
  const lanes = page.locator('.foot-lane');
  await post(studio.address, '/api/data/load', { dataset: 'samples', clip: 'squat' });
  await expect(lanes).toHaveText(['Left foot', 'Right foot']);
  // A squat keeps both feet on the floor; a walk lifts them in turns.
  await expect.poll(() => filled(lanes.first())).toBe(1);
  await post(studio.address, '/api/data/load', { dataset: 'samples', clip: 'walk_forward' });
  for (const lane of [lanes.first(), lanes.last()]) {
    await expect.poll(() => filled(lane)).toBeLessThan(0.9);
    expect(await filled(lane)).toBeGreaterThan(0.4);
  }
  await post(studio.address, '/api/data/grid', { dataset: 'samples', count: 2 });
  await expect(lanes).toHaveCount(0);
});

test('a Shift-drag on the timeline loops a range', async ({ page, studio }) => {
  await load(page, 'turn');
  const box = (await page.getByRole('slider', { name: 'Timeline' }).boundingBox())!;
  const y = box.y + 0.75 * box.height;
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + 0.2 * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.35 * box.width, y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  const { frames } = await preview(studio.address);
  let last = 0;
  let furthest = 0;
  const turns = async () => {
    const { frame } = await preview(studio.address);
    const back = frame < last;
    last = frame;
    furthest = Math.max(furthest, frame);
    return back;
  };
  await expect.poll(turns, { intervals: [50] }).toBe(true);
  await expect.poll(turns, { intervals: [50] }).toBe(true);
  expect(furthest / frames).toBeLessThan(0.6);
});

test('a file that is copied in appears, and an unreadable file shows the reason', async ({ page, studio }) => {
  const folder = path.join(studio.workspace, 'data/humanoid/mixed');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'short.csv'), '0,0,1,0,0,0,1,0\n');
  await page.getByText('mixed', { exact: true }).first().click();
  await page.getByText('short', { exact: true }).first().click();
  await expect(page.getByText(/8 columns/).first()).toBeVisible();
});
