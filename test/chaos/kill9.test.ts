import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isTemp } from '../../src/core/files/atomic-file.ts';
import { formatYaml } from '../../src/core/yaml-file.ts';
import type { Busy } from '../../src/protocol/schemas/busy.ts';
import { WALKER_MJCF, walkerSpec } from '../support/models.ts';
import { randomFrom } from '../support/random.ts';
import { call } from '../support/service-process.ts';
import { useStudio } from '../support/use-studio.ts';

const KILLS = 20;
/** Workspaces that are killed in parallel; two halve the time on two cores. */
const LANES = 2;
const SEED = 20_260_101;
/** One in this many kills comes while the service starts, within START_MS … */
const STARTS_OF = 5;
const START_MS = 900;
/** … the others come at most this long after the checks of the workspace. */
const WORK_MS = 400;
/** One in this many lives begins with an empty `.studio`, so that robots are compiled again … */
const FORGET_EVERY = 7;
/** … and one in this many begins with a new workspace, so that the samples are written. */
const NEW_EVERY = 10;

const WALKER_JOINTS = ['left_hip_joint', 'left_knee_joint', 'right_hip_joint', 'right_knee_joint'];
const ROWS = 200;
const row = (k: number) => [0, 0, 0.62, 0, 0, 0, 1, ...WALKER_JOINTS.map((_, j) => Math.sin(k / 30 + j) * 0.3)];
const CLIP = `${Array.from({ length: ROWS }, (_, k) => row(k).join(',')).join('\n')}\n`;

const studio = useStudio({ each: true });

const start = (root: string) => studio.spawn([], { workspace: root });

function newWorkspace(root: string): void {
  mkdirSync(path.join(root, 'robots/walker'), { recursive: true });
  mkdirSync(path.join(root, 'data/walker/steps'), { recursive: true });
  writeFileSync(path.join(root, 'robots/walker/walker.xml'), WALKER_MJCF);
  writeFileSync(path.join(root, 'robots/walker/robot.yaml'), formatYaml(walkerSpec()));
}

interface Listed {
  robots: { id: string; error: string | null; model: object | null; datasets: { name: string; source: number }[] }[];
  selected: string;
}
interface Clips {
  total: number;
  clips: { name: string; frames: number | null; error: string | null }[];
}

/** Expects what a user should see after the restart: robots that load, complete clips, and nothing else. */
async function expectWhole(address: string, root: string, copied: number): Promise<void> {
  await expect
    .poll(
      async () => (await call<Listed>(address, '/api/robots')).robots.map(({ id, model }) => [id, model !== null]),
      {
        timeout: 30_000,
      },
    )
    .toEqual([
      ['humanoid', true],
      ['walker', true],
    ]);
  const { robots, selected } = await call<Listed>(address, '/api/robots');
  expect(robots.map(({ error }) => error)).toEqual([null, null]);
  const dataset = selected === 'walker' ? 'steps' : 'samples';
  const { clips, total } = await call<Clips>(address, `/api/data/clips?dataset=${dataset}&size=1000`);
  expect(total).toBe(selected === 'walker' ? copied : 6);
  for (const clip of clips) expect(clip).toMatchObject({ error: null });
  if (selected === 'walker')
    expect(new Set(clips.map(({ frames }) => frames))).toEqual(new Set(copied > 0 ? [ROWS] : []));
  const state = path.join(root, '.studio/state.json');
  if (readdirSync(path.dirname(state)).includes('state.json')) JSON.parse(readFileSync(state, 'utf8'));
}

/** Selects robots and poses them without a pause until the service is gone. */
async function use(address: string, random: () => number): Promise<void> {
  for (let i = 0; ; i++) {
    const name = i % 2 === 0 ? 'walker' : 'humanoid';
    const { busy } = await call<{ busy: Busy }>(address, '/api/robot/select', { name });
    if (busy.state !== 'done') throw new Error(`select ${name}: ${busy.state} ${busy.error}`);
    if (name === 'walker') {
      for (const joint of WALKER_JOINTS)
        await call(address, '/api/robot/joint', { name: joint, value: random() - 0.5 });
    }
  }
}

/** One lane: a service that is started, used and killed repeatedly. @returns number of checks of a whole workspace */
async function killAgainAndAgain(lane: string, kills: number, random: () => number): Promise<number> {
  const source = path.join(lane, 'clip.csv');
  mkdirSync(lane);
  writeFileSync(source, CLIP);
  let root = '';
  let copied = 0;
  let looks = 0;
  for (let kill = 0; kill < kills; kill++) {
    if (kill % NEW_EVERY === 0) {
      root = path.join(lane, `workspace-${kill}`);
      newWorkspace(root);
      copied = 0;
    } else if (kill % FORGET_EVERY === 0) {
      rmSync(path.join(root, '.studio'), { recursive: true, force: true });
    }
    const service = start(root);
    if (kill % STARTS_OF === 0) {
      await sleep(random() * START_MS);
    } else {
      const address = await service.ready;
      await expectWhole(address, root, copied);
      looks += 1;
      const until = sleep(random() * WORK_MS);
      const using = use(address, random).catch((error: unknown) => error);
      await Promise.all([until, copyFile(source, path.join(root, `data/walker/steps/step_${kill}.csv`))]);
      copied += 1;
      service.child.kill('SIGKILL');
      // The requests fail because the service is gone, not because of a wrong response.
      expect(String(await using)).toMatch(/fetch failed|terminated|other side closed/);
    }
    service.child.kill('SIGKILL');
    await service.exit;
  }
  await expectWhole(await start(root).ready, root, copied);
  await expect
    .poll(() => readdirSync(root, { recursive: true }).filter((file) => isTemp(path.basename(String(file)))))
    .toEqual([]);
  return looks + 1;
}

test(`after ${KILLS} kills at random moments the workspace loads and lists only complete files`, {
  timeout: 300_000,
}, async () => {
  const kills = KILLS / LANES;
  const lanes = Array.from({ length: LANES }, (_, k) =>
    killAgainAndAgain(path.join(studio.folder, `lane-${k}`), kills, randomFrom(SEED + k)),
  );
  const looks = await Promise.all(lanes);
  expect(looks).toEqual(Array(LANES).fill(kills - kills / STARTS_OF + 1));
});

test('a clip copied in by hand is listed once the copy is complete', async () => {
  const root = path.join(studio.folder, 'workspace');
  newWorkspace(root);
  const address = await start(root).ready;
  await call(address, '/api/robot/select', { name: 'walker' });
  const target = path.join(root, 'data/walker/steps/slow.csv');
  const half = CLIP.length >> 1;
  writeFileSync(target, CLIP.slice(0, half));
  await sleep(300); // the copy pauses long enough for the service to see half of the file
  writeFileSync(target, CLIP.slice(half), { flag: 'a' });
  copyFileSync(target, path.join(root, 'data/walker/steps/whole.csv'));
  await expect
    .poll(
      async () =>
        (await call<Clips>(address, '/api/data/clips?dataset=steps')).clips.map(({ name, frames }) => [name, frames]),
      {
        timeout: 30_000,
      },
    )
    .toEqual([
      ['slow', ROWS],
      ['whole', ROWS],
    ]);
});
