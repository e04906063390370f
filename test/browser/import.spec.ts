import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { WALKER_MJCF } from '../support/models.ts';
import { findings } from './accessibility.ts';
import { expect, open, post, test } from './studio.ts';

/** Creates a typical folder of a user: the model and other files. */
function strider(): { readonly root: string; readonly folder: string } {
  const root = mkdtempSync(path.join(tmpdir(), 'motion-studio-strider-'));
  const folder = path.join(root, 'strider');
  mkdirSync(path.join(folder, 'notes'), { recursive: true });
  writeFileSync(path.join(folder, 'strider.xml'), WALKER_MJCF);
  writeFileSync(path.join(folder, 'notes/readme.txt'), 'made for a test\n');
  return { root, folder };
}

const importState = async (address: string) =>
  (await (await fetch(`${address}/api/robots/import`)).json()) as {
    readonly unfinished: readonly { readonly id: string; readonly files: number }[];
    readonly draft: { readonly id: string } | null;
    readonly robots: readonly { readonly id: string }[];
  };

const selected = async (address: string) =>
  ((await (await fetch(`${address}/api/robot`)).json()) as { readonly id: string }).id;

const limits = async (address: string) => {
  const robot = (await (await fetch(`${address}/api/robot`)).json()) as {
    readonly joints: readonly { readonly name: string; readonly velocity_limit: number | null }[];
  };
  return Object.fromEntries(robot.joints.map((joint) => [joint.name, joint.velocity_limit]));
};

const next = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

