import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '../support/client.ts';
import { call } from '../support/service-process.ts';
import { addConverted, ended, untilJob } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

const PART = {
  ...{ task: 'Wbc-Humanoid', dataset: 'two', num_envs: 8, max_iterations: 20 },
  extra: ['--experts=on', '--threads=1'],
};
let pid: number | null = null;

beforeAll(async () => {
  await studio.start();
  await addConverted(studio.address, studio.workspace, 'two', ['squat', 'turn']);
}, 120_000);
afterAll(() => {
  if (pid !== null && existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL');
});

const launch = (body: object) => request(studio.address, 'POST /api/train/launch', { ...PART, ...body });
const folderOf = (run: string) => path.join(studio.workspace, 'logs/rsl_rl', run);
const runsNow = async () => (await request(studio.address, 'GET /api/runs')).body.runs;

test('a dry run states the number of experts and how the iterations are divided', async () => {
  const { body } = await launch({ dry_run: true });
  expect(body.checks?.find(({ name }) => name === 'experts')).toEqual({
    name: 'experts',
    ok: true,
    text: 'about 2 experts of 10 s for 15 s of motion; iterations: 6 for a base policy, 10 for the experts, 4 to distil them',
  });
  const few = await launch({ max_iterations: 2 });
  expect([few.status, few.body.detail]).toEqual([400, 'max_iterations: experts need at least 3, not 2']);
  const odd = await launch({ extra: ['--experts=maybe'] });
  expect([odd.status, odd.body.detail]).toEqual([400, 'extra: --experts must be on or off']);
});

test('a training killed while it trains experts is resumed with the finished ones, and its run plays and is listed', async () => {
  const { body } = await launch({});
  const log = (job: { log: string[] }, text: string) => job.log.some((line) => line.includes(text));
  const begun = await untilJob(studio.address, body.job!, (job) => log(job, '[INFO] Finished expert'), 200_000);
  pid = begun.pid!;
  process.kill(pid, 'SIGKILL');
  const killed = await untilJob(studio.address, body.job!, ended, 60_000);
  expect(killed).toMatchObject({ status: 'failed', signal: 'SIGKILL', run: body.run });
  const experts = (run: string) => path.join(folderOf(run), 'experts');
  const finished = readdirSync(experts(body.run!)).filter((name) => /^\d{4}\.pt$/.test(name));
  expect(finished).toHaveLength(1);

  const { body: next } = await launch({ resume_run: body.run! });
  const done = await untilJob(studio.address, next.job!, ended, 300_000);
  expect(done, done.log.join('\n')).toMatchObject({ status: 'done', exit_code: 0, progress: 1 });
  const inode = (run: string) => statSync(path.join(experts(run), finished[0]!)).ino;
  expect(inode(next.run!)).toBe(inode(body.run!));
  const listed = await runsNow();
  expect(listed.map((run) => run.path).sort()).toEqual([body.run!, next.run!].sort());
  expect(listed.find((run) => run.path === next.run)).toMatchObject({ latest: 'model_19.pt', error: null });
  expect(existsSync(path.join(folderOf(next.run!), 'params/policy.onnx'))).toBe(true);
  const { series } = (await request(studio.address, 'GET /api/curves', { run: next.run! })).body;
  expect(series.map(({ tag }) => tag)).toContain('Loss/distillation');
  await call(studio.address, '/api/play/configure', { run: next.run!, num_envs: 1 });
}, 600_000);
