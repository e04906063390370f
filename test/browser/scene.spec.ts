import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { addSmallRun } from '../support/small-run.ts';
import { findings } from './accessibility.ts';
import { expect, open, post, type Studio, stats, test } from './studio.ts';

const RUN = 'small/zero';

/** Converts the clips of the built-in robot, and adds a run of a network with zero weights. */
async function prepare({ address, workspace }: Studio): Promise<void> {
  const runs = path.join(workspace, 'logs/rsl_rl');
  if (!existsSync(path.join(runs, RUN))) addSmallRun(runs, 21);
  await post(address, '/api/robot/select', { name: 'humanoid' });
  const datasets = async () => {
    const reply = await fetch(`${address}/api/data/datasets`);
    return ((await reply.json()) as { datasets: { name: string; missing: number }[] }).datasets;
  };
  if ((await datasets()).every(({ missing }) => missing === 0)) return;
  await post(address, '/api/data/convert', { dataset: 'samples' });
  await expect
    .poll(async () => (await datasets()).every(({ missing }) => missing === 0), { timeout: 50_000 })
    .toBe(true);
}

async function play(page: Page, { address }: Studio, robots: number, options: object = {}): Promise<void> {
  await post(address, '/api/play/configure', { run: RUN, motion: 'data/humanoid/samples', num_envs: robots });
  await post(address, '/api/play/options', { ghost: 'overlay', ...options });
  await post(address, '/api/play/playing', { playing: false });
  await open(page, `${address}/#/play`);
  await expect(page.locator('.env-tile')).toHaveCount(robots);
}

test.describe('several robots', () => {
  test.beforeEach(async ({ studio }) => {
    test.slow(); // on a loaded machine, the first test waits for the conversion
    await prepare(studio);
  });
  test.afterEach(async ({ studio }) => post(studio.address, '/api/play/stop', {}));

  test('the draw calls of 64 robots and their ghosts do not grow with the robots', async ({
    page,
    studio,
    problems,
  }) => {
    await play(page, studio, 64);
    await expect.poll(async () => (await stats(page)).scale, { timeout: 30_000 }).toBeGreaterThanOrEqual(1);
    // the robots are in the picture
    await expect.poll(async () => (await stats(page)).drawCalls, { timeout: 30_000 }).toBeGreaterThan(10);
    expect((await stats(page)).drawCalls).toBeLessThan(32); // half a call for each robot
    expect(problems).toEqual([]);
  });

  test('a scene of nine robots shows all of them with their names', async ({ page, studio }) => {
    await play(page, studio, 9);
    const scene = (await page.locator('.scene-host').boundingBox())!;
    const inside = async () => {
      const robots = await page.locator('.env-tag').evaluateAll((tags) =>
        tags.map((tag) => {
          const box = tag.getBoundingClientRect();
          const style = getComputedStyle(tag);
          // the tag stays in the picture; its line points at the robot
          const aside = Number.parseFloat(style.getPropertyValue('--aside'));
          return { x: box.x + box.width / 2 + aside, y: box.y + box.height };
        }),
      );
      return robots.filter(
        ({ x, y }) => x > scene.x && x < scene.x + scene.width && y > scene.y && y < scene.y + scene.height,
      ).length;
    };
    await expect.poll(inside, { timeout: 30_000 }).toBe(9);
  });
});

test('a scene without motion is drawn at full resolution', async ({ page, studio }) => {
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await open(page, studio.address);
  await expect.poll(async () => (await stats(page)).scale, { timeout: 30_000 }).toBeGreaterThanOrEqual(1);
});

test('a link to a clip opens it while a session plays', async ({ page, studio }) => {
  await prepare(studio);
  await post(studio.address, '/api/data/load', { dataset: 'samples', clip: 'walk_forward' });
  await post(studio.address, '/api/play/configure', { run: RUN, motion: 'data/humanoid/samples', num_envs: 1 });
  await open(page, `${studio.address}/#/data/samples/walk_forward?robot=humanoid&frame=12`);
  await expect(page.locator('.top')).toContainText('Data');
  await expect(page.getByLabel('Frame', { exact: true })).toHaveValue('12');
  await post(studio.address, '/api/play/stop', {});
});

test('a link to a frame goes to the frame although no clip was open', async ({ page, studio }) => {
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  // The reply with the opened clip arrives after the end of the load, and so may the event with it.
  await page.route('**/api/data/preview', async (route) => {
    const reply = await route.fetch();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.fulfill({ response: reply });
  });
  await post(studio.address, '/api/data/load', { dataset: 'samples', clip: 'walk_forward' });
  await post(studio.address, '/api/data/close', {});
  await open(page, `${studio.address}/#/data/samples/walk_forward?robot=humanoid&frame=12`);
  await expect(page.getByLabel('Frame', { exact: true })).toHaveValue('12');
  await page.unrouteAll({ behavior: 'ignoreErrors' }); // later replies may still be delayed
});

test('Play says that the scene shows something else, and a button returns to the session', async ({ page, studio }) => {
  await prepare(studio);
  await post(studio.address, '/api/play/configure', { run: RUN, motion: 'data/humanoid/samples', num_envs: 1 });
  await post(studio.address, '/api/data/load', { dataset: 'samples', clip: 'walk_forward' });
  await open(page, `${studio.address}/#/play`);
  const panel = page.getByRole('region', { name: 'What is played' });
  await expect(panel.getByText('The scene shows Data.')).toBeVisible();
  await panel.getByRole('button', { name: 'Resume session' }).click();
  await expect(panel.getByText('The scene shows Data.')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await post(studio.address, '/api/play/stop', {});
});

test('the first Tab reaches a link that skips the navigation of the page', async ({ page, studio }) => {
  await open(page, `${studio.address}/#/data`);
  await expect(page.getByRole('heading', { name: 'Data' }).first()).toBeVisible();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Skip to data' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Data', exact: true })).toBeFocused();
});

test('the question mark of a technical term explains it, by keyboard', async ({ page, studio }) => {
  await prepare(studio);
  await open(page, `${studio.address}/#/play`);
  const mark = page.getByRole('button', { name: 'What is this: Motion library' });
  await mark.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('note')).toContainText('The converted clips that a training or a session uses.');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('note')).toHaveCount(0);
});

test('the palette finds every named object and every action; palette and help have no accessibility findings', async ({
  page,
  studio,
}) => {
  await prepare(studio);
  await open(page, `${studio.address}/#/robots`);
  await expect(page.getByRole('heading', { name: 'Robots' }).first()).toBeVisible();
  const field = page.getByRole('combobox', { name: 'Search or run a command' });
  const results = page.getByRole('listbox', { name: 'Results' });
  await page.keyboard.press('Control+k');
  for (const [typed, row] of [
    ['zero', 'zero Run'],
    ['wbc-humanoid', 'Wbc-Humanoid Task'],
    ['squat', 'squat Clip, samples'],
    ['samples', 'samples Dataset'],
    ['walker', 'Walker Robot'],
    ['export', 'Export zero Command'],
    ['new module', 'New module Command'],
  ] as const) {
    await field.fill(typed);
    await expect(results.getByRole('option', { name: row }).first(), typed).toBeVisible();
  }
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByText(/^Glossary/).click();
  await expect(page.getByText('Key body', { exact: true })).toBeVisible();
  expect(await findings(page)).toEqual([]);
});
