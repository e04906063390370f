import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceProcess, spawnService } from '../support/service-process.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const ADDRESS = 'http://127.0.0.1:8765';
/** The example of a language, pointed at this test's service. */
const example = (language: string, address: string) => {
  const block = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(README)?.[1];
  if (block === undefined || !block.includes(ADDRESS)) throw new Error(`the README has no ${language} example`);
  return block.replaceAll(ADDRESS, address);
};
const has = (program: string, args: string[]) => spawnSync(program, args).status === 0;
const hasCurl = has('curl', ['--version']);
/** The first on this machine that has the packages: a virtual environment often lacks those of the system. */
const PYTHON = ['python3', '/usr/bin/python3'].find((python) =>
  has(python, ['-c', 'import numpy, requests, websocket']),
);
if (!hasCurl) console.warn('no curl: its examples are not tried');
if (PYTHON === undefined)
  console.warn('no python3 with numpy, requests and websocket-client: the Python example is not tried');

let folder: string;
let service: ServiceProcess;
let address: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'readme-'));
  service = spawnService(['--workspace', path.join(folder, 'workspace')]);
  address = await service.ready;
}, 30_000);
afterAll(async () => {
  service.child.kill('SIGKILL');
  await service.exit;
  rmSync(folder, { recursive: true });
});

test.skipIf(!hasCurl)('the curl examples of the README do what they say', () => {
  const script = example('bash', address)
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => (line.startsWith('curl ') ? `${line.replace('curl -s', 'curl -sf')}; echo` : line))
    .join('\n');
  const { stdout, stderr, status } = spawnSync('bash', ['-e', '-c', script], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(answers).toMatchObject([
    { selected: 'humanoid' },
    { ok: true, busy: { state: 'done' } },
    { ok: true, value: 0.8 },
    { total: 1, clips: [{ name: 'walk_forward' }] },
    { ok: true, job: 'convert-samples-1' },
    { jobs: [{ kind: 'convert', dataset: 'samples' }] },
    { ok: true, busy: { state: 'done' } },
    { ok: true, playing: false },
    { ok: true, frame: 60, playing: false },
  ]);
});

test.skipIf(PYTHON === undefined)('the Python example of the README prints the poses of 30 frames', () => {
  const script = path.join(folder, 'example.py');
  writeFileSync(script, example('python', address));
  const { stdout, stderr, status } = spawnSync(PYTHON!, [script], { encoding: 'utf8', timeout: 30_000 });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(30);
  for (const line of lines) expect(line).toMatch(/^\d+ \w+ \[[-\d.e+ ]+\]$/);
});
