import { rmSync } from 'node:fs';
import { test as base, expect, type Page } from '@playwright/test';
import { type ServiceProcess, spawnService } from '../support/service-process.ts';
import { addWalker, newWorkspace } from '../support/workspace.ts';

/** What `window.motionStudio.stats` tells. */
export interface PageStats {
  readonly decoded: number;
  readonly skipped: number;
  readonly drawn: number;
  readonly fps: number;
  readonly scriptMs: number;
}

export interface Studio {
  readonly workspace: string;
  service: ServiceProcess;
  address: string;
}

interface Fixtures {
  /** The service of the test's file, with the built-in robot and the tests' walker. */
  readonly studio: Studio;
  /** An empty workspace, removed afterwards. */
  readonly emptyWorkspace: string;
  /** Starts a service that does not outlive the test. @param args as of `spawnService` */
  readonly start: (args: readonly string[]) => ServiceProcess;
  readonly problems: string[];
}

interface WorkerFixtures {
  /** Returns the service of a test file. The service of the file before it is stopped and its workspace removed. */
  readonly studioOf: (file: string) => Promise<Studio>;
}

async function startStudio(): Promise<Studio> {
  const workspace = newWorkspace();
  addWalker(workspace);
  const service = spawnService(['--workspace', workspace]);
  return { workspace, service, address: await service.ready };
}

async function stopStudio({ service, workspace }: Studio): Promise<void> {
  service.child.kill('SIGTERM');
  await service.exit;
  rmSync(workspace, { recursive: true });
}

/** Each test file has a service and a workspace of its own: clips, runs and jobs of one file never meet another file. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  studioOf: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants to see which fixtures are used
    async ({}, use) => {
      let current: { readonly file: string; readonly studio: Studio } | null = null;
      await use(async (file) => {
        if (current?.file === file) return current.studio;
        if (current !== null) await stopStudio(current.studio);
        current = { file, studio: await startStudio() };
        return current.studio;
      });
      if (current !== null) await stopStudio((current as { readonly studio: Studio }).studio);
    },
    { scope: 'worker' },
  ],
  studio: async ({ studioOf }, use, { file }) => use(await studioOf(file)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants to see which fixtures are used
  emptyWorkspace: async ({}, use) => {
    const workspace = newWorkspace();
    await use(workspace);
    rmSync(workspace, { recursive: true });
  },
  // After the workspace in order, so that services are gone before their workspace is.
  start: async ({ emptyWorkspace: _ }, use) => {
    const started: ServiceProcess[] = [];
    await use((args) => {
      const service = spawnService(args);
      started.push(service);
      return service;
    });
    for (const service of started) {
      service.child.kill('SIGTERM');
      await service.exit;
    }
  },
  /** What the page's console and scripts complained of. */
  problems: async ({ page }, use) => {
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await use(problems);
  },
});

export { expect };

/** The page's figures; null until its script runs. */
async function statsOf(page: Page): Promise<PageStats | null> {
  return page.evaluate(() => {
    const studio = (window as unknown as { motionStudio?: { stats: PageStats } }).motionStudio;
    return studio ? { ...studio.stats } : null;
  });
}

export async function stats(page: Page): Promise<PageStats> {
  const found = await statsOf(page);
  if (!found) throw new Error('the page has no figures: its script does not run');
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
