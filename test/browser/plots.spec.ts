import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, open, post, test } from './studio.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Plots {
  fps: number;
  frames: number;
  channels: { id: string; name: string }[];
  data: string;
}
interface Preview {
  frame: number;
  frames: number;
}

const get = async <T>(address: string, path: string) => (await (await fetch(address + path)).json()) as T;
const frameNow = async (address: string) => (await get<Preview>(address, '/api/data/preview')).frame;

/** Values of a channel as the service sends them, one per frame. */
async function column(address: string, id: string): Promise<Float32Array> {
  const { channels, data, frames } = await get<Plots>(address, '/api/plots/clip');
  const bytes = Buffer.from(data, 'base64');
  const values = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const at = channels.findIndex((channel) => channel.id === id);
  return Float32Array.from({ length: frames }, (_, frame) => values[frame * channels.length + at]!);
}

test.beforeEach(async ({ page, studio }) => {
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await post(studio.address, '/api/data/load', { dataset: 'samples', clip: 'walk_forward' });
  await post(studio.address, '/api/data/playing', { playing: false });
  await post(studio.address, '/api/data/frame', { frame: 40 });
  await open(page, studio.address);
  await page.getByRole('button', { name: 'Data', exact: true }).click();
});

async function showPlots(page: Page): Promise<Locator> {
  await page.keyboard.press('`');
  const plot = page.locator('.chart-plot').first();
  await expect(plot.locator('canvas')).toBeVisible();
  return plot;
}

/** Position of the playhead's line in the plots, 0..1. */
async function cursorShare(page: Page): Promise<number> {
  const line = (await page.locator('.plots-cursor').boundingBox())!;
  const box = (await page.locator('.plots-cursor-box').boundingBox())!;
  return (line.x - box.x) / box.width;
}

const figure = (text: string | null) => Number((text ?? '').replace('−', '-'));

test('the key left of 1 shows and hides the channels of the clip with their values at the playhead', async ({
  page,
  studio,
  problems,
}) => {
  await showPlots(page);
  const height = await column(studio.address, 'root.pos.z');
  const row = page.getByRole('group', { name: 'Root position' }).locator('b');
  expect(figure(await row.textContent())).toBeCloseTo(height[40]!, 2);
  await post(studio.address, '/api/data/frame', { frame: 75 });
  await expect.poll(async () => Math.abs(figure(await row.textContent()) - height[75]!)).toBeLessThan(1e-3);
  await page.keyboard.press('`');
  await expect(page.locator('.chart-plot')).toHaveCount(0);
  await expect(page.getByRole('slider', { name: 'Timeline' })).toBeVisible();
  expect(problems).toEqual([]);
});