test('a folder of model files becomes a robot, even with a page reload in between, and is selected and deleted', async ({
  page,
  studio,
  problems,
}) => {
  test.setTimeout(120_000);
  const { root, folder } = strider();
  const { address } = studio;
  await open(page, address);
  await page.getByRole('button', { name: 'Robots', exact: true }).click();
  await page.getByRole('button', { name: 'Add robot' }).click();

  // files
  await page.getByLabel('Robot folder').setInputFiles(folder);
  await expect(page.getByRole('textbox', { name: 'ID' })).toHaveValue('strider');
  await next(page, 'Upload 2 files').click();

  // model
  await expect(page.getByRole('radio', { name: /strider\.xml/ })).toBeChecked();
  expect((await importState(address)).unfinished).toMatchObject([{ id: 'strider', files: 2 }]);
  await next(page, 'Read model').click();

  // review: wiring and gains are edited
  await expect(page.getByRole('combobox', { name: 'left foot' })).toHaveValue('left_foot');
  await expect(page.getByRole('combobox', { name: 'right foot' })).toHaveValue('right_foot');
  await expect(page.locator('.hud')).toContainText('Draft: strider');
  await page.getByRole('textbox', { name: 'Natural frequency, Hz' }).fill('12');
  await next(page, 'Apply').click();
  await expect(page.getByRole('textbox', { name: 'kp of left_hip_joint' }).locator('..')).toHaveAttribute(
    'title',
    /12\.0 Hz/,
  );
  await page.getByRole('tab', { name: /Bodies/ }).click();
  await page.getByRole('radio', { name: 'trunk is the anchor' }).check();

  // A reload keeps all edits.
  await expect.poll(() => page.url()).toContain('#/robots/import');
  await page.reload();
  await expect(page.getByRole('tab', { name: /Gains/ })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'kp of left_hip_joint' }).locator('..')).toHaveAttribute(
    'title',
    /12\.0 Hz/,
  );

  // check and save
  await next(page, 'Run check').click();
  const checks = page.getByRole('list', { name: 'Checks' }).getByRole('listitem');
  await expect(checks.first()).toBeVisible({ timeout: 60_000 });
  expect(await checks.count()).toBeGreaterThan(5);
  await next(page, /^Continue( anyway)?$/).click();
  await page.getByRole('textbox', { name: 'ID' }).fill('walker');
  await expect(next(page, 'Save robot')).toBeDisabled(); // the id `walker` is taken
  await page.getByRole('textbox', { name: 'ID' }).fill('strider');
  await page.getByRole('textbox', { name: 'Name' }).fill('Strider');
  await next(page, 'Save robot').click();
  await expect(page.getByText('strider is saved')).toBeVisible();
  expect(await selected(address)).toBe('strider'); // the scene shows what was saved
  await next(page, 'Show robot').click();
  expect((await importState(address)).unfinished).toEqual([]);
  await expect(page.getByRole('slider', { name: 'left_knee_joint', exact: true })).toBeVisible();

  // Edit again: the saved settings are shown, and saving replaces the robot.
  await page.getByRole('button', { name: 'Edit wiring' }).click();
  await expect(page.getByRole('heading', { name: 'Edit robot' })).toBeVisible();
  await expect(page.getByRole('tab', { name: /Joints/ })).toBeVisible({ timeout: 60_000 });
  expect((await importState(address)).unfinished).toEqual([]); // the robot's files are used, without an upload
  await page.getByRole('tab', { name: /Joints/ }).click();
  await page.getByRole('textbox', { name: 'Velocity limit of left_knee_joint, rad/s' }).fill('9');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: /Gains/ }).click();
  await expect(page.getByRole('textbox', { name: 'kp of left_hip_joint' }).locator('..')).toHaveAttribute(
    'title',
    /12\.0 Hz/,
  );
  await page.reload();
  await page.getByRole('tab', { name: /Joints/ }).click();
  await expect(page.getByRole('textbox', { name: 'Velocity limit of left_knee_joint, rad/s' })).toHaveValue('9.0');
  await next(page, 'Run check').click();
  await expect(page.getByRole('list', { name: 'Checks' })).toBeVisible({ timeout: 60_000 });
  await next(page, /^Continue( anyway)?$/).click();
  await expect(page.getByText('Replaces the robot strider')).toBeVisible();
  await next(page, 'Save robot').click();
  await next(page, 'Show robot').click();
  await expect.poll(async () => (await limits(address))['left_knee_joint']).toBe(9);
  expect((await limits(address))['left_hip_joint']).toBeNull();

  // Show the robot's file, then delete it.
  await page.getByRole('button', { name: 'More actions for Strider' }).click();
  await page.getByRole('menuitem', { name: 'Show robot.yaml' }).click();
  await expect(page.getByRole('dialog')).toContainText('anchor: trunk');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await post(address, '/api/robot/select', { name: 'humanoid' });
  await page.getByRole('button', { name: 'More actions for Strider' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete robot' }).click();
  await expect(page.getByRole('button', { name: /Strider/ })).toHaveCount(0);
  expect((await importState(address)).robots).not.toContainEqual(expect.objectContaining({ id: 'strider' }));
  expect(problems).toEqual([]);
  rmSync(root, { recursive: true });
});

