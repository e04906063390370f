import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LocalLauncher } from '../../../src/jobs/detached/local-launcher.ts';
import { readSealKey } from '../../../src/jobs/detached/seal-key.ts';
import { OrderSeal } from '../../../src/jobs/detached/sealed-order.ts';
import { hasEnded } from '../../../src/jobs/job-record.ts';
import { JobRegistry } from '../../../src/jobs/job-registry.ts';
import { plantJob } from '../../support/job-files.ts';

const ENVIRONMENT = { PATH: process.env['PATH'] ?? '' };
const KEY = randomBytes(32);
const NOT_OURS = expect.stringMatching(/order was not written by this service.*Launch it again/);
let folder: string;
let jobs: string;
let registries: JobRegistry[];
const ran = () => path.join(folder, 'ran');
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sealed-order-'));
  jobs = path.join(folder, 'jobs');
  mkdirSync(jobs);
  registries = [];
});
afterEach(async () => {
  for (const registry of registries) {
    for (const { name } of registry.active()) registry.stop(name);
    await vi.waitFor(() => expect(registry.active()).toEqual([]), { timeout: 30_000 });
    await registry.close();
  }
  rmSync(folder, { recursive: true });
});

/** Opens a registry. @param limit maximum number of running jobs; 0 keeps all jobs queued */
function open(limit: number, { at = jobs, key = KEY }: { at?: string; key?: Uint8Array } = {}): JobRegistry {
  const registry = JobRegistry.open({
    folder: at,
    launchers: new Map([['local', new LocalLauncher(limit, ENVIRONMENT, 1)]]),
    seal: new OrderSeal(key),
    interrupted: () => 'the service ended',
    onError: () => {},
  });
  registries.push(registry);
  return registry;
}

/** Queues a job that has a file for its command, and ends the service. @returns the job's name */
async function leaveQueued(): Promise<string> {
  const registry = open(0);
  const spec = { kind: 'train', params: {}, launcher: 'local' } as const;
  const name = await registry.launch(spec, async ({ unseen }) => {
    writeFileSync(path.join(unseen, 'order.json'), '{}');
    const command = ['/bin/sh', '-c', `echo "$KEY" > ${ran()}`];
    return { command, cwd: folder, env: { KEY: 'secret' }, files: ['order.json'] };
  });
  await registry.close();
  registries.pop();
  return name;
}

async function ended(registry: JobRegistry, name: string) {
  await vi.waitFor(() => expect(hasEnded(registry.get(name).status)).toBe(true), { timeout: 30_000 });
  return registry.get(name);
}

describe('a queued job starts after a restart only if it is unchanged', () => {
  test('an unchanged queued job runs its command after a restart', async () => {
    const name = await leaveQueued();
    expect(await ended(open(1), name)).toMatchObject({ status: 'done' });
    expect(readFileSync(ran(), 'utf8')).toBe('secret\n');
  });

  const changes: [what: string, change: (place: string) => void][] = [
    ['another command', (place) => change(place, { command: ['/usr/bin/touch', ran()] })],
    ['another folder to run in', (place) => change(place, { cwd: '/' })],
    ['another variable', (place) => change(place, { env: { KEY: 'secret', LD_PRELOAD: '/tmp/x.so' } })],
    ['a file of the order that was changed', (place) => writeFileSync(path.join(place, 'order.json'), '{"run": "/"}')],
    ['a file of the order that is a link', (place) => replaceByLink(path.join(place, 'order.json'))],
    ['a file of the order that is gone', (place) => rmSync(path.join(place, 'order.json'))],
    ['no files named', (place) => change(place, { files: {} })],
    ['an empty seal', (place) => change(place, { seal: '' })],
    ['an invalid seal', (place) => change(place, { seal: 5 })],
    ['an order that is a link', (place) => replaceByLink(path.join(place, 'launch.json'))],
    ['no order', (place) => rmSync(path.join(place, 'launch.json'))],
    ['a huge order', (place) => change(place, { more: 'x'.repeat(9 << 20) })],
    ['a deep order', (place) => writeFileSync(path.join(place, 'launch.json'), '['.repeat(1_000_000))],
  ];
  test.each(changes)('a queued job with %s is lost after a restart', async (_, tamper) => {
    const name = await leaveQueued();
    tamper(path.join(jobs, name));
    const registry = open(1);
    expect(registry.get(name)).toMatchObject({ status: 'lost', started: null, error: NOT_OURS });
    await new Promise((resolve) => setImmediate(resolve));
    expect(existsSync(ran())).toBe(false);
  });

  test('a queued job under another user’s key is lost after a restart', async () => {
    const name = await leaveQueued();
    expect(open(1, { key: randomBytes(32) }).get(name)).toMatchObject({ status: 'lost', error: NOT_OURS });
  });

  test('a queued job of a job with another uuid or launcher is lost after a restart', async () => {
    const name = await leaveQueued();
    const file = path.join(jobs, name, 'job.json');
    writeFileSync(file, JSON.stringify({ ...readJson(file), uuid: randomUUID() }));
    expect(open(1).get(name)).toMatchObject({ status: 'lost', error: NOT_OURS });
  });

  test.each([
    ['copied', (from: string, to: string) => cpSync(from, to, { recursive: true })],
    ['moved', renameSync],
  ])('a queued job in a workspace that was %s is lost after a restart', async (_, take) => {
    const name = await leaveQueued();
    const at = path.join(folder, 'elsewhere');
    take(jobs, at);
    expect(open(1, { at }).get(name)).toMatchObject({ status: 'lost', error: NOT_OURS });
    expect(existsSync(ran())).toBe(false);
  });

  test('a queued job in a workspace opened through a link is started after a restart', async () => {
    const name = await leaveQueued();
    const at = path.join(folder, 'link');
    symlinkSync(jobs, at);
    expect(await ended(open(1, { at }), name)).toMatchObject({ status: 'done' });
  });
});

