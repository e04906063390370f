import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Finding } from '../../src/cli/local/finding.ts';
import { runLocalCommand } from '../../src/cli/local/run-local-command.ts';
import { formatYaml } from '../../src/core/yaml-file.ts';
import { WALKER_MJCF, walkerSpec } from '../support/models.ts';

let workspace: string;
let out: string;
let err: string;

beforeEach(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'doctor-'));
  out = '';
  err = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(workspace, { recursive: true, force: true });
});

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(workspace, file)), { recursive: true });
  writeFileSync(path.join(workspace, file), text);
}

async function doctor(...args: string[]) {
  const code = await runLocalCommand('doctor', ['--workspace', workspace, '--port', '0', '--json', ...args], {
    PATH: process.env['PATH'],
  });
  const { works, findings } = JSON.parse(out) as { works: boolean; findings: readonly Finding[] };
  const of = (subject: string) => findings.find((finding) => finding.subject === subject);
  return { code, works, findings, of };
}

test('doctor finds no problem in an empty workspace, and writes nothing into it', async () => {
  const { code, works, findings, of } = await doctor();
  expect([code, works]).toEqual([0, true]);
  expect(findings.filter(({ area, state }) => area === 'workspace' && state !== 'ok')).toEqual([]);
  expect(of('simulation')).toMatchObject({ state: 'ok', text: expect.stringContaining('MuJoCo 3') });
  expect(of('networks')).toMatchObject({ state: 'ok' });
  expect(readdirSync(workspace)).toEqual([]);
});

test('doctor names each damaged file of a workspace with its remedy, and the service can still work', async () => {
  write('robots/walker/walker.xml', WALKER_MJCF);
  write('robots/walker/robot.yaml', formatYaml(walkerSpec()));
  write('robots/torn/robot.yaml', 'id: torn\n');
  write('data/walker/steps/one.csv', '0,0,0.6,0,0,0,1,0,0,0,0\n');
  write('data/walker/steps/npz/one.npz', 'PK half of a file');
  write('data/walker/odd/dataset.yaml', 'convert: [\n');
  write('logs/rsl_rl/walk/first/model_1.pt', 'no matter');
  write('logs/rsl_rl/walk/first/params/task.yaml', 'task: [\n');
  write('jobs/convert-steps-1/job.json', '{"name": ');
  write('data/walker/.1-0-1-abc.studio-tmp', 'half');
  write('studio.yaml', 'trainers: {far: {command: [no-such-trainer]}}\n');

  const { code, of } = await doctor();
  expect(code).toBe(0);
  expect(of('robots')?.text).toBe('1 robot of 2 readable');
  expect(of('robot torn')).toMatchObject({
    state: 'warning',
    remedy: expect.stringContaining('robots/torn/robot.yaml'),
  });
  expect(of('converted clips')?.text).toBe('0 clips of 1 readable');
  expect(of('clip steps/one')).toMatchObject({ state: 'warning', remedy: 'motion-studio convert steps --clip one' });
  expect(of('dataset odd')).toMatchObject({ state: 'warning', text: expect.stringContaining('dataset.yaml:') });
  expect(of('run walk/first')).toMatchObject({ state: 'warning', text: expect.stringContaining('task.yaml') });
  expect(of('job convert-steps-1')).toMatchObject({ state: 'warning', remedy: expect.stringContaining('lost') });
  expect(of('unfinished files')).toMatchObject({ state: 'note', text: expect.stringContaining('1 file') });
  expect(of('trainer far')).toMatchObject({ state: 'warning', text: expect.stringContaining('"no-such-trainer"') });
});

test.skipIf(process.platform !== 'linux')(
  'doctor says that the next start takes over the lock of a killed process',
  async () => {
    const boot = 'not the boot of this machine';
    const place = `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
    write('.studio/lock', JSON.stringify({ pid: 4242, start: '1', boot, place, host: hostname() }));
    const { of } = await doctor();
    expect(of('lock')).toMatchObject({ state: 'note', text: 'left by process 4242, which has ended' });
  },
);

test('doctor exits with 1 if the service cannot work', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  try {
    write('studio.yaml', 'stream: {fps: fast}\n');
    const { code, works, of } = await doctor('--port', String(port));
    expect([code, works]).toEqual([1, false]);
    expect(of('settings')).toMatchObject({
      state: 'error',
      text: expect.stringContaining('studio.yaml:1: stream.fps'),
    });
    expect(of('port')).toMatchObject({
      state: 'error',
      text: expect.stringContaining('Choose another port with --port'),
    });
  } finally {
    server.close();
  }
});

test('doctor exits with 1 for a workspace that is a file, or is below one', async () => {
  write('notes', 'not a folder');
  for (const place of ['notes', 'notes/below']) {
    out = '';
    const { code, of } = await doctor('--workspace', path.join(workspace, place));
    expect(code).toBe(1);
    expect(of('folder')).toMatchObject({ state: 'error', text: expect.stringContaining('is a file, not a folder') });
  }
});

test('doctor prints its findings as text, and exits with 2 for unknown options', async () => {
  expect(await runLocalCommand('doctor', ['--workspace', workspace, '--port', '0'], {})).toBe(0);
  expect(out).toMatch(/^machine\n {2}ok {7}Node: /);
  expect(out).toMatch(/\nThe service can work[^\n]*\.\n$/);
  expect(await runLocalCommand('doctor', ['--url', 'http://x'], {})).toBe(2);
  expect(err).toMatch(/^motion-studio doctor: unknown option '--url'/);
});
