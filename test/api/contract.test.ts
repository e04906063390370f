import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finish } from '../support/client.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

let source: string;

beforeAll(async () => {
  source = mkdtempSync(path.join(tmpdir(), 'motion-studio-source-'));
  await studio.start();
});
afterAll(async () => {
  rmSync(source, { recursive: true });
});

const JSON_TYPE = 'application/json';
const TEXT = 'text/plain';
const ELSEWHERE = 'http://evil.example';

interface Case {
  readonly body?: string;
  readonly type?: string;
  readonly origin?: string;
}

async function ask(row: string, { body, type = JSON_TYPE, origin }: Case = {}) {
  const [method = '', path = ''] = row.split(' ');
  const headers = { ...(body === undefined ? {} : { 'content-type': type }), ...(origin ? { origin } : {}) };
  const response = await fetch(studio.address + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  return { status: response.status, detail: text, allow: response.headers.get('allow') };
}

describe('bodies', () => {
  test.each<[string, Case, number]>([
    ['POST /api/robot/joint/reset', { body: '{}', type: 'application/json; charset=utf-8' }, 200],
    ['POST /api/robot/joint/reset', {}, 200],
    ['POST /api/robot/joint/reset', { body: '{"zero":null}' }, 200],
    ['POST /api/robot/joint/options', { body: '{"show_wiring":null}' }, 200],
    ['POST /api/robot/joint/show', { body: '{"anything":1,"else":null}' }, 200],
    ['POST /api/play/playing', { body: '{"playing":"yes"}' }, 400],
    ['POST /api/play/playing', { body: '{"playing":null,"else":1}' }, 409],
    ['POST /api/robot/select', { body: '{"name":null}' }, 400],
    ['POST /api/robot/select', { body: '{"name":""}' }, 400],
    ['POST /api/robot/joint/reset', { body: 'null' }, 400],
    ['POST /api/record/stop', { body: '{"anything":1}' }, 409],
    ['POST /api/record/stop', { body: '{' }, 400],
    ['POST /api/record/stop', { body: 'x', type: TEXT }, 415],
    ['POST /api/record/stop', { body: ' '.repeat(1.1 * 2 ** 20) }, 413],
  ])('the body %s %j gives %i', async (row, given, status) => {
    expect((await ask(row, given)).status).toBe(status);
  });

  test('an empty field counts as missing, and the error names the missing field', async () => {
    const { status, detail } = await ask('POST /api/play/configure', {
      body: '{"run":"","motion":"","num_envs":null}',
    });
    expect([status, detail]).toEqual([400, expect.stringContaining('run: ')]);
    expect((await ask('POST /api/play/configure', { body: '{}' })).detail).toBe(detail);
  });

  test('an unknown field of a launch lists the known ones', async () => {
    const { detail } = await ask('POST /api/train/launch', { body: '{"task":"a","dataset":"b","zzzzzz":1}' });
    expect(detail).toContain('zzzzzz: is not a known field; known are task, dataset, num_envs');
  });
});

test('null is a value inside overrides, and empty lists and texts mean the defaults', async () => {
  const preset = {
    base: 'Wbc-Humanoid',
    overrides: { rewards: { action_rate_l1: null } },
    modules: null,
    description: null,
  };
  const response = await fetch(`${studio.address}/api/presets/quiet`, {
    method: 'PUT',
    headers: { 'content-type': JSON_TYPE },
    body: JSON.stringify(preset),
  });
  expect(await response.json()).toMatchObject({
    ok: true,
    overrides: { rewards: { action_rate_l1: null } },
    modules: [],
    description: '',
  });
});

describe('the order of the checks', () => {
  test.each<[string, Case, number]>([
    ['POST /api/none', { body: 'x', type: TEXT, origin: ELSEWHERE }, 403],
    ['POST /api/none', { body: 'x', type: TEXT }, 404],
    ['POST /api/jobs', { body: 'x', type: TEXT }, 405],
    ['POST /api/robot/select?x=1', { body: 'x', type: TEXT }, 415],
    ['POST /api/robot/select', { body: 'x'.repeat(1.1 * 2 ** 20), type: TEXT }, 413],
    ['POST /api/play/push', { body: '{"speed":"fast"}' }, 400],
    ['POST /api/play/push', { body: '{"speed":1}' }, 409],
    ['GET /ws', {}, 426],
    ['GET /api/jobs/', {}, 404],
    ['OPTIONS /api/none', {}, 404],
    ['OPTIONS /api/jobs?x=1', {}, 204],
    ['HEAD /api/jobs', {}, 200],
  ])('the order of checks: %s gives %s', async (row, given, status) => {
    expect((await ask(row, given)).status).toBe(status);
  });

  test('405 and OPTIONS list the allowed methods', async () => {
    expect((await ask('PATCH /api/presets/x', { body: '{}' })).allow).toBe('GET, HEAD, PUT, DELETE, OPTIONS');
    expect((await ask('OPTIONS /api/presets/x')).allow).toBe('GET, HEAD, PUT, DELETE, OPTIONS');
  });
});

describe('queries', () => {
  test.each<[string, number, string]>([
    [
      'GET /api/data/clips?dataset=samples&stat=raw',
      400,
      'stat: is not a known query parameter; known are dataset, q, status',
    ],
    ['GET /api/jobs?x=1', 400, 'x: is not a known query parameter: no query parameter is allowed here'],
    ['DELETE /api/presets/none?x=1', 400, 'x: is not'],
    ['GET /api/data/clips?dataset=samples&page=1&page=2', 400, 'page: is given 2 times'],
    ['GET /api/data/clips?dataset=samples&status=&q=', 200, '"total"'],
    ['GET /api/data/clips?dataset=%ff', 400, 'not as UTF-8'],
    ['GET /api/jobs/%ff', 400, 'not as UTF-8'],
    ['GET /healthz?x=1&x=2', 200, '"ok":true'],
    ['GET /?utm_source=x', 200, '<'],
  ])('the query %s gives %i %s', async (row, status, text) => {
    expect(await ask(row)).toMatchObject({ status, detail: expect.stringContaining(text) });
  });
});

test('deleting the built-in robot is refused with the reason', async () => {
  expect(await ask('DELETE /api/robots/humanoid')).toMatchObject({
    status: 400,
    detail: expect.stringContaining('is the built-in robot, which cannot be deleted'),
  });
});

test('an import returns the name of the dataset that it created', async () => {
  cpSync(path.join(studio.workspace, 'data/humanoid/samples'), path.join(source, 'walks'), { recursive: true });
  const given = { source: path.join(source, 'walks'), name: null, link: null };
  expect(await finish(studio.address, 'POST /api/data/import', given)).toMatchObject({
    state: 'done',
    result: { dataset: 'walks' },
  });
});
