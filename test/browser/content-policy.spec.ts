import type { Page } from '@playwright/test';
import { expect, open, post, stats, test } from './studio.ts';

interface Violation {
  readonly directive: string;
  readonly blocked: string;
}

/** Records violations of the content security policy in the documents that `page` opens, and in its popups. */
async function watchViolations(page: Page): Promise<Violation[]> {
  const violations: Violation[] = [];
  await page.context().exposeFunction('noteViolation', (violation: Violation) => violations.push(violation));
  await page.context().addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      (window as unknown as { noteViolation(violation: object): void }).noteViolation({
        directive: effectiveDirective,
        blocked: blockedURI,
      });
    });
  });
  return violations;
}

test('no area of the page violates its content security policy', async ({ page, studio }) => {
  const violations = await watchViolations(page);
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await post(studio.address, '/api/data/load', { dataset: 'samples', clip: 'walk_forward' });
  await open(page, studio.address);
  await expect.poll(async () => (await stats(page)).drawn, { timeout: 30_000 }).toBeGreaterThan(0);
  for (const area of ['Robots', 'Data', 'Tasks', 'Train', 'Runs', 'Play', 'Status']) {
    await page.getByRole('button', { name: area, exact: true }).first().click();
    await expect(page.getByRole('heading').first()).toBeVisible();
  }
  for (const place of ['/?view=plots', '/#/runs', '/api/docs', '/docs/']) {
    await page.goto(studio.address + place);
    await expect(page.locator('body')).not.toBeEmpty();
    await page.waitForLoadState('networkidle');
  }
  expect(violations).toEqual([]);
});

test('an injected script cannot send data to another address', async ({ page, studio }) => {
  const violations = await watchViolations(page);
  await open(page, studio.address);
  await page.evaluate(async () => {
    new WebSocket('ws://127.0.0.1:9/');
    await fetch('http://127.0.0.1:9/').catch(() => {});
    const base = document.createElement('base');
    base.href = 'http://127.0.0.1:9/';
    document.head.append(base);
    const form = document.createElement('form');
    form.action = 'http://127.0.0.1:9/';
    document.body.append(form);
    form.submit();
    const plugin = document.createElement('object');
    plugin.data = 'http://127.0.0.1:9/';
    document.body.append(plugin);
  });
  const refused = () => [...new Set(violations.map(({ directive }) => directive))].sort();
  await expect.poll(refused).toEqual(['base-uri', 'connect-src', 'form-action', 'object-src']);
  expect(violations.filter(({ directive }) => directive === 'connect-src')).toHaveLength(2);
});
