import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { decodePlayRecord, type PlayRecord } from '../../src/protocol/play-record.ts';
import type { PlaySession } from '../../src/protocol/schemas/play.ts';
import { addSmallRun } from '../support/small-run.ts';
import { findings } from './accessibility.ts';
import { expect, open, post, type Studio, test } from './studio.ts';

const RUN = 'small/zero';
const SIZES = [
  [1440, 900],
  [1280, 720],
  [1024, 768],
  [390, 844],
] as const;

const get = async <T>(address: string, at: string) => (await (await fetch(address + at)).json()) as T;

async function sessionOf(address: string): Promise<PlaySession | null> {
  return (await get<{ session: PlaySession | null }>(address, '/api/play')).session;
}

async function recordOf(address: string, env: number): Promise<PlayRecord> {
  const reply = await fetch(`${address}/api/plots/play?env=${env}`);
  return decodePlayRecord(await reply.arrayBuffer());
}

/** Number of clips of the built-in robot that are not converted. */
async function missing(address: string): Promise<number | undefined> {
  const { datasets } = await get<{ datasets: { name: string; missing: number }[] }>(address, '/api/data/datasets');
  return datasets.find(({ name }) => name === 'samples')?.missing;
}

/** Converts the clips of the built-in robot, and adds a run of a network with zero weights. */
async function prepare({ address, workspace }: Studio): Promise<void> {
  const folder = path.join(workspace, 'logs/rsl_rl');
  if (!existsSync(path.join(folder, RUN))) addSmallRun(folder, 21);
  await post(address, '/api/robot/select', { name: 'humanoid' });
  await post(address, '/api/data/close', {});
  if ((await missing(address)) === 0) return;
  await post(address, '/api/data/convert', { dataset: 'samples' });
  await expect.poll(() => missing(address), { timeout: 50_000 }).toBe(0);
}

async function configure(address: string, body: object): Promise<PlaySession> {
  await post(address, '/api/play/configure', { run: RUN, motion: 'data/humanoid/samples', ...body });
  await expect.poll(async () => (await sessionOf(address))?.state).toMatch(/running|paused/);
  return (await sessionOf(address))!;
}

async function openPlay(page: Page, address: string): Promise<void> {
  await open(page, address);
  await page.getByRole('button', { name: 'Play', exact: true }).first().click();
  await expect(page.getByRole('heading', { name: 'Play' }).first()).toBeVisible();
  // a focused button would handle Space itself
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
}

test('without a run Play names the folders that are searched, and one button reads the runs again', async ({
  page,
  ownStudio,
}) => {
  const address = await ownStudio.start();
  await openPlay(page, address);
  await expect(page.getByText('No run to play yet')).toBeVisible();
  await expect(page.locator('.btn-primary')).toHaveCount(1);
  await expect(page.locator('.btn-primary')).toHaveText('Train one');
  addSmallRun(path.join(ownStudio.workspace, 'logs/rsl_rl'), 21);
  await expect
    .poll(async () => {
      const button = page.getByRole('button', { name: 'Read again' });
      if ((await button.count()) > 0 && (await button.isEnabled())) await button.click();
      return page.getByLabel('Run', { exact: true }).count();
    })
    .toBe(1);
  await expect(page.getByLabel('Run', { exact: true })).toHaveValue(RUN);
  // the clips are not converted: the page says so, and the service refuses to play
  await expect(page.getByText('no converted clips')).toBeVisible();
  const refused = await fetch(`${address}/api/play/configure`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ run: RUN }),
  });
  expect(refused.status).toBe(400);
  await page.getByRole('button', { name: 'Convert clips' }).click();
  await expect(page.getByRole('button', { name: 'Data', exact: true })).toHaveAttribute('aria-current', 'page');
});

