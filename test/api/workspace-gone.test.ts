import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { finish, request } from '../support/client.ts';
import { call } from '../support/service-process.ts';
import { useStudio } from '../support/use-studio.ts';

const GONE = expect.stringMatching(/^the workspace's folder is gone .*Put it back/);
const ROW = `${[0, 0, 0.9, 0, 0, 0, 1, ...Array<number>(21).fill(0)].join(',')}\n`;

describe('a workspace that is moved away while the service runs', () => {
  const studio = useStudio();
  let away: string;

  beforeAll(async () => {
    away = path.join(studio.folder, 'away');
    await studio.start(['--log-level', 'info']);
    await call(studio.address, '/api/data/new', { name: 'mine' });
  }, 60_000);

  const writes: [method: string, at: string, body?: object | string][] = [
    ['POST', '/api/data/new', { name: 'another' }],
    ['POST', '/api/data/convert', { dataset: 'samples' }],
    ['POST', '/api/data/import', { source: '/tmp' }],
    ['PUT', '/api/data/upload/mine/clip.csv', ROW],
    ['DELETE', '/api/data/datasets/mine'],
    ['PUT', '/api/presets/calm', { base: 'Wbc-Humanoid' }],
    ['PUT', '/api/modules/calm', { overrides: {} }],
    ['PUT', '/api/robots/import/upload/bot/bot.xml', '<mujoco/>'],
    ['POST', '/api/train/launch', { task: 'Wbc-Humanoid', dataset: 'samples' }],
    ['POST', '/api/robot/select', { name: 'humanoid' }],
  ];
  const send = async (method: string, at: string, body?: object | string) => {
    const response = await fetch(studio.address + at, {
      method,
      headers: typeof body === 'object' ? { 'content-type': 'application/json' } : {},
      ...(body === undefined ? {} : { body: typeof body === 'object' ? JSON.stringify(body) : body }),
    });
    return [response.status, (await response.json()) as unknown];
  };
  const reads = [
    '/api/robots',
    '/api/robot',
    '/api/robots/import',
    '/api/data/datasets',
    '/api/data/clips?dataset=samples',
    '/api/presets',
    '/api/runs',
    '/api/jobs',
    '/api/play',
    '/api/robot/model',
  ];

  test('without its workspace, writes answer 503 with the remedy, reads do not fail with 500, and no folder is created', async () => {
    renameSync(studio.workspace, away);
    for (const [method, at, body] of writes)
      expect([at, await send(method, at, body)]).toEqual([at, [503, { detail: GONE }]]);
    for (const at of reads)
      expect([at, (await fetch(studio.address + at)).status < 500 || (await send('GET', at))[0] === 503]).toEqual([
        at,
        true,
      ]);
    await expect.poll(() => studio.service.stderr()).toContain('cannot be used: the workspace');
    expect(existsSync(studio.workspace)).toBe(false);
  });

  test('another folder in place of the workspace is not touched', async () => {
    mkdirSync(studio.workspace);
    for (const [method, at, body] of writes)
      expect([at, await send(method, at, body)]).toEqual([at, [503, { detail: GONE }]]);
    expect(readdirSync(studio.workspace)).toEqual([]);
    rmSync(studio.workspace, { recursive: true });
  });

  test('the service continues once the workspace is back', async () => {
    renameSync(away, studio.workspace);
    await call(studio.address, '/api/data/new', { name: 'another' });
    expect(statSync(path.join(studio.workspace, 'data/humanoid/another')).isDirectory()).toBe(true);
    writeFileSync(path.join(studio.workspace, 'data/humanoid/mine/clip.csv'), ROW.repeat(3));
    await expect
      .poll(async () => (await request(studio.address, 'GET /api/data/clips', { dataset: 'mine' })).body.total)
      .toBe(1);
    expect((await finish(studio.address, 'POST /api/data/load', { dataset: 'mine', clip: 'clip' })).state).toBe('done');
    expect(studio.service.stderr()).toContain('is back');
  });

  test('a deleted .studio is created again, with the lock', async () => {
    const lock = path.join(studio.workspace, '.studio/lock');
    const holder = readFileSync(lock, 'utf8');
    rmSync(path.join(studio.workspace, '.studio'), { recursive: true });
    await expect.poll(() => existsSync(lock) && readFileSync(lock, 'utf8')).toBe(holder);
    await call(studio.address, '/api/data/new', { name: 'third' });
    const holderPid = studio.service.child.pid;
    await expect(studio.start()).rejects.toThrow(`in use by process ${holderPid}`);
  });
});
