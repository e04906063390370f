import { existsSync } from 'node:fs';
import path from 'node:path';
import type { PlaySession } from '../../src/protocol/schemas/play.ts';
import { addSmallRun } from '../support/small-run.ts';
import { findings } from './accessibility.ts';
import { expect, open, post, type Studio, test } from './studio.ts';

const STILL = 'small/still';
const FALLS = 'small/falls';
const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;

const get = async <T>(address: string, at: string) => (await (await fetch(address + at)).json()) as T;

async function sessionOf(address: string): Promise<PlaySession | null> {
  return (await get<{ session: PlaySession | null }>(address, '/api/play')).session;
}

async function missing(address: string): Promise<number | undefined> {
  const { datasets } = await get<{ datasets: { name: string; missing: number }[] }>(address, '/api/data/datasets');
  return datasets.find(({ name }) => name === 'samples')?.missing;
}

/** Converts the clips of the built-in robot, and adds a run that holds a pose and one that falls. */
async function prepare({ address, workspace }: Studio): Promise<void> {
  const folder = path.join(workspace, 'logs/rsl_rl');
  if (!existsSync(path.join(folder, STILL))) {
    addSmallRun(folder, 21, STILL);
    addSmallRun(folder, 21, FALLS, { action: 4 });
  }
  await post(address, '/api/robot/select', { name: 'humanoid' });
  if ((await missing(address)) === 0) return;
  await post(address, '/api/data/convert', { dataset: 'samples' });
  await expect.poll(() => missing(address), { timeout: 50_000 }).toBe(0);
}

async function compare(address: string, layout: 'beside' | 'overlay'): Promise<void> {
  const entries = [{ run: STILL }, { run: FALLS }, { run: STILL, checkpoint: '' }];
  await post(address, '/api/play/compare', { entries, clip: 'squat', layout });
  await expect.poll(async () => (await sessionOf(address))?.compare?.entries[0]?.errors ?? null).not.toBeNull();
}

test.beforeEach(async ({ studio }) => {
  test.slow(); // on a loaded machine, the first test waits for the conversion
  await prepare(studio);
});
test.afterEach(async ({ studio }) => post(studio.address, '/api/play/stop', {}));

test('two policies chosen in a dialog play in lock step, and the table shows falls and differences', async ({
  page,
  studio,
  problems,
}) => {
  const { address } = studio;
  await post(address, '/api/play/configure', { run: STILL });
  await expect.poll(async () => (await sessionOf(address))?.state).toBe('running');
  await open(page, `${address}/#play`);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare policies' });
  await expect(dialog.getByLabel('Run 1', { exact: true })).toHaveValue(STILL);
  await expect(dialog.getByLabel('Checkpoint 2', { exact: true })).toHaveValue('');
  await dialog.getByRole('button', { name: 'Add policy' }).click();
  await dialog.getByLabel('Run 3', { exact: true }).selectOption(FALLS);
  await dialog.getByLabel('Clip', { exact: true }).selectOption('squat');
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
  const table = page.getByRole('table', { name: /Policies in lock step/ });
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(dialog).toBeHidden();
  const falls = table.getByRole('row', { name: /falls/ });
  await expect(falls.getByRole('cell').nth(0)).toHaveText(/^[1-9]\d*\/\d+$/);
  const [fallen = 0, ended = 0] = ((await falls.getByRole('cell').nth(0).textContent()) ?? '').split('/').map(Number);
  expect(fallen).toBeLessThanOrEqual(ended); // a robot that is down has ended its episode, too
  await expect(falls.getByRole('cell').nth(2)).toHaveText(/^[+−]?\d\.\d{3}$/);
  expect((await sessionOf(address))?.pins).toEqual([0, 1, 2].map((env) => ({ env, clip: 'squat' })));
  expect(problems).toEqual([]);
});

test('a click in the table selects an environment; the layout changes without a restart; End keeps the first policy playing', async ({
  page,
  studio,
}) => {
  const { address } = studio;
  await compare(address, 'beside');
  await open(page, `${address}/#play`);
  const before = (await sessionOf(address))!;
  await page.getByRole('button', { name: /^falls/ }).click();
  await expect.poll(async () => (await sessionOf(address))?.focus).toBe(1);
  await expect(page.getByRole('button', { name: /^falls/ })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('group', { name: 'Layout' }).getByText('Overlay').click();
  await expect.poll(async () => (await sessionOf(address))?.compare?.layout).toBe('overlay');
  const after = (await sessionOf(address))!;
  expect(after.id).toBe(before.id);
  expect(after.sim_time).toBeGreaterThanOrEqual(before.sim_time);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await expect.poll(async () => (await sessionOf(address))?.compare).toBeNull();
  expect(await sessionOf(address)).toMatchObject({ run: STILL, num_envs: 1 });
  await expect(page.getByLabel('Run', { exact: true })).toHaveValue(STILL);
});

test('robots are named in the scene, and one chart shows a line for each with a legend', async ({ page, studio }) => {
  const { address } = studio;
  await compare(address, 'beside');
  await open(page, `${address}/#play`);
  await expect(page.locator('.env-tag:visible')).toHaveCount(3);
  await expect(page.locator('.env-tag .dot-c2')).toHaveCount(1);
  await page.keyboard.press('`');
  const chart = page.locator('.chart-box').first();
  await expect(chart.getByRole('button', { name: /^still/ })).toHaveCount(2);
  await chart.getByRole('button', { name: /^falls/ }).click();
  await expect.poll(async () => (await sessionOf(address))?.focus).toBe(1);
  // The tree lists the channels once.
  await expect(page.getByRole('checkbox', { name: 'Position z' })).toHaveCount(1);
});

for (const theme of ['dark', 'light'] as const) {
  test(`a comparison has no accessibility findings at three sizes in the ${theme} theme`, async ({
    page,
    studio,
  }, info) => {
    await compare(studio.address, 'overlay');
    await page.emulateMedia({ colorScheme: theme });
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await open(page, `${studio.address}/#play`);
      await expect(page.getByRole('table', { name: /Policies in lock step/ })).toBeVisible();
      expect(await findings(page)).toEqual([]);
      await page.screenshot({ path: info.outputPath(`compare-${theme}-${width}.png`) });
    }
  });
}
