import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { expect, open, post, stats, test } from './studio.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SIZES = [
  [1440, 900],
  [1280, 720],
  [1024, 768],
  [390, 844],
] as const;

async function show(page: Page, address: string, area: string): Promise<void> {
  await open(page, address);
  await page.getByRole('button', { name: area, exact: true }).first().click();
  await expect.poll(async () => (await stats(page)).drawn, { timeout: 30_000 }).toBeGreaterThan(0);
}

for (const theme of ['dark', 'light'] as const) {
  for (const area of ['Robots', 'Data', 'Status'] as const) {
    test(`${area}, ${theme}: no accessibility findings and no overflow at any size`, async ({ page, studio }, info) => {
      await page.emulateMedia({ colorScheme: theme });
      await post(studio.address, '/api/robot/select', { name: 'humanoid' });
      await post(studio.address, '/api/data/load', { dataset: 'samples', clip: 'walk_forward' });
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await show(page, studio.address, area);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow, `${width}×${height}`).toBeLessThanOrEqual(0);
        await page.screenshot({ path: info.outputPath(`${area}-${theme}-${width}.png`) });
        await page.evaluate(AXE); // the page's content security policy refuses axe as a script tag
        const found = await page.evaluate(async () => {
          const axe = (
            window as unknown as {
              axe: { run(): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }> };
            }
          ).axe;
          return (await axe.run()).violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`,
          );
        });
        expect(found, `${width}×${height}`).toEqual([]);
      }
    });
  }
}
