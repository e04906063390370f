import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { YamlText } from '../../src/core/yaml-file.ts';
import { findings } from './accessibility.ts';
import { expect, open, post, type Studio, test } from './studio.ts';

const fileOf = (studio: Studio, kind: 'presets' | 'modules', name: string) =>
  path.join(studio.workspace, 'config/walker', kind, `${name}.yaml`);

/** Writes a preset or module of the walker. */
async function put(studio: Studio, place: string, body: object): Promise<void> {
  await post(studio.address, '/api/robot/select', { name: 'walker' });
  const response = await fetch(studio.address + place, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${place}: ${response.status} ${await response.text()}`);
}

async function openTasks(page: Page, studio: Studio, chosen = ''): Promise<void> {
  await post(studio.address, '/api/robot/select', { name: 'walker' });
  await open(page, `${studio.address}/#/tasks${chosen}`);
}

const knob = (page: Page, name: string) => page.getByLabel(name, { exact: true });

test('a preset is created, edited, checked while typing, saved to its file and read back', async ({
  page,
  studio,
  problems,
}) => {
  await openTasks(page, studio);
  // given: the plain task, which is read-only
  await expect(page.getByRole('heading', { name: 'Wbc-Walker', exact: true })).toBeVisible();
  await expect(knob(page, 'rewards.survival.weight')).toBeDisabled();
  await page.getByRole('main', { name: 'Editor' }).getByRole('button', { name: 'New preset' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('a--b');
  await expect(dialog.getByText('"--" separates a base task from its preset')).toBeVisible();
  await dialog.getByLabel('Name').fill('mine');
  await expect(dialog.getByText('Wbc-Walker--mine')).toBeVisible();
  await dialog.getByRole('button', { name: 'Create preset' }).click();

  // when: an invalid value
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await knob(page, 'rewards.survival.weight').fill('abc');
  await expect(page.getByText('rewards.survival.weight: must be a number')).toBeVisible();
  await expect(page.getByText('Fix 1 value to save')).toBeVisible();
  await expect(save).toBeDisabled();
  // then a valid one
  await knob(page, 'rewards.survival.weight').fill('2.5');
  await expect(page.getByText('was 1', { exact: true })).toBeVisible();
  const changes = page.getByRole('list', { name: 'Changes' });
  await expect(changes.getByRole('listitem')).toHaveText([/rewards.*survival\.weight.*1.*2\.5/]);
  await page.getByRole('tab', { name: 'YAML' }).click();
  await expect(page.locator('.yaml pre')).toContainText('weight: 2.5');
  await expect(save).toBeEnabled();
  expect(existsSync(fileOf(studio, 'presets', 'mine'))).toBe(false);
  await save.click();
  await expect(page.getByText('mine saved')).toBeVisible();

  // then: knob, badge and file agree, also after the page is opened again
  const file = new YamlText(readFileSync(fileOf(studio, 'presets', 'mine'), 'utf8'), 'mine.yaml').value;
  expect(file).toMatchObject({ base: 'Wbc-Walker', overrides: { rewards: { survival: { weight: 2.5 } } } });
  await expect(save).toBeDisabled();
  await page.reload();
  await expect(knob(page, 'rewards.survival.weight')).toHaveValue('2.5');
  await expect(page.getByText('was 1', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Reset rewards.survival.weight' }).click();
  await expect(knob(page, 'rewards.survival.weight')).toHaveValue('1');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  expect(problems).toEqual([]);
});

test('selecting text beyond the edge of a dialog keeps it open; a click beside the dialog closes it', async ({
  page,
  studio,
}) => {
  await openTasks(page, studio);
  await page.getByRole('main', { name: 'Editor' }).getByRole('button', { name: 'New preset' }).click();
  const dialog = page.getByRole('dialog');
  const name = dialog.getByLabel('Name');
  await name.fill('half_typed');
  const [field, edge] = [(await name.boundingBox())!, (await dialog.boundingBox())!];
  const y = field.y + field.height / 2;
  await page.mouse.move(field.x + field.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(edge.x - 20, y, { steps: 4 });
  await page.mouse.up();
  await expect(name).toHaveValue('half_typed');
  await page.mouse.click(edge.x - 20, y);
  await expect(dialog).toHaveCount(0);
});

test('a saved preset is tried without a training, and a button opens the form of a training', async ({
  page,
  studio,
}) => {
  test.slow(); // includes a conversion
  await put(studio, '/api/presets/tried', { base: 'Wbc-Walker' });
  await openTasks(page, studio, '/preset/tried');
  // given: no clips of this robot
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(page.getByText('A dry run needs converted clips')).toBeVisible();
  // a dry run uses the saved file, so it is disabled while there are unsaved changes
  await knob(page, 'rewards.survival.weight').fill('2');
  await expect(page.getByRole('button', { name: 'Dry run' })).toBeDisabled();
  await page.getByRole('button', { name: 'Reset rewards.survival.weight' }).click();
  await page.getByRole('main', { name: 'Editor' }).getByRole('button', { name: 'Train', exact: true }).click();
  await expect(page).toHaveURL(/#\/train/);
  await expect(page.getByLabel('Task', { exact: true })).toHaveValue('Wbc-Walker--tried');

  // a robot with clips: every check shows its result
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await post(studio.address, '/api/data/convert', { dataset: 'samples', which: 'selected', clips: ['squat'] });
  const status = async () => {
    const { jobs } = (await (await fetch(`${studio.address}/api/jobs`)).json()) as { jobs: { status: string }[] };
    return jobs[0]?.status;
  };
  await expect.poll(status, { timeout: 120_000 }).not.toMatch(/queued|running/);
  expect(await status()).toBe('done');
  const body = JSON.stringify({ base: 'Wbc-Humanoid' });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${studio.address}/api/presets/tried`, { method: 'PUT', headers, body });
  // the dataset is selected in the form of a training
  await page.getByLabel('Dataset', { exact: true }).selectOption('samples');
  await open(page, `${studio.address}/#/tasks/preset/tried`);
  await page.getByRole('button', { name: 'Dry run' }).click();
  const found = page.getByRole('region', { name: 'Dry run on samples' });
  await expect(found.getByRole('listitem').filter({ hasText: 'Clips fit the robot' })).toContainText('1 clip', {
    timeout: 120_000,
  });
  await expect(found.getByRole('listitem').filter({ hasText: 'First step' })).toContainText('no NaN (1 start)');
});

test('terms are added and removed, modules apply first, and the effect states the dimensions', async ({
  page,
  studio,
}) => {
  await put(studio, '/api/modules/longer', {
    overrides: { episode_length_s: 20, rewards: { survival: { weight: 3 } } },
  });
  await put(studio, '/api/presets/shaped', { base: 'Wbc-Walker' });
  await openTasks(page, studio, '/preset/shaped');
  const effect = page.getByRole('region', { name: 'Effect' });
  await expect(effect.getByText('Actor observation')).toBeVisible();
  await page.getByRole('region', { name: 'Actor observations' }).getByRole('button', { name: 'Add term' }).click();
  await page.getByRole('dialog').getByLabel('Find a term').fill('torso_ang');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^torso_ang_vel/ })
    .click();
  // the policy gets three more inputs
  const schema = await (await fetch(`${studio.address}/api/presets/shaped`)).json();
  const { dim } = (schema as { effect: { observations: { group: string; dim: number }[] } }).effect.observations[0]!;
  await expect(effect).toContainText(`${dim} → ${dim + 3}`);
  await expect(page.getByText('Added', { exact: true }).first()).toBeVisible();

  await page.getByRole('group', { name: 'action_rate_l1' }).hover();
  await page.getByRole('button', { name: 'Remove rewards.action_rate_l1' }).click();
  await expect(page.getByRole('group', { name: 'action_rate_l1' }).getByText('Removed')).toBeVisible();

  await page.getByLabel('Add module').selectOption('longer');
  await expect(knob(page, 'rewards.survival.weight')).toHaveValue('3');
  await expect(page.getByRole('group', { name: 'survival' }).getByText('longer')).toBeVisible();
  await knob(page, 'rewards.survival.weight').fill('4');
  await expect(page.getByRole('group', { name: 'survival' }).getByText('was 3')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('shaped saved')).toBeVisible();
  const reply = (await (await fetch(`${studio.address}/api/presets/shaped`)).json()) as object;
  expect(reply).toMatchObject({
    modules: ['longer'],
    overrides: {
      observations: { actor: { terms: { torso_ang_vel: {} } } },
      rewards: { action_rate_l1: null, survival: { weight: 4 } },
    },
    error: null,
  });
});

test('files changed elsewhere are shown at once; broken files show the reason; unsaved edits are kept', async ({
  page,
  studio,
}) => {
  await put(studio, '/api/presets/shared', { base: 'Wbc-Walker' });
  await openTasks(page, studio, '/preset/shared');
  await expect(knob(page, 'rewards.survival.weight')).toHaveValue('1');
  writeFileSync(
    fileOf(studio, 'presets', 'shared'),
    'base: Wbc-Walker\noverrides: {rewards: {survival: {weight: 7}}}\n',
  );
  await expect(knob(page, 'rewards.survival.weight')).toHaveValue('7');

  await knob(page, 'rewards.survival.weight').fill('8');
  writeFileSync(
    fileOf(studio, 'presets', 'shared'),
    'base: Wbc-Walker\noverrides: {rewards: {survival: {weight: 9}}}\n',
  );
  await expect(page.getByText('The file was changed elsewhere')).toBeVisible();
  await expect(knob(page, 'rewards.survival.weight')).toHaveValue('8');
  await page.getByRole('button', { name: 'Load the file' }).click();
  await expect(knob(page, 'rewards.survival.weight')).toHaveValue('9');

  // a change by another page, which saves through the API, is noticed, too
  await knob(page, 'rewards.survival.weight').fill('8');
  const saved = await fetch(`${studio.address}/api/presets/shared`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ base: 'Wbc-Walker', overrides: { rewards: { survival: { weight: 9.5 } } } }),
  });
  expect(saved.status).toBe(200);
  await expect(page.getByText('The file was changed elsewhere')).toBeVisible();
  await page.getByRole('button', { name: 'Load the file' }).click();
  await expect(knob(page, 'rewards.survival.weight')).toHaveValue('9.5');

  writeFileSync(fileOf(studio, 'presets', 'no-anchor'), 'base: Wbc-Dog\n');
  const entry = page.getByRole('button', { name: /no-anchor/ });
  await expect(entry).toContainText('Error');
  await expect(entry).toContainText('Wbc-Dog');

  // an unsaved draft is kept while another one is shown
  await knob(page, 'rewards.survival.weight').fill('10');
  await page.getByRole('button', { name: 'Wbc-Walker-SE', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Wbc-Walker-SE', exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^shared/ }).click();
  await expect(knob(page, 'rewards.survival.weight')).toHaveValue('10');
});

test('leaving the page with unsaved changes asks first; the changes stay if the user stays', async ({
  page,
  studio,
}) => {
  await put(studio, '/api/presets/careful', { base: 'Wbc-Walker' });
  await openTasks(page, studio, '/preset/careful');
  await knob(page, 'rewards.survival.weight').fill('3');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => setTimeout(() => location.reload()));
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await expect(knob(page, 'rewards.survival.weight')).toHaveValue('3');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('careful saved')).toBeVisible();
  await page.reload(); // nothing is unsaved: no question
  await expect(knob(page, 'rewards.survival.weight')).toHaveValue('3');
});

test('a preset is deleted after confirmation, and its page says so', async ({ page, studio }) => {
  await put(studio, '/api/presets/short-lived', { base: 'Wbc-Walker' });
  await openTasks(page, studio, '/preset/short-lived');
  await page.getByRole('button', { name: 'More for short-lived' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete preset' }).click();
  await expect(page.getByText('short-lived deleted')).toBeVisible();
  await expect(page.getByRole('button', { name: /^short-lived/ })).toHaveCount(0);
  expect(existsSync(fileOf(studio, 'presets', 'short-lived'))).toBe(false);
});

for (const [theme, width] of [
  ['dark', 1440],
  ['light', 1024],
  ['light', 390],
] as const) {
  test(`Tasks, ${theme}, ${width} px: no accessibility findings and no overflow`, async ({ page, studio }) => {
    const phone = width < 700;
    await put(studio, '/api/modules/gentle', { overrides: { events: { push_robot: { interval_range_s: [2, 4] } } } });
    await put(studio, '/api/presets/looks', {
      base: 'Wbc-Walker',
      modules: ['gentle'],
      overrides: { rewards: { survival: { weight: 2 }, joint_limit: null, feet_slip: { weight: -0.1 } } },
    });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: phone ? 844 : 900 });
    await openTasks(page, studio, '/preset/looks');
    const looksRight = async (what: string) => expect(await findings(page), what).toEqual([]);
    if (phone) {
      await expect(page.getByRole('heading', { name: 'Tasks', level: 1 })).toBeVisible();
      await expect(page.getByRole('button', { name: /^looks/ })).toBeVisible();
      await looksRight('the list');
      await page.getByRole('tab', { name: 'Editor' }).click();
    }
    await knob(page, 'rewards.survival.weight').fill('x');
    await expect(page.getByText('rewards.survival.weight: must be a number').first()).toBeVisible();
    await looksRight('an invalid knob');
    await page.getByRole('region', { name: 'Rewards' }).getByRole('button', { name: 'Add term' }).click();
    await looksRight('adding a term');
    await page.keyboard.press('Escape');
    if (phone)
      await page
        .getByRole('tab', { name: /^Changes/ })
        .first()
        .click();
    else if (width < 1280) await page.getByRole('button', { name: 'Show changes' }).click();
    for (const tab of ['YAML', 'Checks']) {
      await page.getByRole('tab', { name: tab }).click();
      await looksRight(tab);
    }
  });
}
