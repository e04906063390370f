import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, open, post, test } from './studio.ts';

interface Preview {
  readonly clip: string | null;
  readonly frames: number;
  readonly fps: number;
  readonly playing: boolean;
  readonly edit: { readonly parts: number } | null;
}
const preview = async (address: string) => (await (await fetch(`${address}/api/data/preview`)).json()) as Preview;

test.beforeEach(async ({ page, studio }) => {
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await post(studio.address, '/api/data/close', {});
  await open(page, studio.address);
  await page.getByRole('button', { name: 'Data', exact: true }).click();
  await page.getByText('walk_forward', { exact: true }).first().click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeEnabled();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('slider', { name: 'Trim end' })).toBeVisible();
});

/** Drags a handle of the timeline. @param share position in the source, 0..1 */
async function dragTo(page: Page, handle: string, share: number): Promise<void> {
  const lane = (await page.locator('.trim-lane').boundingBox())!;
  const box = (await page.getByRole('slider', { name: handle }).boundingBox())!;
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(lane.x + share * lane.width, y, { steps: 5 });
  await page.mouse.up();
}

test('a clip is trimmed by a handle and saved; the new clip is listed and plays', async ({
  page,
  studio,
  problems,
}) => {
  const { frames } = await preview(studio.address);
  await dragTo(page, 'Trim start', 0.5);
  await expect(page.getByRole('list', { name: 'Steps' }).getByText('Trim')).toBeVisible();
  await expect.poll(async () => (await preview(studio.address)).frames).toBeLessThan(0.55 * frames);
  await page.getByLabel('Save as').fill('second_half');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'second_half', exact: true })).toBeVisible();
  await expect
    .poll(async () => await preview(studio.address))
    .toMatchObject({ clip: 'second_half', playing: true, edit: null });
  expect(existsSync(path.join(studio.workspace, 'data/humanoid/samples/second_half.recipe.yaml'))).toBe(true);
  expect(problems).toEqual([]);
});

