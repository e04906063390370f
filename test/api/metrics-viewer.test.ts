import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio({ each: true });

/** A stand-in for TensorBoard: serves a page on the given port. */
const BOARD = `#!${process.execPath}
const words = process.argv.slice(2);
const after = (flag) => words[words.indexOf(flag) + 1];
const server = require('node:http').createServer((_, response) => response.end('board of ' + after('--logdir')));
setTimeout(() => server.listen(Number(after('--port')), after('--host')), 300);
`;

let programs: string;
beforeEach(() => {
  const run = path.join(studio.workspace, 'logs/rsl_rl/wbc_x/2026-01-01_a');
  mkdirSync(path.join(run, 'params'), { recursive: true });
  writeFileSync(path.join(run, 'params/config.yaml'), 'robot_id: humanoid\n');
  programs = path.join(studio.folder, 'programs');
  mkdirSync(programs);
});
const start = () => studio.start([], { env: { PATH: `${programs}:/bin:/usr/bin` } });
const ask = (address: string, query = '', headers: Record<string, string> = {}) =>
  fetch(`${address}/tensorboard${query}`, { redirect: 'manual', headers });
const target = async (answer: Promise<Response>) => (await answer).headers.get('location');

async function untilGone(address: string): Promise<void> {
  for (;;) {
    try {
      await (await fetch(address)).text();
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('without TensorBoard the metrics link leads to the runs of the page', async () => {
  const address = await start();
  expect((await ask(address)).status).toBe(302);
  expect(await target(ask(address))).toBe('/#/runs');
  expect(await target(ask(address, '?run=wbc_x/2026-01-01_a'))).toBe('/#/runs?run=wbc_x%2F2026-01-01_a');
  expect((await ask(address, '?run=wbc_x/none')).status).toBe(400);
  expect((await ask(address, '', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
});

test('TensorBoard starts once, for local clients, and ends when the service is killed', async () => {
  writeFileSync(path.join(programs, 'tensorboard'), BOARD, { mode: 0o755 });
  const address = await start();
  const [first, second] = await Promise.all([target(ask(address)), target(ask(address))]);
  expect(first).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect(second).toBe(first);
  const page = await (await fetch(first!)).text();
  expect(page).toBe(`board of ${path.join(studio.workspace, 'logs/rsl_rl')}`);
  const run = await target(ask(address, '?run=wbc_x/2026-01-01_a'));
  expect(new URL(run!).searchParams.get('runFilter')).toBe('^wbc_x/2026-01-01_a$');
  // Behind a proxy, the client may be on another machine.
  expect(await target(ask(address, '', { 'x-forwarded-for': '203.0.113.5' }))).toBe('/#/runs');
  studio.service.child.kill('SIGKILL');
  await untilGone(first!);
});

test('TensorBoard ends when the service stops, and one that fails to start does not block', async () => {
  writeFileSync(path.join(programs, 'tensorboard'), BOARD, { mode: 0o755 });
  const address = await start();
  const board = await target(ask(address));
  expect(await studio.stop()).toEqual({ code: 0, signal: null });
  await untilGone(board!);
  writeFileSync(path.join(programs, 'tensorboard'), '#!/bin/sh\necho no tensorflow >&2\nexit 1\n', { mode: 0o755 });
  expect(await target(ask(await start()))).toBe('/#/runs');
  await expect.poll(() => studio.service.stderr(), { timeout: 30_000 }).toContain('no tensorflow');
});
