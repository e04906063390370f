import type { Page } from '@playwright/test';
import { addPainted } from '../support/painted-robot.ts';
import { expect, open, post, test } from './studio.ts';

/** Counts the pixels of a screenshot that are magenta in any light: red and blue are much greater than green. */
async function magenta(page: Page): Promise<number> {
  const bytes = [...(await page.screenshot())];
  return page.evaluate(async (content) => {
    const picture = await createImageBitmap(new Blob([Uint8Array.from(content)]));
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!;
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (data[at]! > 60 && data[at + 2]! > 60 && data[at + 1]! < 0.5 * Math.min(data[at]!, data[at + 2]!)) count++;
    }
    return count;
  }, bytes);
}

test('a texture is drawn on the robot', async ({ page, studio, problems }) => {
  const { address } = studio;
  await open(page, address);
  const before = await magenta(page);
  addPainted(studio.workspace);
  await expect.poll(async () => (await fetch(`${address}/api/robots`)).text()).toContain('"painted"');
  await post(address, '/api/robot/select', { name: 'painted' });
  await expect.poll(() => magenta(page), { timeout: 20_000 }).toBeGreaterThan(before + 500);
  expect(problems).toEqual([]);
});
