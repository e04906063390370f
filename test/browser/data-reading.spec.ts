import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Preview } from '../../src/protocol/schemas/data.ts';
import { expect, open, post, type Studio, test } from './studio.ts';

const preview = async (address: string) => (await (await fetch(`${address}/api/data/preview`)).json()) as Preview;

function folderOf(studio: Studio): string {
  const folder = path.join(studio.workspace, 'data/humanoid/foreign');
  mkdirSync(folder, { recursive: true });
  return folder;
}

const squat = (studio: Studio) =>
  readFileSync(path.join(studio.workspace, 'data/humanoid/samples/squat.csv'), 'utf8').trim().split('\n');

test('assumptions about a clip are shown and can be changed, and the clip is read again', async ({ page, studio }) => {
  writeFileSync(path.join(folderOf(studio), 'plain.csv'), `${squat(studio).join('\n')}\n`);
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await post(studio.address, '/api/data/close', {});
  await open(page, `${studio.address}/#/data/foreign`);
  await page.getByRole('button', { name: 'plain', exact: true }).click();
  await expect.poll(async () => (await preview(studio.address)).clip).toBe('plain');
  const { frames } = await preview(studio.address);
  await page.getByRole('tab', { name: 'Files' }).click();
  const source = page.getByRole('region', { name: 'Source file' });
  await expect(source.getByText('30 fps (assumed)')).toBeVisible();
  await expect(source.getByText('as in the robot (assumed)')).toBeVisible();

  await source.getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Frame rate of the source').fill('60');
  await dialog.getByRole('group', { name: 'Joint order' }).getByRole('button', { name: 'Listed below' }).click();
  const order = dialog.getByRole('textbox', { name: /^Joints in the order/ });
  await expect(order).toHaveValue(/^left_hip_pitch_joint\n/);
  // A name that the robot does not have is refused with the name.
  await order.fill('left_hip_pitch_joint\nsome_joint');
  await dialog.getByRole('button', { name: 'Save and convert' }).click();
  await expect(dialog.getByRole('alert')).toContainText('"some_joint"');
  await dialog.getByRole('group', { name: 'Joint order' }).getByRole('button', { name: 'Default' }).click();
  await dialog.getByRole('button', { name: 'Save and convert' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(source.getByText('60 fps (set)')).toBeVisible();
  // Twice the rate is half the time: the converted clip has 50 frames per second of it.
  await expect
    .poll(async () => await preview(studio.address))
    .toMatchObject({ clip: 'plain', source: 'npz', fps: 50, frames: Math.ceil(((frames - 1) / 60) * 50) });
});

test('a clip of another robot is not loaded; the inspector names the joints that differ', async ({
  page,
  studio,
  problems,
}) => {
  const joints = ['left_hip_pitch_joint', 'left_antenna_joint'];
  const head = ['root_x', 'root_y', 'root_z', 'root_qx', 'root_qy', 'root_qz', 'root_qw', ...joints].join(',');
  const rows = squat(studio).map((line) =>
    line
      .split(',')
      .slice(0, 7 + joints.length)
      .join(','),
  );
  writeFileSync(path.join(folderOf(studio), 'alien.csv'), `${[head, ...rows].join('\n')}\n`);
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await post(studio.address, '/api/data/close', {});
  await open(page, `${studio.address}/#/data/foreign`);
  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'alien', exact: true }) });
  await expect(row.getByText('Unreadable')).toBeVisible();
  await row.getByRole('button', { name: 'alien', exact: true }).click();
  const inspector = page.getByLabel('Clip inspector');
  await expect(inspector.getByText(/"left_antenna_joint" does not belong to this robot/)).toBeVisible();
  await expect(inspector.getByText(/"left_hip_roll_joint"/)).toBeVisible();
  await expect(inspector.getByRole('button', { name: 'Delete' })).toBeEnabled();
  expect((await preview(studio.address)).open).toBe(false);
  await inspector.getByRole('button', { name: 'Close' }).click();
  await expect(inspector.getByRole('heading', { name: 'foreign' })).toBeVisible();
  expect(problems).toEqual([]);
});

test('the error for renaming a dataset in use names the job', async ({ page, studio }) => {
  const folder = path.join(studio.workspace, 'data/humanoid/long');
  mkdirSync(folder, { recursive: true });
  for (let k = 0; k < 200; k += 1) writeFileSync(path.join(folder, `take_${k}.csv`), `${squat(studio).join('\n')}\n`);
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await open(page, `${studio.address}/#/data/long`);
  await expect(page.getByRole('button', { name: 'take_0', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Dataset actions' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New name').fill('renamed');
  await post(studio.address, '/api/data/convert', { dataset: 'long' });
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(
    dialog.getByText(/The job "convert-long-1" uses the dataset "long". Stop the job or wait/),
  ).toBeVisible();
});
