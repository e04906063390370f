import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Evaluation } from '../../src/protocol/schemas/evaluation.ts';
import type { Job } from '../../src/protocol/schemas/jobs.ts';
import { request } from '../support/client.ts';
import { cannotMount } from '../support/full-disk.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { call } from '../support/service-process.ts';
import { addSmallRun } from '../support/small-run.ts';
import { addConverted, ended, untilJob } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio({ each: true });

const RUN = 'small/zero';
const started = new Set<number>();
let mounted: string | null = null;

afterEach(async () => {
  await studio.stop('SIGKILL');
  for (const pid of started) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL');
  started.clear();
  if (mounted !== null) spawnSync('umount', [mounted]);
  mounted = null;
});

async function start(): Promise<string> {
  const folder = addSmallRun(
    path.join(studio.workspace, 'logs/rsl_rl'),
    (await preparedHumanoid()).facts.joints.length,
    RUN,
  );
  await studio.start();
  await addConverted(studio.address, studio.workspace, 'one', ['squat']);
  return path.join(folder, 'evaluations');
}
const asked = { run: RUN, motion: 'data/humanoid/one', starts: 150, conditions: ['task'] };
const evaluate = (body: object) => request(studio.address, 'POST /api/evaluate', body);
const get = (name: string) => call<Evaluation>(studio.address, `/api/evaluations/${name}`);
const results = ({ summary, clips, joints }: Evaluation) => ({ summary, clips, joints });

test('an evaluation survives a kill of the service; after a kill of its own process it continues with equal bits', async () => {
  const evaluations = await start();
  const whole = (await evaluate(asked)).body;
  await untilJob(studio.address, whole.job, ({ status }) => status === 'done', 120_000);
  const wanted = results(await get(whole.evaluation));

  const { body: cut } = await evaluate(asked);
  const { pid } = await untilJob(studio.address, cut.job, ({ step }) => (step ?? 0) >= 10, 60_000);
  started.add(pid!);
  process.kill(pid!, 'SIGSTOP'); // else it may end before the next service has found it
  await studio.stop('SIGKILL');
  await studio.start();
  const found = await untilJob(studio.address, cut.job, ({ step }) => (step ?? 0) >= 10, 60_000);
  expect(found.pid).toBe(pid);
  process.kill(pid!, 'SIGKILL');
  const lost = await untilJob(studio.address, cut.job, ended, 60_000);
  expect(lost.error).toMatch(/killed/);
  expect(await get(cut.evaluation)).toMatchObject({ status: lost.status, summary: [], clips: [], joints: [] });
  expect(existsSync(path.join(evaluations, cut.evaluation, 'results.json'))).toBe(false);

  const resumed = await evaluate({ run: RUN, resume: cut.evaluation });
  expect(resumed.body).toMatchObject({ ok: true, evaluation: cut.evaluation });
  expect((await evaluate({ run: RUN, resume: cut.evaluation })).status).toBe(409);
  const job = await untilJob(studio.address, resumed.body.job, ended, 120_000);
  expect(job.status).toBe('done');
  expect(job.log[0]).not.toContain('Evaluated 0/');
  const done = await get(cut.evaluation);
  expect(done).toMatchObject({ status: 'done', job: resumed.body.job });
  expect(results(done)).toEqual(wanted);
  expect((await evaluate({ run: RUN, resume: cut.evaluation })).body.detail).toMatch(/^resume: .* is already complete/);
}, 300_000);

test.skipIf(cannotMount)(
  'a full disk fails the evaluation with one sentence, and no incomplete evaluation is listed',
  async () => {
    const evaluations = await start();
    spawnSync('mkdir', ['-p', evaluations]);
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200k', 'none', evaluations]).status).toBe(0);
    mounted = evaluations;
    const { body } = await evaluate(asked);
    const job = await untilJob(studio.address, body.job, ended, 120_000);
    expect(job).toMatchObject<Partial<Job>>({ status: 'failed', error: expect.stringContaining('no space left') });
    expect(await get(body.evaluation)).toMatchObject({ status: 'failed', summary: [], clips: [] });
    const units = path.join(evaluations, body.evaluation, 'units');
    for (const name of readdirSync(units).filter((each) => !each.startsWith('.')))
      expect(() => JSON.parse(readFileSync(path.join(units, name), 'utf8'))).not.toThrow();
    const refused = await evaluate(asked);
    expect([200, 507]).toContain(refused.status);
  },
  180_000,
);
