import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { decode } from 'modern-gif';
import { findings } from './accessibility.ts';
import { expect, open, post, stats, test } from './studio.ts';

/** Clicks a button that saves a file. @returns the file */
async function saved(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** Size of a PNG, and the opacity of its first and its middle px, 0..255. */
async function pictureFacts(page: Page, png: Buffer) {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = picture;
    const context = new OffscreenCanvas(width, height).getContext('2d')!;
    context.drawImage(picture, 0, 0);
    const alphas = context.getImageData(0, 0, width, height).data.filter((_, k) => k % 4 === 3);
    return { width, height, corner: alphas[0]!, opaque: alphas.filter((alpha) => alpha === 255).length };
  }, png.toString('base64'));
}

test('the scene is saved as a picture, as a video with its duration, and as a GIF', async ({
  page,
  studio,
  problems,
}) => {
  test.slow();
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await post(studio.address, '/api/data/load', { dataset: 'samples', clip: 'walk_forward' });
  await open(page, `${studio.address}/#/data`);
  await expect.poll(async () => (await stats(page)).drawn, { timeout: 30_000 }).toBeGreaterThan(0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('s');
  const panel = page.getByRole('region', { name: 'Save the scene' });
  await expect(panel).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await panel.getByLabel('Size').selectOption('640');

  const plain = await saved(page, 'Save PNG');
  expect(plain.name).toMatch(/^humanoid-\d{8}-\d{6}\.png$/);
  expect(await pictureFacts(page, plain.bytes)).toEqual({ width: 640, height: 360, corner: 255, opaque: 640 * 360 });
  await panel.getByRole('switch', { name: 'Transparent background' }).check();
  const clear = await pictureFacts(page, (await saved(page, 'Save PNG')).bytes);
  expect(clear.corner).toBe(0);
  expect(clear.opaque).toBeGreaterThan(200); // the robot
  expect(clear.opaque).toBeLessThan((640 * 360) / 2);

  await panel.getByRole('button', { name: 'Video', exact: true }).click();
  await panel.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(panel.getByText('0:01')).toBeVisible({ timeout: 30_000 });
  const video = await saved(page, 'Stop');
  expect(video.name).toMatch(/\.webm$/);
  const elsewhere = await page.context().newPage(); // the policy of the studio's page refuses to play blobs
  const length = await elsewhere.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const element = document.createElement('video');
    element.src = URL.createObjectURL(new Blob([bytes], { type: 'video/webm' }));
    await new Promise((resolve, reject) => {
      element.onloadedmetadata = resolve;
      element.onerror = () => reject(new Error('the video cannot be played'));
    });
    return { seconds: element.duration, width: element.videoWidth, height: element.videoHeight };
  }, video.bytes.toString('base64'));
  await elsewhere.close();
  expect(length).toMatchObject({ width: 640, height: 360 });
  expect(length.seconds).toBeGreaterThan(0.9);
  expect(length.seconds).toBeLessThan(60);

  await panel.getByRole('button', { name: 'GIF', exact: true }).click();
  await panel.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(panel.getByText('0:01')).toBeVisible({ timeout: 30_000 });
  const { name, bytes } = await saved(page, 'Stop');
  expect(name).toMatch(/\.gif$/);
  const gif = decode(Uint8Array.from(bytes));
  expect(gif).toMatchObject({ version: '89a', width: 640, height: 360, looped: true });
  expect(gif.frames.length).toBeGreaterThan(3);
  expect(gif.frames[0]).toMatchObject({ delay: 80 });
  expect(problems).toEqual([]);
});

test('the font Inter loads with the page, and the first scene loads at most 350 kB', async ({ page, studio }) => {
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await open(page, studio.address);
  await expect.poll(async () => (await stats(page)).drawn, { timeout: 30_000 }).toBeGreaterThan(0);
  const face = await page.evaluate(() => [...document.fonts].map(({ family, status }) => `${family} ${status}`));
  expect(face).toEqual(['Inter loaded']);
  const loaded = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.includes('/assets/'))
      .map(({ name, encodedBodySize }) => ({ name: name.split('/').pop()!, kB: encodedBodySize / 1000 })),
  );
  expect(loaded.some(({ name }) => name.startsWith('scene.worker'))).toBe(true);
  expect(loaded.reduce((sum, { kB }) => sum + kB, 0)).toBeLessThan(350);
});