/** Creates a URDF in the layout of ROS packages, with meshes by package. One mesh has an unsupported format. */
function crawler(): { readonly root: string; readonly folder: string } {
  const root = mkdtempSync(path.join(tmpdir(), 'motion-studio-crawler-'));
  const folder = path.join(root, 'crawler_description');
  for (const name of ['urdf', 'meshes']) mkdirSync(path.join(folder, name), { recursive: true });
  const inertial = (kg: number) =>
    `<inertial><mass value="${kg}"/><inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>`;
  const mesh = (file: string) =>
    `<visual><geometry><mesh filename="package://crawler_description/${file}"/></geometry></visual>`;
  const leg = (side: string, y: number) =>
    `<link name="${side}_leg">${inertial(1)}${mesh('meshes/leg.stl')}<collision><origin xyz="0 0 -0.3"/><geometry><box size="0.2 0.1 0.04"/></geometry></collision></link>
     <joint name="${side}_hip" type="revolute"><origin xyz="0 ${y} 0"/><parent link="base"/><child link="${side}_leg"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="30" velocity="8"/></joint>`;
  writeFileSync(
    path.join(folder, 'urdf/crawler.urdf'),
    `<robot name="crawler"><link name="base">${inertial(6)}${mesh('meshes/shell.ply')}</link>${leg('left', 0.1)}${leg('right', -0.1)}
      <link name="flap"/><joint name="flap_joint" type="revolute"><parent link="base"/><child link="flap"/><axis xyz="0 1 0"/>
      <limit lower="-1" upper="1"/><mimic joint="left_hip" multiplier="-0.5" offset="0.2"/></joint></robot>`,
  );
  writeFileSync(path.join(folder, 'meshes/shell.ply'), '<COLLADA/>');
  const triangle = (corners: string[]) =>
    `facet normal 0 0 0\nouter loop\n${corners.map((c) => `vertex ${c}`).join('\n')}\nendloop\nendfacet`;
  const [a, b, c, d] = ['0 0 0', '0.05 0 0', '0 0.05 0', '0 0 -0.3'] as const;
  const faces = [
    [a, b, c],
    [a, d, b],
    [a, c, d],
    [b, d, c],
  ].map((corners) => triangle(corners));
  writeFileSync(path.join(folder, 'meshes/leg.stl'), `solid leg\n${faces.join('\n')}\nendsolid leg\n`);
  return { root, folder };
}

test('a URDF is imported with its warnings; a joint that follows another cannot be moved, and moves with that joint', async ({
  page,
  studio,
  problems,
}) => {
  test.setTimeout(120_000);
  const { root, folder } = crawler();
  const { address } = studio;
  await open(page, `${address}/#/robots/import`);
  await page.getByLabel('Robot folder').setInputFiles(folder);
  await next(page, 'Upload 3 files').click();
  await expect(page.getByRole('radio', { name: /crawler\.urdf/ })).toBeChecked();
  await next(page, 'Read model').click();
  await page.getByRole('tab', { name: /Warnings/ }).click();
  for (const text of [
    'flap_joint follows left_hip',
    'shell.ply is a .ply file',
    'was given a free joint',
    'leg.stl is a text STL',
  ])
    await expect(page.getByRole('tabpanel')).toContainText(text);
  await next(page, 'Run check').click();
  await expect(page.getByRole('list', { name: 'Checks' })).toBeVisible({ timeout: 60_000 });
  await next(page, /^Continue( anyway)?$/).click();
  await next(page, 'Save robot').click();
  await next(page, 'Show robot').click();
  const flap = page.getByRole('slider', { name: 'flap_joint', exact: true });
  await expect(flap).toBeDisabled();
  await expect(flap).toHaveAttribute('aria-valuenow', '0.2');
  await page.getByRole('slider', { name: 'left_hip', exact: true }).focus();
  for (let k = 0; k < 4; k++) await page.keyboard.press('Shift+ArrowRight');
  await expect(flap).toHaveAttribute('aria-valuenow', '0'); // 0.2 − 0.5 · 0.4
  await post(address, '/api/robot/select', { name: 'humanoid' });
  expect(problems).toEqual([]);
  rmSync(root, { recursive: true });
});

test('an upload without a model or without one of its meshes names what is missing', async ({ page, studio }) => {
  const { root, folder } = strider();
  const { address } = studio;
  writeFileSync(
    path.join(folder, 'strider.xml'),
    WALKER_MJCF.replace('<asset>', '<asset><mesh name="hull" file="meshes/hull.stl"/>').replace(
      '<body name="left_thigh"',
      '<geom type="mesh" mesh="hull"/><body name="left_thigh"',
    ),
  );
  await open(page, `${address}/#/robots/import`);
  await page.getByLabel('Robot folder').setInputFiles(path.join(folder, 'notes'));
  await next(page, 'Upload 1 file').click();
  await expect(page.getByText('The files contain no model')).toBeVisible();
  await expect(next(page, 'Read model')).toBeDisabled();
  await next(page, 'Back').click();
  await page.getByRole('button', { name: 'Choose other files' }).click();
  await page.getByLabel('Robot folder').setInputFiles(folder);
  await next(page, 'Upload 2 files').click();
  await next(page, 'Read model').click();
  await expect(page.getByRole('region', { name: 'Add robot' }).getByRole('alert')).toContainText(
    '1 collision mesh is not among the files: meshes/hull.stl (trunk)',
  );
  for (const { id } of (await importState(address)).unfinished)
    await fetch(`${address}/api/robots/import/${id}`, { method: 'DELETE' });
  rmSync(root, { recursive: true });
});