test('the command of a queued job from elsewhere does not run', async () => {
  plantJob(jobs, 'train-1', {
    status: 'queued',
    files: { 'launch.json': { command: ['/usr/bin/touch', ran()], cwd: folder, env: {} } },
  });
  const registry = open(1);
  expect(registry.get('train-1')).toMatchObject({ status: 'lost', error: NOT_OURS });
  // Queued jobs start in order. When a later job has ended, the first one would have run, if it were accepted.
  const next = await registry.launch(
    { kind: 'train', params: {}, launcher: 'local' },
    { command: ['/bin/true'], cwd: folder, env: {} },
  );
  await ended(registry, next);
  expect(existsSync(ran())).toBe(false);
});

test('a log, stop file or record that leads outside is neither read nor written', async () => {
  const outside = path.join(folder, 'outside');
  writeFileSync(outside, 'precious');
  const place = plantJob(jobs, 'train-1', { status: 'stopping', submitted: true });
  for (const file of ['output.log', 'stop', 'exit.json', 'proc.json']) replaceByLink(path.join(place, file), outside);
  const registry = open(1);
  await ended(registry, 'train-1');
  expect(await registry.tail('train-1', 10)).toEqual([]);
  await expect(registry.logFile('train-1')).rejects.toMatchObject({ code: 'bad_input' });
  expect(readFileSync(outside, 'utf8')).toBe('precious');
});

test.each([0o022, 0, 0o077])('an order is readable only by its owner, whatever the umask (%o)', async (mask) => {
  const before = process.umask(mask);
  try {
    const registry = open(0);
    const order = { command: ['/bin/true'], cwd: folder, env: { WANDB_API_KEY: 'secret' } };
    const name = await registry.launch({ kind: 'train', params: {}, launcher: 'local' }, order).finally(() => {
      process.umask(before);
    });
    expect(statSync(path.join(jobs, name, 'launch.json')).mode & 0o777).toBe(0o600);
  } finally {
    process.umask(before);
  }
});

describe('the key', () => {
  const state = () => path.join(folder, 'state', 'motion-studio');
  const file = () => path.join(state(), 'launch-key');
  const read = () => readSealKey(state(), jobs);

  test('the key is created once, readable only by its owner', () => {
    const key = read();
    expect(key.length).toBe(32);
    expect(read()).toEqual(key);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(state()).mode & 0o777).toBe(0o700);
    expect(readdirSync(state())).toEqual(['launch-key']);
  });

  test('the key is private even under an unusual umask', () => {
    mkdirSync(state(), { recursive: true });
    const before = process.umask(0o277);
    try {
      expect(read().length).toBe(32);
    } finally {
      process.umask(before);
    }
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  test('the key is replaced if others could read it, or if it is invalid', () => {
    const key = read();
    chmodSync(file(), 0o644);
    const next = read();
    expect(next).not.toEqual(key);
    writeFileSync(file(), 'short');
    expect(read().length).toBe(32);
    rmSync(file());
    symlinkSync('/dev/zero', file());
    expect(read().length).toBe(32);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  test('the key is never inside the workspace, even through a link', () => {
    expect(() => readSealKey(path.join(jobs, 'state'), jobs)).toThrow('is inside the workspace');
    symlinkSync(jobs, path.join(folder, 'home'));
    expect(() => readSealKey(path.join(folder, 'home', 'state'), jobs)).toThrow('is inside the workspace');
  });
});

function change(place: string, news: object): void {
  const file = path.join(place, 'launch.json');
  writeFileSync(file, JSON.stringify({ ...readJson(file), ...news }));
}

/** Replaces a file by a link. @param target of the link; default: a copy of the file in another place */
function replaceByLink(file: string, target?: string): void {
  const at = target ?? `${file}.moved`;
  if (target === undefined) renameSync(file, at);
  else rmSync(file, { force: true });
  symlinkSync(at, file);
}
