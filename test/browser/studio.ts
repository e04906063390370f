import { test as base, expect, type Page, type TestInfo } from '@playwright/test';
import { TestStudio } from '../support/test-studio.ts';
import { addWalker } from '../support/workspace.ts';

/** The page's own measurements, `window.motionStudio.stats`. */
export interface PageStats {
  readonly decoded: number;
  readonly skipped: number;
  readonly drawn: number;
  readonly fps: number;
  readonly scriptMs: number;
  readonly drawCalls: number;
  readonly scale: number;
}

/** The part of a studio that the helpers of the specs need. */
export type Studio = Pick<TestStudio, 'workspace' | 'address'>;

interface Fixtures {
  /** The service of the test file, with the built-in robot and the walker. */
  readonly studio: TestStudio;
  /** An empty studio for this test only. Its services end with the test. */
  readonly ownStudio: TestStudio;
  /** Errors in the page's console and scripts. */
  readonly problems: string[];
}

interface WorkerFixtures {
  /** Returns the service of a test file. Stops the service of the previous file and removes its workspace. */
  readonly studioOf: (file: string) => Promise<TestStudio>;
}

/** Each test file has its own service and workspace, so that files do not share clips, runs and jobs. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  studioOf: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to see which fixtures are used
    async ({}, use) => {
      let current: string | null = null;
      const studio = new TestStudio();
      await use(async (file) => {
        if (current === file) return studio;
        await studio.close();
        addWalker(studio.workspace);
        await studio.start();
        current = file;
        return studio;
      });
      await studio.close();
    },
    { scope: 'worker' },
  ],
  studio: async ({ studioOf }, use, testInfo) => {
    const studio = await studioOf(testInfo.file);
    await use(studio);
    await attachLog(studio, testInfo);
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to see which fixtures are used
  ownStudio: async ({}, use, testInfo) => {
    const studio = new TestStudio();
    await use(studio);
    await attachLog(studio, testInfo);
    await studio.close();
  },
  problems: async ({ page }, use) => {
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await use(problems);
  },
});

async function attachLog(studio: TestStudio, testInfo: TestInfo): Promise<void> {
  if (testInfo.status !== testInfo.expectedStatus && studio.log !== '')
    await testInfo.attach('log of the services', { body: studio.log, contentType: 'text/plain' });
}

export { expect };

/** @returns the measurements; null before the page's script runs */
async function statsOf(page: Page): Promise<PageStats | null> {
  return page.evaluate(() => {
    const studio = (window as unknown as { motionStudio?: { stats: PageStats } }).motionStudio;
    return studio ? { ...studio.stats } : null;
  });
}

export async function stats(page: Page): Promise<PageStats> {
  const found = await statsOf(page);
  if (!found) throw new Error('the page has no measurements: its script does not run');
  return found;
}

/** Opens the page and waits until the first frame has been decoded. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect.poll(async () => (await statsOf(page))?.decoded ?? 0).toBeGreaterThan(0);
}

export async function post(address: string, path: string, body: object): Promise<void> {
  const response = await fetch(address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'wait=20' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}
