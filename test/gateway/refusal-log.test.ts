import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RefusalLog, type Refused } from '../../src/gateway/refusal-log.ts';
import { keepingLogger } from '../support/log-lines.ts';

let lines: string[];
let refusals: RefusalLog;
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  refusals = new RefusalLog(keepingLogger(lines, 'gateway'));
});
afterEach(() => void vi.useRealTimers());

const refused = (more: Partial<Refused>): Refused => ({
  ...{
    method: 'POST',
    path: '/api/robot/joint',
    route: '/api/robot/joint',
    status: 400,
    detail: 'value: must be a number',
    peer: Uint8Array.of(192, 0, 2, 7),
  },
  ...more,
});

test('a refused request is logged with path, status and reason, at the level of the status', () => {
  const path = '/api/data/upload/samples/bad.csv';
  refusals.refused(
    refused({ method: 'PUT', path, route: '/api/data/upload/{dataset}/{file}', detail: '27 columns, expected 28' }),
  );
  refusals.refused(refused({ status: 401, path: '/\u001b[31m', route: '', detail: 'token required' }));
  refusals.refused(refused({ status: 507, detail: 'the disk is full' }));
  refusals.refused(refused({ method: '', path: '', route: '', status: 503, detail: 'too many connections' }));
  for (const status of [404, 405, 426, 500]) refusals.refused(refused({ status }));
  expect(lines).toEqual([
    'info gateway: PUT /api/data/upload/samples/bad.csv refused with 400: 27 columns, expected 28',
    expect.stringMatching(/^warn gateway: POST .*31m.* from 192\.0\.2\.7 refused with 401: token required$/),
    'error gateway: POST /api/robot/joint refused with 507: the disk is full',
    'warn gateway: a connection from 192.0.2.7 refused with 503: too many connections',
  ]);
  expect(lines.join()).not.toContain('\u001b');
});

test('ten thousand bad requests are logged as ten lines and a summary with the most frequent route', () => {
  for (let k = 0; k < 10_000; k += 1)
    refusals.refused(
      refused(k % 4 === 0 ? { route: '/api/focus', path: '/api/focus', detail: `${k}` } : { detail: `${k}` }),
    );
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toBe(
    'info gateway: and 9,990 more requests refused with 400 in the last 60 s, 7493 of them POST /api/robot/joint',
  );
});

test('requests without a token are logged as one line a minute for all paths', () => {
  for (let second = 0; second < 180; second += 1) {
    for (let k = 0; k < 5; k += 1) refusals.refused(refused({ status: 401, route: '', path: `/${second}-${k}` }));
    vi.advanceTimersByTime(1000);
  }
  refusals.close();
  expect(lines.map((line) => line.replace(/".*"/, '*'))).toEqual([
    'warn gateway: POST * from 192.0.2.7 refused with 401: value: must be a number',
    'warn gateway: and 299 more requests refused with 401 in the last 60 s: unknown paths',
    'warn gateway: and 300 more requests refused with 401 in the last 60 s: unknown paths',
    'warn gateway: and 300 more requests refused with 401 in the last 60 s: unknown paths',
  ]);
});

test('long paths and reasons are truncated in the log', () => {
  refusals.refused(refused({ path: `/api/${'x'.repeat(5000)}`, detail: 'y'.repeat(5000) }));
  expect(lines[0]!.length).toBeLessThan(600);
});
