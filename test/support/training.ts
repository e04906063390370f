import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatYaml } from '../../src/core/yaml-file.ts';
import { hasEnded } from '../../src/jobs/job-record.ts';
import type { Job } from '../../src/protocol/schemas/jobs.ts';
import { call } from './service-process.ts';

const TRAINER = fileURLToPath(new URL('./external-trainer.mjs', import.meta.url));

/** Configures a workspace to train with a small external program.
 *  @returns the working directory of that program, `outside/` in the workspace */
export function addExternalTrainer(workspace: string, localLimit = 1): string {
  const cwd = path.join(workspace, 'outside');
  mkdirSync(cwd);
  const command = [process.execPath, TRAINER, '--task', '{task}', '--robot', '{robot}', '--dataset', '{dataset}'];
  const numbers = ['--num-envs', '{num_envs}', '--max-iterations', '{max_iterations}', '--seed={seed}'];
  const rest = ['--run-name', '{run_name}', '{resume}', '{extra}'];
  writeSettings(workspace, {
    jobs: { local_limit: localLimit },
    trainers: {
      small: { command: [...command, ...numbers, ...rest], cwd: 'outside', num_envs: 64, max_iterations: 5 },
      missing: { command: ['no-such-trainer', '{task}'] },
    },
  });
  return cwd;
}

export function writeSettings(workspace: string, settings: object): void {
  writeFileSync(path.join(workspace, 'studio.yaml'), formatYaml(settings));
}

/** Copies sample clips of the built-in robot into a new dataset and converts them.
 *  @param address of a service on the workspace */
export async function addConverted(
  address: string,
  workspace: string,
  dataset: string,
  clips: string[],
): Promise<void> {
  const robot = path.join(workspace, 'data/humanoid');
  mkdirSync(path.join(robot, dataset), { recursive: true });
  for (const clip of clips)
    copyFileSync(path.join(robot, 'samples', `${clip}.csv`), path.join(robot, dataset, `${clip}.csv`));
  await call(address, '/api/data/uploaded', {}); // lists them now, however slow the watch of the folders is
  const { job } = await call<{ job: string }>(address, '/api/data/convert', { dataset });
  await untilJob(address, job, ({ status }) => hasEnded(status));
}

/** Polls a job until `wanted` accepts it. @throws with the job's last state if `withinMs` passes */
export async function untilJob(
  address: string,
  name: string,
  wanted: (job: Job & { log: string[] }) => boolean,
  withinMs = 50_000,
): Promise<Job & { log: string[] }> {
  const until = performance.now() + withinMs;
  for (;;) {
    const job = await call<Job & { log: string[] }>(address, `/api/jobs/${name}`);
    if (wanted(job)) return job;
    if (performance.now() > until) throw new Error(`still ${JSON.stringify(job)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const ended = ({ status }: Job): boolean => hasEnded(status);
