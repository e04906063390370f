import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { request } from '../support/client.ts';
import { call } from '../support/service-process.ts';
import { addConverted } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../docs/operation/backup.md'), 'utf8');

beforeAll(async () => {
  await studio.start();
  await addConverted(studio.address, studio.workspace, 'one', ['squat']);
  const preset = { base: 'Wbc-Humanoid', overrides: { episode_length_s: 5 } };
  await fetch(`${studio.address}/api/presets/short`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(preset),
  });
});

/** The line of the documentation that begins with `start`, with `from` replaced by `to`. */
function commandOf(start: string, from: string, to: string): string {
  const line = PAGE.split('\n').find((one) => one.trim().startsWith(start));
  if (line?.split(from).length !== 2) throw new Error(`docs/operation/backup.md: no "${start}" with "${from}" once`);
  return line.replace(from, to);
}

/** Starts a service on `copy`, calls `look`, and ends the service. */
async function inCopy<T>(copy: string, look: (address: string) => Promise<T>): Promise<T> {
  const other = studio.spawn([], { workspace: copy });
  try {
    return await look(await other.ready);
  } finally {
    other.child.kill('SIGTERM');
    await other.exit;
  }
}

test('the backup commands of the docs copy everything while the service runs', async () => {
  const sh = (command: string) => execFileSync('sh', ['-c', command], { cwd: studio.folder });
  sh(commandOf('tar --exclude', '/srv/studio/workspace', studio.workspace));
  mkdirSync(path.join(studio.folder, 'restored'));
  sh(`cd restored && ${commandOf('mkdir workspace', 'studio.tar.gz', '../studio.tar.gz')}`);
  const copy = path.join(studio.folder, 'restored/workspace');
  expect(existsSync(path.join(copy, '.studio'))).toBe(false);
  await inCopy(copy, async (there) => {
    const [mine, theirs] = await Promise.all(
      [studio.address, there].map(async (at) => {
        const { datasets } = (await request(at, 'GET /api/data/datasets')).body;
        const { jobs } = (await request(at, 'GET /api/jobs')).body;
        return {
          datasets: datasets.map(({ name, source, converted }) => ({ name, source, converted })),
          jobs: jobs.map(({ name, status }) => ({ name, status })),
          preset: await call<object>(at, '/api/presets/short'),
        };
      }),
    );
    expect(theirs).toEqual(mine);
    expect(theirs!.datasets).toContainEqual({ name: 'one', source: 1, converted: 1 });
  });
});

test('a copy with the lock of a running service is refused; without .studio it opens', async () => {
  const copy = path.join(studio.folder, 'whole');
  const { pid } = JSON.parse(readFileSync(path.join(studio.workspace, '.studio/lock'), 'utf8')) as { pid: number };
  cpSync(studio.workspace, copy, { recursive: true });
  const refused = studio.spawn([], { workspace: copy });
  expect(await refused.exit).toEqual({ code: 1, signal: null });
  expect(refused.stderr()).toContain(`the workspace ${copy} is in use by process ${pid}`);
  rmSync(path.join(copy, '.studio'), { recursive: true });
  expect(await inCopy(copy, (there) => call(there, '/healthz'))).toMatchObject({ ok: true });
});