test('steps are added, reordered, removed, undone and redone, and the scene follows', async ({ page, studio }) => {
  const { frames } = await preview(studio.address);
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  const add = async (title: string) => {
    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByRole('menuitem', { name: title, exact: true }).click();
  };
  await add('Speed');
  await add('Mirror');
  await expect(steps).toHaveText([/Speed/, /Mirror/]);
  await expect.poll(async () => (await preview(studio.address)).frames).toBe(Math.floor((frames - 1) / 1.25) + 1);
  await steps.nth(1).getByRole('button', { name: 'Move up' }).click();
  await expect(steps).toHaveText([/Mirror/, /Speed/]);
  await steps.nth(1).getByRole('button', { name: 'Remove this edit' }).click();
  await expect(steps).toHaveText([/Mirror/]);
  await expect.poll(async () => (await preview(studio.address)).frames).toBe(frames);
  await page.keyboard.press('Control+z');
  await expect(steps).toHaveText([/Mirror/, /Speed/]);
  await page.keyboard.press('Control+Shift+z');
  await expect(steps).toHaveText([/Mirror/]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(steps).toHaveText([/Speed/, /Mirror/]);
});

test('a step that is not possible shows the reason, and leaving the edit shows the original clip', async ({
  page,
  studio,
}) => {
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByRole('menuitem', { name: 'Smooth', exact: true }).click();
  const cutoff = page.getByLabel('Cutoff');
  await cutoff.fill('400');
  await cutoff.press('Enter');
  // The message is shown at its step.
  const step = page.getByRole('list', { name: 'Steps' }).getByRole('listitem').filter({ hasText: 'Smooth' });
  await expect(step.getByRole('alert')).toContainText('Cutoff: 400 Hz is too high');
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await page.getByRole('button', { name: 'Close the editor' }).click();
  await expect.poll(async () => (await preview(studio.address)).edit).toBe(null);
});

test('the keyboard moves a handle, Escape cancels a drag, and one undo reverts a move', async ({ page, studio }) => {
  const { frames, fps } = await preview(studio.address);
  const start = page.getByRole('slider', { name: 'Trim start' });
  await start.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(start).toHaveAttribute('aria-valuenow', String(1 + fps));
  await expect.poll(async () => (await preview(studio.address)).frames).toBe(frames - 1 - fps);
  await page.keyboard.press('Control+z');
  await expect(start).toHaveAttribute('aria-valuenow', '1');
  await page.keyboard.press('End');
  await expect(start).toHaveAttribute('aria-valuenow', String(frames - 3));
  await page.keyboard.press('Home');
  await expect(start).toHaveAttribute('aria-valuenow', '0');
  await expect.poll(async () => (await preview(studio.address)).frames).toBe(frames);

  const box = (await start.boundingBox())!;
  const lane = (await page.locator('.trim-lane').boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(lane.x + 0.5 * lane.width, box.y + box.height / 2, { steps: 3 });
  await expect(start).not.toHaveAttribute('aria-valuenow', '0');
  await page.keyboard.press('Escape');
  await expect(start).toHaveAttribute('aria-valuenow', '0');
  await page.mouse.up();
  await expect(start).toHaveAttribute('aria-valuenow', '0');
  await expect.poll(async () => (await preview(studio.address)).frames).toBe(frames);
});

test('every kind of step can be added, and the scene shows its result', async ({ page, studio }) => {
  const { frames, fps } = await preview(studio.address);
  const kinds: readonly (readonly [title: string, frames: number])[] = [
    ['Trim', frames],
    ['Split by time', frames],
    ['Split at pauses', frames],
    ['Append a clip', 2 * frames - Math.round(0.5 * fps)],
    ['Loop', frames - Math.round(0.5 * fps)],
    ['Start standing', frames + fps],
    ['End standing', frames + fps],
    ['Speed', Math.floor((frames - 1) / 1.25) + 1],
    ['Smooth', frames],
    ['Mirror', frames],
    ['Put on the floor', frames],
    ['Move to the origin', frames],
  ];
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  for (const [title, expected] of kinds) {
    await page.getByRole('button', { name: 'Add a step' }).click();
    const items = page.getByRole('menuitem');
    await expect(items).toHaveCount(kinds.length);
    const shown = page.waitForResponse(/edit\/preview/);
    await items.getByText(title, { exact: true }).click();
    expect([title, (await shown).status()]).toEqual([title, 200]);
    await expect(steps).toHaveText([new RegExp(title)]);
    expect([title, (await preview(studio.address)).frames]).toEqual([title, expected]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(steps).toHaveCount(0);
    await expect.poll(async () => (await preview(studio.address)).frames).toBe(frames);
  }
});

test('unsaved steps are kept when another clip is opened', async ({ page, studio }) => {
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByRole('menuitem', { name: 'Mirror', exact: true }).click();
  await expect(steps).toHaveText([/Mirror/]);
  await expect.poll(async () => (await preview(studio.address)).edit).not.toBe(null);
  await page.getByRole('button', { name: 'squat', exact: true }).click();
  await expect.poll(async () => (await preview(studio.address)).clip).toBe('squat');
  await expect(page.getByText('The edit of walk_forward is not saved')).toBeVisible();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(steps).toHaveText([/Mirror/]);
  await expect
    .poll(async () => await preview(studio.address))
    .toMatchObject({ clip: 'walk_forward', edit: { parts: 1 } });
});

test('a clip is renamed', async ({ page, studio }) => {
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByRole('menuitem', { name: 'Mirror', exact: true }).click();
  await page.getByLabel('Save as').fill('to_rename');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(async () => (await preview(studio.address)).clip).toBe('to_rename');
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.getByLabel('New name').fill('renamed');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(page.getByRole('button', { name: 'renamed', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'to_rename', exact: true })).toHaveCount(0);
});
