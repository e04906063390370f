import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }>;
}

/** @returns the violations that axe finds on the current page, and elements that overflow it horizontally */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(AXE); // the page's content security policy refuses axe as a script tag
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: Axe }).axe.run();
    const over = document.documentElement.scrollWidth - window.innerWidth;
    return [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`),
      ...(over > 0 ? [`${over} px stick out sideways`] : []),
    ];
  });
}