test('a model that cannot be read shows the reason, and the upload can be removed', async ({ page, studio }) => {
  const { root, folder } = strider();
  writeFileSync(path.join(folder, 'strider.xml'), '<mujoco><worldbody><body></worldbody></mujoco>');
  await open(page, studio.address);
  await page.getByRole('button', { name: 'Robots', exact: true }).click();
  await page.getByRole('button', { name: 'Add robot' }).click();
  await page.getByLabel('Robot folder').setInputFiles(folder);
  await page.getByRole('textbox', { name: 'ID' }).fill('broken');
  await next(page, 'Upload 2 files').click();
  await next(page, 'Read model').click();
  await expect(page.getByRole('region', { name: 'Add robot' }).getByRole('alert')).toContainText(/strider\.xml/);
  await next(page, 'Back').click();
  await page.getByRole('button', { name: 'Choose other files' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('button', { name: 'Remove upload' }).click();
  await expect.poll(async () => (await importState(studio.address)).unfinished).toEqual([]);
  await page.getByRole('button', { name: 'Close and keep the draft' }).click();
  await expect(page.getByRole('button', { name: 'Add robot' })).toBeVisible();
  rmSync(root, { recursive: true });
});

test('gains are loaded from a file of the upload, a new file and another robot; unmatched joints are named', async ({
  page,
  studio,
  problems,
}, info) => {
  test.setTimeout(120_000);
  const { root, folder } = strider();
  const { address } = studio;
  mkdirSync(path.join(folder, 'params'));
  writeFileSync(
    path.join(folder, 'params/deploy.yaml'),
    'joint_ids_map: [0, 1, 2, 3]\nstiffness: [61, 62, 63, 64]\ndamping: [1, 2, 3, 4]\n',
  );
  await open(page, `${address}/#/robots/import`);
  await page.getByLabel('Robot folder').setInputFiles(folder);
  await next(page, 'Upload 3 files').click();
  await next(page, 'Read model').click();
  await page.getByRole('tab', { name: /Gains/ }).click();
  const kp = (joint: string) => page.getByRole('textbox', { name: `kp of ${joint}` });
  const from = async (item: RegExp | string) => {
    await page.getByRole('button', { name: 'Load gains from…' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const note = page.locator('.import-loaded');

  await from('params/deploy.yaml');
  await expect(note).toContainText('Gains of 4 joints loaded from params/deploy.yaml');
  await expect(note).toContainText('does not name its 4 joints, so they are assumed to be in the order of the model');
  await expect(kp('left_hip_joint')).toHaveValue('61.00');
  await expect(kp('right_knee_joint')).toHaveValue('64.00');

  const pd = { left_hip: { kp: 55, kd: 3 }, head: { kp: 9, kd: 1 } };
  await page
    .getByLabel('File with gains')
    .setInputFiles({ name: 'pd.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(pd)) });
  await expect(note).toContainText('Gains of 1 joint loaded from pd.json');
  await expect(note).toContainText('left_knee_joint, right_hip_joint, right_knee_joint');
  await expect(note).toContainText('Not joints of this robot: head');
  await expect(kp('left_hip_joint')).toHaveValue('55.00');
  await expect(kp('left_knee_joint')).toHaveValue('62.00');
  expect((await importState(address)).unfinished.map(({ id }) => id)).toEqual(['strider']);
  for (const [theme, width, height] of [
    ['dark', 1440, 900],
    ['light', 390, 844],
    ['light', 1440, 900],
  ] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: info.outputPath(`gains-${theme}-${width}.png`) });
    expect.soft(await findings(page), `${theme} ${width}×${height}`).toEqual([]);
    await page.getByRole('button', { name: 'Load gains from…' }).click();
    await page.screenshot({ path: info.outputPath(`menu-${theme}-${width}.png`) });
    expect.soft(await findings(page), `menu, ${theme} ${width}×${height}`).toEqual([]);
    await page.keyboard.press('Escape');
  }

  await page.getByLabel('File with gains').setInputFiles({
    name: 'none.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"left_hip": 1}'),
  });
  await expect(page.getByRole('alert')).toContainText('none.json has no gains');
  await from('Walker');
  await expect(note).toContainText('Gains of 4 joints loaded from walker');
  await expect(kp('left_hip_joint')).toHaveValue('40.00');
  await fetch(`${address}/api/robots/import/strider`, { method: 'DELETE' });
  expect(problems).toEqual([expect.stringContaining('400')]); // the file without gains
  rmSync(root, { recursive: true });
});

/** Checks every step of the wizard in both themes, on a desktop and on a phone. */
test('no step of the import has accessibility findings, and a click in the scene wires a body', async ({
  page,
  studio,
}, info) => {
  test.setTimeout(180_000);
  const { root, folder } = strider();
  const { address } = studio;
  const look = async (name: string) => {
    for (const [theme, width, height] of [
      ['dark', 1440, 900],
      ['light', 390, 844],
    ] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: info.outputPath(`${name}-${theme}-${width}.png`) });
      expect.soft(await findings(page), `${name}, ${theme} ${width}×${height}`).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  };
  await open(page, `${address}/#/robots/import`);
  await page.getByLabel('Robot folder').setInputFiles(folder);
  await expect(page.getByRole('textbox', { name: 'ID' })).toHaveValue('strider');
  await look('files');
  await next(page, 'Upload 2 files').click();
  await expect(next(page, 'Read model')).toBeEnabled();
  await look('model');
  await next(page, 'Read model').click();
  for (const tab of ['Joints', 'Gains', 'Warnings', 'Bodies']) {
    await page.getByRole('tab', { name: new RegExp(tab) }).click();
    await look(tab);
  }

  // The leader line of the anchor's label starts at the anchor's marker.
  const anchor = await page.getByRole('combobox', { name: 'Anchor' }).inputValue();
  const leader = page.locator('.leader-anchor');
  await expect(leader).toHaveCount(1);
  await page.waitForTimeout(1000); // the camera comes to rest
  const place = await leader.evaluate((element) => element.style.transform);
  const [x = 0, y = 0] = (/translate\(([\d.]+)px, ([\d.]+)px\)/.exec(place) ?? []).slice(1).map(Number);
  await page.locator('.scene-host').click({ position: { x, y } });
  const menu = page.getByRole('menu', { name: `Wiring of ${anchor}` });
  await expect(menu).toBeVisible();
  const key = page.getByRole('checkbox', { name: `${anchor} is a key body` });
  const before = await key.isChecked();
  await menu.getByRole('menuitemradio', { name: 'Key body' }).click();
  await expect(menu).toBeHidden();
  await expect(key).toBeChecked({ checked: !before });

  await next(page, 'Run check').click();
  await expect(page.getByRole('list', { name: 'Checks' })).toBeVisible({ timeout: 60_000 });
  await look('check');
  await next(page, /^Continue( anyway)?$/).click();
  await look('save');
  await page.getByRole('button', { name: 'Close and keep the draft' }).click();
  await look('robots');
  await fetch(`${address}/api/robots/import/strider`, { method: 'DELETE' });
  rmSync(root, { recursive: true });
});