test('charts are drawn before the torques arrive, which are then added to the channels', async ({ page, problems }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/plots\/clip\?.*group=torques/, async (route) => {
    await held;
    await route.continue();
  });
  await showPlots(page);
  const torques = page.getByRole('region', { name: 'Channels' }).getByRole('button', { name: /Torques/ });
  await expect(page.getByRole('region', { name: 'Channels' }).getByRole('button', { name: /Joints/ })).toBeVisible();
  await expect(torques).toHaveCount(0);
  const spinner = page.getByRole('status', { name: 'Loading the plots' });
  await expect(spinner).toBeVisible();
  release();
  await expect(torques).toBeVisible();
  await expect(spinner).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('dragging the playhead moves the frame, and the frame moves the playhead', async ({ page, studio }) => {
  const plot = await showPlots(page);
  const box = (await page.locator('.plots-cursor-box').boundingBox())!;
  const { frames } = await get<Preview>(studio.address, '/api/data/preview');
  const y = (await plot.boundingBox())!.y + 20;
  await page.mouse.move(box.x + 0.2 * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.5 * box.width, y, { steps: 5 });
  await page.mouse.move(box.x + 0.8 * box.width, y, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => frameNow(studio.address)).toBe(Math.round(0.8 * (frames - 1)));
  expect(await cursorShare(page)).toBeCloseTo(0.8, 1);
  await post(studio.address, '/api/data/frame', { frame: Math.round(0.25 * (frames - 1)) });
  await expect.poll(() => cursorShare(page)).toBeCloseTo(0.25, 1);
});

test('the wheel zooms time around the pointer, Shift pans, a double click shows the whole clip', async ({ page }) => {
  const plot = await showPlots(page);
  const span = page.locator('.plots-span');
  const whole = await span.textContent();
  const box = (await plot.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  for (let k = 0; k < 6; k++) await page.mouse.wheel(0, -120);
  await expect(span).not.toHaveText(whole!);
  const zoomed = await span.textContent();
  const thumb = page.getByRole('slider', { name: 'Shown time range' });
  const before = Number(await thumb.getAttribute('aria-valuenow'));
  expect(before).toBeGreaterThan(0);
  await page.keyboard.down('Shift');
  await page.mouse.wheel(0, 400);
  await page.keyboard.up('Shift');
  await expect(span).not.toHaveText(zoomed!);
  expect(Number(await thumb.getAttribute('aria-valuenow'))).toBeGreaterThan(before);
  await plot.dblclick();
  await expect(span).toHaveText(whole!);
});

test('V and the wheel zoom the values of one chart', async ({ page }) => {
  const plot = await showPlots(page);
  const picture = () => plot.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  const others = page.locator('.chart-plot').nth(1).locator('canvas');
  const other = await others.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  const [before, span] = [await picture(), await page.locator('.plots-span').textContent()];
  await plot.hover();
  await page.keyboard.down('v');
  await page.mouse.wheel(0, -500);
  await page.keyboard.up('v');
  await expect.poll(picture).not.toBe(before);
  expect(await page.locator('.plots-span').textContent()).toBe(span);
  expect(await others.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())).toBe(other);
});

test('selected channels are shown as charts and stored per robot; solo shows only one', async ({ page, studio }) => {
  await showPlots(page);
  await page.getByRole('searchbox', { name: 'Search channels' }).fill('knee torq');
  await page.locator('.channels').getByRole('checkbox').first().check();
  await expect(page.getByRole('group', { name: /torque/ })).toHaveCount(1);
  const charts = await page.locator('.chart').count();
  await page.reload();
  await expect.poll(() => page.evaluate(() => document.querySelectorAll('.rail-btn').length)).toBeGreaterThan(0);
  await post(studio.address, '/api/data/frame', { frame: 41 });
  await page.getByRole('button', { name: 'Data', exact: true }).click();
  await showPlots(page);
  await expect(page.locator('.chart')).toHaveCount(charts);
  const row = page.locator('.channel', { hasText: 'Position z' });
  await row.hover();
  await row.getByRole('button').click();
  await expect(page.locator('.chart')).toHaveCount(1);
});

test('values are saved as CSV, charts as a picture', async ({ page, studio }) => {
  await showPlots(page);
  const save = async (item: string) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const started = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: item }).click();
    const download = await started;
    return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
  };
  const csv = await save('CSV of the whole clip');
  expect(csv.name).toBe('walk_forward.csv');
  const lines = csv.content.toString().trim().split('\n');
  const height = await column(studio.address, 'root.pos.z');
  const at = lines[0]!.split(',').indexOf('root.pos.z');
  expect(lines).toHaveLength(height.length + 1);
  for (const frame of [0, 33, height.length - 1])
    expect(Math.fround(Number(lines[frame + 1]!.split(',')[at]))).toBe(height[frame]);
  const png = await save('PNG of the charts');
  expect(png.name).toBe('walk_forward.png');
  expect(png.content.subarray(1, 4).toString()).toBe('PNG');
  expect(png.content.readUInt32BE(16)).toBeGreaterThan(400);
});

test('the table has the values of every frame, and a click on a row shows its frame', async ({ page, studio }) => {
  await showPlots(page);
  await page.getByRole('button', { name: 'Values as a table' }).click();
  const height = await column(studio.address, 'root.pos.z');
  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: '42', exact: true }) });
  expect(figure(await row.getByRole('cell').nth(1).textContent())).toBeCloseTo(height[42]!, 3);
  await row.getByRole('button').click();
  await expect.poll(() => frameNow(studio.address)).toBe(42);
  await expect(row).toHaveClass('on');
});

test('plots in their own window follow the same playhead and move it', async ({ page, studio }) => {
  await page.goto(`${studio.address}/?view=plots`);
  await expect(page.locator('.chart-plot canvas').first()).toBeVisible();
  await expect(page.locator('.rail')).toHaveCount(0);
  const { frames } = await get<Preview>(studio.address, '/api/data/preview');
  await post(studio.address, '/api/data/frame', { frame: frames - 1 });
  await expect.poll(() => cursorShare(page)).toBeCloseTo(1, 2);
  await page.keyboard.press('Home');
  await expect.poll(() => frameNow(studio.address)).toBe(0);
  await expect(page).toHaveTitle(/Plots/);
});

