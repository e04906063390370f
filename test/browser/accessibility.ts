import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }>;
}

/** @returns what axe reports about the page as it is, and elements that overflow it horizontally */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(AXE); // as a script tag the page's content security policy would refuse it
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: Axe }).axe.run();
    const over = document.documentElement.scrollWidth - window.innerWidth;
    return [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`),
      ...(over > 0 ? [`${over} px stick out sideways`] : []),
    ];
  });
}
