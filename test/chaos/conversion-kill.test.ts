import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isTemp } from '../../src/core/files/atomic-file.ts';
import { readMotionNpz } from '../../src/formats/motion-npz.ts';
import type { Job } from '../../src/protocol/schemas/jobs.ts';
import { randomFrom } from '../support/random.ts';
import { call, type ServiceProcess, spawnService } from '../support/service-process.ts';
import { addWalker } from '../support/workspace.ts';

const KILLS = 50;
/** Workspaces that are killed side by side, which halves the time on two cores. */
const LANES = 2;
const SEED = 20_260_303;
const CLIPS = 120;
const ROWS = 1500;
/** Frames that `ROWS` at 30 a second make at 50. */
const FRAMES = 2499;
/** After the first clip of a job, at most so long until the kill. */
const WORK_MS = 300;

const CLIP = `${Array.from({ length: ROWS }, (_, k) =>
  [k / 100, 0, 0.62, 0, 0, 0, 1, ...[0, 1, 2, 3].map((j) => Math.sin(k / 30 + j) * 0.3)].join(','),
).join('\n')}\n`;

let base: string;
let started: ServiceProcess[];
beforeEach(() => {
  started = [];
  base = mkdtempSync(path.join(tmpdir(), 'conversion-kill-'));
});
afterEach(async () => {
  for (const service of started) {
    service.child.kill('SIGKILL');
    await service.exit;
  }
  rmSync(base, { recursive: true, force: true });
});

function start(root: string): ServiceProcess {
  const service = spawnService(['--workspace', root]);
  started.push(service);
  return service;
}

const jobOf = (address: string, name: string) => call<Job>(address, `/api/jobs/${name}`);

/** Names of converted clips, each of which must be whole. */
async function wholeNpz(folder: string): Promise<string[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.npz'));
  for (const file of files)
    expect((await readMotionNpz(path.join(folder, file))).frames, `${file} is half-written`).toBe(FRAMES);
  return files;
}

async function convert(address: string, which: 'missing' | 'all'): Promise<string> {
  return (await call<{ job: string }>(address, '/api/data/convert', { dataset: 'many', which })).job;
}

async function until(address: string, job: string, wanted: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const state = await jobOf(address, job);
    if (wanted(state)) return state;
    await sleep(10);
  }
}

/** One lane: a conversion that is killed again and again, each time at another moment.
 *  @returns how many kills came in its middle */
async function killAgainAndAgain(root: string, kills: number, random: () => number): Promise<number> {
  addWalker(root);
  const dataset = path.join(root, 'data/walker/many');
  const npz = path.join(dataset, 'npz');
  mkdirSync(dataset, { recursive: true });
  for (let k = 0; k < CLIPS; k += 1) writeFileSync(path.join(dataset, `clip_${k}.csv`), CLIP);
  let inMiddle = 0;
  let last: string | null = null;
  for (let kill = 0; kill < kills; kill += 1) {
    const service = start(root);
    const address = await service.ready;
    if (last === null) await call(address, '/api/robot/select', { name: 'walker' });
    else {
      const lost = await jobOf(address, last);
      if (lost.status === 'lost')
        expect(lost.error).toBe(
          'the service ended during this job; convert the missing clips of dataset many to go on',
        );
      else expect(lost.status).toBe('done');
      inMiddle += lost.status === 'lost' ? 1 : 0;
      await expect.poll(() => readdirSync(npz).filter(isTemp), { timeout: 5000 }).toEqual([]);
    }
    last = await convert(address, 'all');
    await until(address, last, ({ step }) => (step ?? 0) > 0);
    await sleep(random() * WORK_MS);
    service.child.kill('SIGKILL');
    await service.exit;
    await wholeNpz(npz);
  }
  // Some are gone, so that there is something to complete.
  for (const file of (await wholeNpz(npz)).slice(0, 10)) rmSync(path.join(npz, file));
  const address = await start(root).ready;
  const job = await convert(address, 'missing');
  expect(await until(address, job, ({ ended }) => ended !== null)).toMatchObject({ status: 'done', error: null });
  expect(await wholeNpz(npz)).toHaveLength(CLIPS);
  return inMiddle;
}

test(`after ${KILLS} kills during conversions no npz is half-written, and the missing ones can be converted`, {
  timeout: 400_000,
}, async () => {
  const lanes = Array.from({ length: LANES }, (_, k) =>
    killAgainAndAgain(path.join(base, `lane-${k}`), KILLS / LANES, randomFrom(SEED + k)),
  );
  const inMiddle = (await Promise.all(lanes)).reduce((sum, count) => sum + count, 0);
  // The last kill of each lane is not looked at; the others should come before the job's end.
  expect(inMiddle).toBeGreaterThan(0.8 * (KILLS - LANES));
});