/** A walker's clip of 200 rows; the left knee exceeds its limit of 2 rad in rows 100 to 119. */
function bentKnee(): string {
  const rows = Array.from({ length: 200 }, (_, k) => {
    const bend = k >= 100 && k < 120 ? 2.4 + 0.01 * Math.sin(k) : 0.4 + 0.2 * Math.sin(k / 8);
    return [0.002 * k, 0, 0.62, 0, 0, 0, 1, 0.1 * Math.sin(k / 8), bend, 0, 0.3 + 0.1 * Math.sin(k / 9)].join(',');
  });
  return `${rows.join('\n')}\n`;
}

test('a click on an issue plots its channels around its frames; its chip restores the selected channels', async ({
  page,
  studio,
}) => {
  const folder = path.join(studio.workspace, 'data/walker/bent');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'knee.csv'), bentKnee());
  await post(studio.address, '/api/robot/select', { name: 'walker' });
  await expect
    .poll(() =>
      post(studio.address, '/api/data/load', { dataset: 'bent', clip: 'knee' }).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await post(studio.address, '/api/data/playing', { playing: false });
  await showPlots(page);
  const charts = await page.locator('.chart h3').allTextContents();
  const whole = await page.locator('.plots-span').textContent();
  const row = page.locator('.issue-main', { hasText: 'Joint limit' });
  await row.click();
  await expect(page.locator('.issue-chip')).toContainText('Joint limit');
  const knee = page.getByRole('group', { name: 'Knee', exact: true });
  await expect(knee.locator('.chart-notes')).toContainText('limit 0 … 2');
  await expect(page.locator('.chart')).toHaveCount(1);
  await expect(page.locator('.issue-badge')).toContainText('Joint limit');
  expect(await page.locator('.plots-span').textContent()).not.toBe(whole);
  const frame = await frameNow(studio.address);
  expect(frame).toBeGreaterThanOrEqual(100);
  expect(frame).toBeLessThan(120);
  await expect.poll(async () => figure(await knee.locator('b').first().textContent())).toBeGreaterThan(2);
  await page.getByRole('button', { name: 'Back to the chosen channels' }).click();
  await expect(page.locator('.chart h3')).toHaveText(charts);
});

test('opening another clip plots it; closing the clip empties the plots', async ({ page, studio }) => {
  await showPlots(page);
  await post(studio.address, '/api/data/load', { dataset: 'samples', clip: 'squat' });
  await expect(page.locator('.plots-bar h3')).toHaveText('squat');
  await expect(page.locator('.chart-plot canvas').first()).toBeVisible();
  await post(studio.address, '/api/data/close', {});
  await expect(page.locator('.plots-main').getByText('No clip open')).toBeVisible();
});

test('a phone shows one chart in a tab of its sheet', async ({ page, studio }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, `${studio.address}/#/data`);
  await page.getByRole('tab', { name: 'Plots' }).click();
  await expect(page.locator('.chart-plot canvas')).toHaveCount(1);
  await page.getByLabel('Chart', { exact: true }).selectOption({ index: 1 });
  await expect(page.getByRole('group', { name: 'Knee' })).toBeVisible();
});

for (const theme of ['dark', 'light'] as const) {
  test(`plots, ${theme}: no accessibility findings and no overflow at any size`, async ({ page, studio }, info) => {
    test.slow();
    await page.emulateMedia({ colorScheme: theme });
    for (const [width, height] of [
      [1440, 900],
      [1280, 720],
      [1024, 768],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto('about:blank'); // otherwise only the fragment of the URL would change, without a reload
      await open(page, `${studio.address}/#/data`);
      if (width < 700) await page.getByRole('tab', { name: 'Plots' }).click();
      else await page.keyboard.press('`');
      await expect(page.locator('.chart-plot canvas').first()).toBeVisible();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, `${width}×${height}`).toBeLessThanOrEqual(0);
      await page.screenshot({ path: info.outputPath(`plots-${theme}-${width}.png`) });
      await page.evaluate(AXE);
      const found = await page.evaluate(async () => {
        const { axe } = window as unknown as {
          axe: { run(part: string): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }> };
        };
        return (await axe.run(':is(.dock, .sheet)')).violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`,
        );
      });
      expect(found, `${width}×${height}`).toEqual([]);
    }
  });
}
