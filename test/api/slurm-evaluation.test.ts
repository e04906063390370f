import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Evaluation } from '../../src/protocol/schemas/evaluation.ts';
import { request } from '../support/client.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { call } from '../support/service-process.ts';
import { hasSlurm, SLURM_CLUSTER } from '../support/slurm.ts';
import { addSmallRun } from '../support/small-run.ts';
import { addConverted, ended, untilJob, writeSettings } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();
const available = hasSlurm();
const RUN = 'small/zero';
const cluster = () => path.join(studio.folder, 'cluster');

beforeAll(async () => {
  if (!available) return;
  addSmallRun(path.join(studio.workspace, 'logs/rsl_rl'), (await preparedHumanoid()).facts.joints.length, RUN);
  writeSettings(studio.workspace, { launchers: { cluster: { kind: 'slurm', partition: 'gpu' } } });
  const up = spawnSync(SLURM_CLUSTER, ['up', cluster(), String(20_000 + (process.pid % 20_000))], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(up.stdout, up.stderr).toContain('state=idle');
  await studio.start([], { env: { SLURM_CONF: path.join(cluster(), 'slurm.conf') } });
  await addConverted(studio.address, studio.workspace, 'one', ['squat']);
}, 300_000);
afterAll(() => {
  if (available) spawnSync(SLURM_CLUSTER, ['down', cluster()]);
});

test.skipIf(!available)(
  'an evaluation through Slurm has the same bits as a local one',
  async () => {
    const evaluated = async (launcher: string): Promise<Evaluation> => {
      const asked = { run: RUN, motion: 'data/humanoid/one', starts: 2, horizon_s: 1, conditions: ['task'], launcher };
      const { status, body } = await request(studio.address, 'POST /api/evaluate', asked);
      if (status !== 200) throw new Error(body.detail);
      const job = await untilJob(studio.address, body.job, ended, 200_000);
      expect(job, job.log.join('\n')).toMatchObject({ status: 'done', launcher, step: 2, steps: 2, exit_code: 0 });
      return call<Evaluation>(studio.address, `/api/evaluations/${body.evaluation}`);
    };
    const [local, remote] = [await evaluated('local'), await evaluated('cluster')];
    expect(remote.status).toBe('done');
    expect([remote.summary, remote.clips, remote.joints]).toEqual([local.summary, local.clips, local.joints]);
  },
  450_000,
);
