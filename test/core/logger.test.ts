import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger, type LogOptions } from '../../src/core/logger.ts';
import type { EventPayloads } from '../../src/protocol/events.ts';

let folder: string;
let fd: number;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'log-'));
  fd = openSync(path.join(folder, 'log'), 'a');
});
afterEach(() => {
  closeSync(fd);
  rmSync(folder, { recursive: true });
});
const logger = (options: Partial<LogOptions> = {}) =>
  createLogger({ level: 'info', pretty: false, colour: false, fd, ...options });
/** The log's text once it holds `part`: a write may be under way when the log is flushed. */
const written = (part = '\n') =>
  vi.waitFor(() => {
    const text = readFileSync(path.join(folder, 'log'), 'utf8');
    if (!text.includes(part)) throw new Error(`not yet: ${text}`);
    return text;
  });

test('a line is JSON with level, time, source and fields; below the level nothing is written', async () => {
  const log = logger();
  log.child('robots').warn({ robot: 'g1' }, 'does not load');
  log.debug('unheard');
  log.flush();
  const line = JSON.parse(await written()) as Record<string, unknown>;
  expect(line).toMatchObject({ level: 'warn', source: 'robots', robot: 'g1', msg: 'does not load' });
  expect(Date.parse(String(line['time']))).toBeGreaterThan(Date.now() - 60_000);
});

test('listeners hear info and above, with the name of the part, until they end', () => {
  const log = logger();
  const heard: EventPayloads['log'][] = [];
  const end = log.subscribe((line) => heard.push(line));
  log.info('started');
  log.child('jobs').error({ err: new Error('boom') }, 'a job failed');
  log.debug('detail');
  end();
  log.info('unheard');
  expect(heard.map(({ level, source, message }) => [level, source, message])).toEqual([
    ['info', 'service', 'started'],
    ['error', 'jobs', 'a job failed'],
  ]);
  log.flush();
});

test('a higher level writes less and still lets listeners hear info', async () => {
  const log = logger({ level: 'error' });
  const heard: string[] = [];
  log.subscribe((line) => heard.push(line.message));
  log.info('heard');
  log.error('written');
  log.flush();
  expect(heard).toEqual(['heard', 'written']);
  expect((await written()).trim().split('\n')).toHaveLength(1);
  logger({ level: 'silent' }).error('nowhere');
  expect(await written()).not.toContain('nowhere');
});

test('secrets are not written, at the top or one level down', async () => {
  const log = logger();
  log.info({ token: 'T0P', headers: { cookie: 'C0OK', authorization: 'B3ARER' } }, 'request');
  log.flush();
  expect(await written()).not.toMatch(/T0P|C0OK|B3ARER/);
});

test('lines for people carry the same facts and the stack of an error, without colour codes unless asked for', async () => {
  const log = logger({ pretty: true });
  log.child('robots').error({ err: new Error('boom'), robot: 'g1' }, 'does not load');
  log.flush();
  const text = await written();
  expect(text).toMatch(/^\d\d:\d\d:\d\d error robots: does not load {2}robot=g1\n {4}Error: boom\n {4} +at /);
  expect(text).not.toContain('\u001b');
  const colourful = logger({ pretty: true, colour: true });
  colourful.error('red');
  colourful.flush();
  expect(await written('red')).toContain('\u001b[31m');
});
