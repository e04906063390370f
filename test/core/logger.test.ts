import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger, KEPT_LINES, type LogOptions, type RootLogger } from '../../src/core/logger.ts';
import type { EventPayloads } from '../../src/protocol/events.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'log-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});
const logger = (options: Partial<LogOptions> = {}) =>
  createLogger({ level: 'info', pretty: false, colour: false, fd: again(), ...options });
const text = () => readFileSync(path.join(folder, 'log'), 'utf8');
/** Opens another file descriptor of the log, because the logger closes its descriptor. */
const again = () => openSync(path.join(folder, 'log'), 'a');
/** Closes the logger. @returns the text that the logger has written */
async function written(log: RootLogger): Promise<string> {
  await log.close();
  return text();
}

test('a line is JSON with level, time, source and fields; lines below the level are not written', async () => {
  const log = logger();
  log.child('robots').warn({ robot: 'g1' }, 'does not load');
  log.debug('unheard');
  const line = JSON.parse(await written(log)) as Record<string, unknown>;
  expect(line).toMatchObject({ level: 'warn', source: 'robots', robot: 'g1', msg: 'does not load' });
  expect(Date.parse(String(line['time']))).toBeGreaterThan(Date.now() - 60_000);
});

test('listeners get lines from info upwards, with the name of the source, until they unsubscribe', async () => {
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
  await log.close();
});

test('the latest lines from info upwards are kept, oldest first, each with its number', async () => {
  const log = logger({ level: 'silent' });
  log.debug('detail');
  for (let k = 1; k <= 2 * KEPT_LINES + 5; k += 1) log.child('data').info(`line ${k}`);
  expect(log.recent(2)).toMatchObject([
    { source: 'data', message: `line ${2 * KEPT_LINES + 4}`, seq: 2 * KEPT_LINES + 4 },
    { source: 'data', message: `line ${2 * KEPT_LINES + 5}`, seq: 2 * KEPT_LINES + 5 },
  ]);
  expect(log.recent(0)).toEqual([]);
  expect(log.recent(5 * KEPT_LINES)).toHaveLength(KEPT_LINES);
  await log.close();
});

test('a higher level writes fewer lines, and listeners still get info', async () => {
  const log = logger({ level: 'error' });
  const heard: string[] = [];
  log.subscribe((line) => heard.push(line.message));
  log.info('heard');
  log.error('written');
  expect(heard).toEqual(['heard', 'written']);
  expect((await written(log)).trim().split('\n')).toHaveLength(1);
  const silent = logger({ level: 'silent' });
  silent.error('nowhere');
  expect(await written(silent)).not.toContain('nowhere');
});

test('secrets are not written, neither at the top nor one level down', async () => {
  const log = logger();
  log.info({ token: 'T0P', headers: { cookie: 'C0OK', authorization: 'B3ARER' } }, 'request');
  expect(await written(log)).not.toMatch(/T0P|C0OK|B3ARER/);
});

test('text lines have the same facts and the stack of an error, without colour codes unless requested', async () => {
  const log = logger({ pretty: true });
  log.child('robots').error({ err: new Error('boom'), robot: 'g1' }, 'does not load');
  const people = await written(log);
  expect(people).toMatch(/^\d\d:\d\d:\d\d error robots: does not load {2}robot=g1\n {4}Error: boom\n {4} +at /);
  expect(people).not.toContain('\u001b');
  const colourful = logger({ pretty: true, colour: true });
  colourful.error('red');
  expect(await written(colourful)).toContain('\u001b[31m');
});

test('control characters in a foreign name cannot start a line or colour the terminal', async () => {
  const log = logger({ pretty: true });
  log.info({ file: 'a\tb' }, 'clip x\n12:00:00 error forged\u001b[31m');
  expect(await written(log)).toMatch(
    /^\S+ info {2}service: clip x\\u000a12:00:00 error forged\\u001b\[31m {2}file=a\\u0009b\n$/,
  );
});

const LOGGER = new URL('../../src/core/logger.ts', import.meta.url).href;
const LINES = 6000;
/** Script that logs more than a pipe holds, writes `ending` to stdout, and exits. */
const DYING = `
  import { createLogger } from ${JSON.stringify(LOGGER)};
  const log = createLogger({ level: 'info', pretty: process.stderr.isTTY === true, colour: false });
  for (let k = 0; k < ${LINES}; k += 1) {
    log.info('line ' + k + ' ' + 'x'.repeat(100));
    if (k % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  log.error('the last words');
  process.stdout.write('ending');
  await log.close();
  process.exit(3);`;

/** Starts a process that exits before its log is read. */
async function dying() {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', DYING], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  await once(child.stdout, 'data');
  return { child, exit };
}

test('all lines are written before the process ends, also for a late reader', async () => {
  const { child, exit } = await dying();
  let read = '';
  child.stderr.on('data', (chunk: Buffer) => {
    read += chunk.toString();
  });
  const closed = once(child.stderr, 'close');
  expect(await exit).toEqual([3, null]);
  await closed;
  const said = read
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg.split(' x')[0]);
  expect(said).toEqual([...Array.from({ length: LINES }, (_, k) => `line ${k}`), 'the last words']);
});

test('a reader that stops reading does not block the end of the process', async () => {
  const { exit } = await dying();
  expect(await exit).toEqual([3, null]);
});
