import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isTemp } from '../../src/core/files/atomic-file.ts';
import { readMotionNpz } from '../../src/formats/motion-npz.ts';
import type { Job } from '../../src/protocol/schemas/jobs.ts';
import { randomFrom } from '../support/random.ts';
import { call } from '../support/service-process.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker, walkerClip } from '../support/workspace.ts';

const KILLS = 16;
/** Workspaces that are killed in parallel; two halve the time on two cores. */
const LANES = 2;
const SEED = 20_260_102;
/** Maximum time between the request of a conversion and the kill. */
const WORK_MS = 500;
/** More clips than all conversions finish before their kills, so that nearly every kill interrupts one. */
const CLIPS = 600;
const ROWS = 500;
const HINT = 'the service ended during this job. Convert the missing clips of dataset steps to continue.';

const studio = useStudio({ each: true });

const start = (root: string) => studio.spawn([], { workspace: root });

interface Datasets {
  datasets: { name: string; source: number; converted: number; missing: number }[];
}

/** Complete files in the dataset's npz folder; all others must be unfinished files, which the service does not list. */
async function wholeFiles(root: string): Promise<string[]> {
  const folder = path.join(root, 'data/walker/steps/npz');
  const files = readdirSync(folder);
  const whole = files.filter((file) => file.endsWith('.npz') && !isTemp(file));
  expect(files.filter((file) => !whole.includes(file) && !isTemp(file))).toEqual([]);
  return whole;
}

async function expectReadable(root: string, files: readonly string[]): Promise<void> {
  const folder = path.join(root, 'data/walker/steps/npz');
  for (const file of files) {
    const { frames } = await readMotionNpz(readFileSync(path.join(folder, file)));
    expect(frames, file).toBeGreaterThan(ROWS);
  }
}

/** One lane: conversions that are killed repeatedly. @returns number of kills that interrupted a conversion */
async function killAgainAndAgain(root: string, kills: number, random: () => number): Promise<number> {
  mkdirSync(root);
  addWalker(root);
  const dataset = path.join(root, 'data/walker/steps');
  mkdirSync(dataset, { recursive: true });
  for (let k = 0; k < CLIPS; k++) writeFileSync(path.join(dataset, `step_${k}.csv`), walkerClip(ROWS));
  let known: string[] = [];
  let interrupted = 0;
  for (let kill = 0; kill < kills; kill++) {
    const service = start(root);
    const address = await service.ready;
    if (kill === 0) await call(address, '/api/robot/select', { name: 'walker' });
    const { job } = await call<{ job: string }>(address, '/api/data/convert', { dataset: 'steps' });
    await sleep(random() * WORK_MS);
    service.child.kill('SIGKILL');
    await service.exit;

    // New files are complete, and the record is that of a running or an ended job.
    const files = await wholeFiles(root);
    expect(files).toEqual(expect.arrayContaining(known));
    await expectReadable(
      root,
      files.filter((file) => !known.includes(file)),
    );
    known = files;
    const { status } = JSON.parse(readFileSync(path.join(root, 'jobs', job, 'job.json'), 'utf8')) as Job;
    if (status === 'running' || status === 'queued') interrupted += 1;
  }

  const address = await start(root).ready;
  const { jobs } = await call<{ jobs: Job[] }>(address, '/api/jobs');
  expect(jobs).toHaveLength(kills);
  expect(jobs.filter(({ status, error }) => status === 'lost' && error === HINT)).toHaveLength(interrupted);
  const { job } = await call<{ job: string }>(address, '/api/data/convert', { dataset: 'steps' });
  await expect
    .poll(async () => (await call<Job>(address, `/api/jobs/${job}`)).status, { timeout: 120_000, interval: 200 })
    .toBe('done');
  const last = await call<Job>(address, `/api/jobs/${job}`);
  expect(last).toMatchObject({ error: null, step: CLIPS - known.length });
  await expectReadable(root, await wholeFiles(root));
  await expect
    .poll(async () => (await call<Datasets>(address, '/api/data/datasets')).datasets)
    .toMatchObject([{ name: 'steps', source: CLIPS, converted: CLIPS, missing: 0 }]);
  expect(readdirSync(path.join(dataset, 'npz')).filter(isTemp)).toEqual([]);
  return interrupted;
}

test(`after ${KILLS} kills during conversions no npz is broken, each job is lost, and converting the missing clips completes the dataset`, {
  timeout: 400_000,
}, async () => {
  const lanes = Array.from({ length: LANES }, (_, k) =>
    killAgainAndAgain(path.join(studio.folder, `lane-${k}`), KILLS / LANES, randomFrom(SEED + k)),
  );
  const interrupted = (await Promise.all(lanes)).reduce((sum, count) => sum + count, 0);
  // A few kills may come before the first clip or after the last one.
  expect(interrupted).toBeGreaterThan(0.75 * KILLS);
});