test.describe('with a run', () => {
  test.beforeEach(async ({ studio }) => {
    test.slow(); // on a loaded machine, the first test waits for the conversion
    await prepare(studio);
  });
  test.afterEach(async ({ studio }) => post(studio.address, '/api/play/stop', {}));

  test('one button builds the session of the selected run and clips; the session plays, and stops', async ({
    page,
    studio,
    problems,
  }) => {
    await openPlay(page, studio.address);
    await page.getByRole('textbox', { name: 'Environments' }).fill('4');
    await page.locator('.pane-foot').getByRole('button', { name: 'Play' }).click();
    await expect(page.locator('.env-tile')).toHaveCount(4);
    const now = (await sessionOf(studio.address))!;
    expect(now).toMatchObject({ run: RUN, num_envs: 4, checkpoint: 'policy.onnx', motion: 'data/humanoid/samples' });
    await expect(page.locator('.hud')).toContainText('policy.onnx');
    await expect(page.locator('.hud')).toContainText('4 envs · 50 Hz');
    // the hidden warning of a slow scene is not displayed
    const display = await page.locator('.hud .shape-warning').evaluate((pill: HTMLElement) => {
      pill.hidden = true;
      return getComputedStyle(pill).display;
    });
    expect(display).toBe('none');
    const time = page.locator('.time').first();
    const before = await time.textContent();
    await expect(time).not.toHaveText(before!);
    await expect(page.locator('.play-total')).toContainText(/\d\.\d\d/);
    // with several environments, the focused one has a tag in the scene
    const tag = page.locator('.env-tag.focused');
    await expect(tag).toContainText('Env 0', { timeout: 30_000 });
    await expect(tag).toBeVisible();
    const [place, scene] = [await tag.boundingBox(), await page.locator('.scene-host').boundingBox()];
    expect(place!.x).toBeGreaterThanOrEqual(scene!.x);
    expect(place!.x + place!.width).toBeLessThanOrEqual(scene!.x + scene!.width);
    await page.getByRole('button', { name: 'Stop the session' }).click();
    await expect(page.getByText('Play a policy to see its last minute here.')).toBeVisible();
    expect(await sessionOf(studio.address)).toBeNull();
    await expect(tag).toBeHidden({ timeout: 30_000 });
    expect(problems).toEqual([]);
  });

  test('the selection fields change a running session, without a restart where possible', async ({ page, studio }) => {
    const { id } = await configure(studio.address, { num_envs: 2 });
    await openPlay(page, studio.address);
    await page.getByLabel('Checkpoint', { exact: true }).selectOption({ label: 'Zero action' });
    await expect.poll(async () => (await sessionOf(studio.address))?.checkpoint).toBe('');
    await page.getByRole('switch', { name: 'Terminations' }).uncheck();
    await expect.poll(async () => (await sessionOf(studio.address))?.terminations).toBe(false);
    const count = page.getByRole('textbox', { name: 'Environments' });
    for (const invalid of ['0', '2.0']) {
      await count.fill(invalid);
      await count.press('Enter');
      await expect(count).toHaveAttribute('aria-invalid', 'true');
      await count.press('Escape');
      await expect(count).toHaveAttribute('aria-invalid', 'false');
    }
    await count.fill('6');
    await count.press('Enter');
    await expect(page.locator('.env-tile')).toHaveCount(6);
    expect(await sessionOf(studio.address)).toMatchObject({ id, num_envs: 6, checkpoint: '', terminations: false });
    await expect(page.locator('.hud')).toContainText('Zero action');
  });

  test('keys pause, step, restart, push, and change speed, ghost, contacts and environment', async ({
    page,
    studio,
  }) => {
    await configure(studio.address, { num_envs: 3 });
    await openPlay(page, studio.address);
    const now = () => sessionOf(studio.address);
    await expect(page.locator('.play-btn')).toHaveAccessibleName('Pause');
    await page.keyboard.press('Space');
    await expect.poll(async () => (await now())?.playing).toBe(false);
    const { sim_time: before } = (await now())!;
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await now())!.sim_time).toBeCloseTo(before + 0.02, 6);
    await page.keyboard.press(']');
    await expect.poll(async () => (await now())?.focus).toBe(1);
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    await expect.poll(async () => (await now())?.focus).toBe(2);
    await expect(page.getByRole('button', { name: /^Environment 2/ })).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.keyboard.press('+');
    await expect
      .poll(async () => (await now())?.options)
      .toEqual({ ghost: 'overlay', targets: false, contacts: true, speed: 1.5 });
    await expect(page.locator('.hud')).toContainText('Reference');
    await page.getByRole('button', { name: 'At the robot' }).click();
    await expect(page.locator('.hud')).toContainText('Reference, at the robot');
    await page.keyboard.press('1');
    await expect.poll(async () => (await now())?.options.speed).toBe(1);
    await page.keyboard.press('p');
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(async () => (await recordOf(studio.address, 2)).header.events?.some(({ kind }) => kind === 'push'))
      .toBe(true);
    await expect(page.locator('.lane-pushes .lane-mark')).toHaveCount(1);
    const { epoch } = (await recordOf(studio.address, 2)).header;
    await page.keyboard.press('r');
    await expect.poll(async () => (await recordOf(studio.address, 2)).header.epoch).not.toBe(epoch);
  });

  test('a tile focuses its environment; a pinned clip loops there', async ({ page, studio }) => {
    await configure(studio.address, { num_envs: 4 });
    await openPlay(page, studio.address);
    await page.getByRole('button', { name: /^Environment 3/ }).click();
    await expect.poll(async () => (await sessionOf(studio.address))?.focus).toBe(3);
    await expect(page.getByRole('heading', { name: 'Tracking, env 3' })).toBeVisible();
    await page.getByLabel('Clip of env 3').last().selectOption('walk_forward');
    await expect.poll(async () => (await sessionOf(studio.address))?.pins).toEqual([{ env: 3, clip: 'walk_forward' }]);
    await expect(page.getByText('Pinned')).toBeVisible();
    await page.getByRole('button', { name: 'Unpin' }).click();
    await expect.poll(async () => (await sessionOf(studio.address))?.pins).toEqual([]);
  });

  test('weights are typed in place, apply from the next step, and can be reset', async ({ page, studio }) => {
    await configure(studio.address, {});
    await openPlay(page, studio.address);
    const weight = async () =>
      (await sessionOf(studio.address))?.rewards.find(({ name }) => name === 'motion_body_pos')?.weight;
    const row = page.locator('.reward', { hasText: 'motion_body_pos' });
    await row.getByRole('button').click();
    await row.getByRole('textbox').fill('2,25');
    await row.getByRole('textbox').press('Enter');
    await expect.poll(weight).toBe(2.25);
    await expect(row.getByRole('button')).toHaveAccessibleName('Weight of motion_body_pos, 2.25, was 1.5');
    await expect(page.locator('.rewards-foot')).toContainText('1 changed');
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    await expect.poll(weight).toBe(1.5);
    await row.getByRole('button').click();
    await row.getByRole('textbox').fill('nonsense');
    await row.getByRole('textbox').press('Enter');
    await expect(row.getByRole('button')).toHaveText('1.5');
    expect(await weight()).toBe(1.5);
  });

  test('a weight is changed with a slider while the session plays, and the changes become a preset', async ({
    page,
    studio,
    problems,
  }) => {
    await configure(studio.address, {});
    await openPlay(page, studio.address);
    const weight = async () =>
      (await sessionOf(studio.address))?.rewards.find(({ name }) => name === 'motion_body_pos')?.weight;
    const row = page.locator('.reward', { hasText: 'motion_body_pos' });
    await expect(page.getByRole('button', { name: 'Save as preset…' })).toBeDisabled();
    await row.getByRole('button').click();
    const slider = row.getByRole('slider');
    await slider.focus(); // the field loses the focus, the slider stays
    await slider.press('End');
    await expect.poll(weight).toBe(3);
    await expect(row.getByRole('textbox')).toHaveValue('3');
    await row.getByRole('textbox').press('ArrowDown');
    await expect.poll(weight).toBe(2.97);
    await row.getByRole('textbox').press('Enter');
    await page.getByRole('button', { name: 'Save as preset…' }).click();
    const dialog = page.getByRole('dialog', { name: 'New preset' });
    await dialog.getByLabel('Name').fill('from-play');
    await dialog.getByRole('button', { name: 'Create preset' }).click();
    await expect(page.getByRole('heading', { name: 'from-play', exact: true })).toBeVisible();
    await expect(page.getByRole('list', { name: 'Changes' }).getByRole('listitem')).toHaveText([
      /rewards.*motion_body_pos\.weight.*→.*2\.97/,
    ]);
    expect(problems).toEqual([]);
  });

  test("the total beside the heading is the sum of the record's last second", async ({ page, studio }) => {
    await configure(studio.address, { terminations: false });
    await openPlay(page, studio.address);
    await expect.poll(async () => (await recordOf(studio.address, 0)).header.end).toBeGreaterThan(60);
    await page.keyboard.press('Space');
    await expect.poll(async () => (await sessionOf(studio.address))?.playing).toBe(false);
    const { header, data } = await recordOf(studio.address, 0);
    const total = header.channels!.findIndex(({ id }) => id === 'reward.total');
    const rows = header.end - header.start;
    let sum = 0;
    for (let row = rows - 50; row < rows; row++) sum += data[row * header.cols.data + total]!;
    const shown = async () =>
      Number((await page.locator('.play-total').textContent())!.replace('−', '-').split(' ')[0]);
    await expect.poll(async () => Math.abs((await shown()) - sum)).toBeLessThan(0.01);
  });

  test('looking back freezes the record until it is live again', async ({ page, studio }) => {
    await configure(studio.address, {});
    await openPlay(page, studio.address);
    const timeline = page.getByRole('slider', { name: 'Timeline' });
    await expect.poll(async () => (await recordOf(studio.address, 0)).header.end).toBeGreaterThan(100);
    await expect(timeline).toHaveAttribute('aria-valuetext', 'live');
    await page.keyboard.press('Shift+ArrowLeft');
    await expect(timeline).toHaveAttribute('aria-valuetext', '1.00 s ago');
    await expect(page.getByRole('button', { name: 'Back to live' })).toBeVisible();
    const step = await page.locator('.play-step').textContent();
    const { header } = await recordOf(studio.address, 0);
    await expect.poll(async () => (await recordOf(studio.address, 0)).header.end).toBeGreaterThan(header.end + 20);
    expect(await page.locator('.play-step').textContent()).toBe(step);
    await page.keyboard.press('End');
    await expect(timeline).toHaveAttribute('aria-valuetext', 'live');
    await expect(page.locator('.play-step')).not.toHaveText(step!);
  });

  test('plots scroll with the record; while frozen, values and CSV equal those of the service', async ({
    page,
    studio,
    problems,
  }) => {
    await configure(studio.address, { terminations: false });
    await openPlay(page, studio.address);
    await expect.poll(async () => (await recordOf(studio.address, 0)).header.end).toBeGreaterThan(80);
    await page.keyboard.press('`');
    const chart = page.getByRole('group', { name: 'Root position' });
    await expect(chart.locator('canvas')).toBeVisible();
    await expect(page.locator('.plots-span')).toContainText('live');
    const picture = () => chart.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
    const first = await picture();
    await expect.poll(picture).not.toBe(first);
    for (const group of ['Root', 'Joints', 'Torques', 'Actions', 'Rewards', 'Observations'])
      await expect(page.locator('.channel-group h3', { hasText: group })).toHaveCount(1);
    await page.getByRole('searchbox', { name: 'Search channels' }).fill('left knee torq');
    await page.locator('.channels').getByRole('checkbox').first().check();
    await expect(page.getByRole('group', { name: 'Knee torque' }).locator('.chart-source')).not.toBeEmpty();
    // the values at the shown row, and the file of all rows
    await page.locator('.play-btn').click();
    await expect.poll(async () => (await sessionOf(studio.address))?.playing).toBe(false);
    const { header, data, ref } = await recordOf(studio.address, 0);
    const rows = header.end - header.start;
    const z = header.channels!.findIndex(({ id }) => id === 'root.pos.z');
    const zRef = header.ref_cols!.indexOf(z);
    const figure = async (k: number) =>
      Number(((await chart.locator('b').nth(k).textContent()) ?? '').replace('−', '-'));
    await expect
      .poll(async () => Math.abs((await figure(0)) - data[(rows - 1) * header.cols.data + z]!))
      .toBeLessThan(2e-3);
    await expect
      .poll(async () => Math.abs((await figure(1)) - ref[(rows - 1) * header.cols.ref + zRef]!))
      .toBeLessThan(2e-3);
    const save = async (item: string) => {
      await page.locator('.plots-bar').getByRole('button', { name: 'Export' }).click();
      const started = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: item }).click();
      return readFileSync(await (await started).path());
    };
    const lines = (await save('CSV of the last minute')).toString().trim().split('\n');
    const at = lines[0]!.split(',').indexOf('root.pos.z');
    expect(lines).toHaveLength(rows + 1);
    for (const row of [0, 40, rows - 1])
      expect(Math.fround(Number(lines[row + 1]!.split(',')[at]))).toBe(data[row * header.cols.data + z]);
    expect((await save('NPZ of all channels')).subarray(0, 2).toString()).toBe('PK');
    const csv = (await save('CSV of all channels')).toString().split('\n')[0]!.split(',');
    expect(csv).toContain('ref.root.pos.z');
    expect(csv.slice(-3)).toEqual(['clip', 'frame', 'step']);
    expect(problems).toEqual([]);
  });

  test('dragging in a live chart freezes the record at that row; a double click shows the whole minute, live', async ({
    page,
    studio,
  }) => {
    await configure(studio.address, {});
    await openPlay(page, studio.address);
    await expect.poll(async () => (await recordOf(studio.address, 0)).header.end).toBeGreaterThan(100);
    await page.keyboard.press('`');
    const plot = page.locator('.chart-plot').first();
    await expect(plot.locator('canvas')).toBeVisible();
    const box = (await plot.boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + 20);
    await expect(page.getByRole('button', { name: 'Back to live' })).toBeVisible();
    await expect(page.locator('.plots-span')).toContainText('0 s');
    await page.mouse.dblclick(box.x + box.width / 2, box.y + 20);
    await expect(page.locator('.plots-span')).toContainText('live');
    await expect(page.getByRole('button', { name: 'Back to live' })).toHaveCount(0);
  });

  test('plots in their own window show the session with its transport', async ({ page, studio }) => {
    await configure(studio.address, {});
    await page.goto(`${studio.address}/?view=plots&of=play`);
    await expect(page.locator('.chart-plot canvas').first()).toBeVisible();
    await expect(page.locator('.rail')).toHaveCount(0);
    await page.keyboard.press('Space');
    await expect.poll(async () => (await sessionOf(studio.address))?.playing).toBe(false);
    await page.getByRole('group', { name: 'Plots of' }).getByRole('button', { name: 'Clip' }).click();
    await expect(page.getByText('No clip open')).toBeVisible();
  });

  test('a run that cannot be built shows its reason, and the session continues', async ({ page, studio }) => {
    const { id } = await configure(studio.address, {});
    const broken = addSmallRun(path.join(studio.workspace, 'logs/rsl_rl'), 21, 'small/broken');
    await openPlay(page, studio.address);
    await expect.poll(() => page.getByLabel('Run', { exact: true }).locator('option').count()).toBe(2);
    writeFileSync(path.join(broken, 'exported/policy.onnx'), 'no model at all');
    await page.getByLabel('Run', { exact: true }).selectOption('small/broken');
    await expect(page.locator('.play-panel').getByRole('alert')).toContainText('policy.onnx');
    await expect(page.getByLabel('Run', { exact: true })).toHaveValue(RUN);
    await expect(page.locator('.play-btn')).toHaveAccessibleName('Pause');
    expect(await sessionOf(studio.address)).toMatchObject({ id, run: RUN });
  });

  test('a link to the view names run and environment, and opens them', async ({ page, studio, context }) => {
    await configure(studio.address, { num_envs: 3 });
    await openPlay(page, studio.address);
    await page.getByRole('button', { name: /^Environment 1/ }).click();
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('env=1');
    const link = page.url();
    await post(studio.address, '/api/focus', { index: 2 });
    const other = await context.newPage();
    await other.goto(link);
    await expect.poll(async () => (await sessionOf(studio.address))?.focus).toBe(1);
    await expect(other.getByRole('heading', { name: 'Play' })).toBeVisible();
  });

  for (const theme of ['dark', 'light'] as const) {
    test(`Play, ${theme}: no accessibility findings and no overflow at any size`, async ({ page, studio }, info) => {
      await configure(studio.address, { num_envs: 3 });
      await post(studio.address, '/api/play/options', { ghost: 'overlay', contacts: true });
      await page.emulateMedia({ colorScheme: theme });
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await openPlay(page, studio.address);
        await expect(page.locator('.env-tile').first()).toBeVisible();
        if (width >= 1280) await expect(page.locator('.reward').first()).toBeVisible();
        if (width >= 700) await expect(page.locator('.episode').first()).toBeVisible();
        await page.screenshot({ path: info.outputPath(`play-${theme}-${width}.png`) });
        expect(await findings(page), `${width}×${height}`).toEqual([]);
      }
      await page.getByRole('tab', { name: 'Rewards' }).click();
      await expect(page.locator('.reward').first()).toBeVisible();
      await page.screenshot({ path: info.outputPath(`play-${theme}-rewards.png`) });
      expect(await findings(page)).toEqual([]);
    });
  }
});
