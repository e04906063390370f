import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCommand } from '../../src/cli/commands/run-command.ts';

let server: Server;
let url: string;
let asked: unknown;
let ok: boolean;
let printed: string;

beforeEach(async () => {
  asked = null;
  ok = true;
  printed = '';
  const selftest = () => ({
    ok,
    max_action_difference: 0,
    tracked_s: 1,
    run_tracked_s: 1,
    text: 'left_knee: stiffness',
  });
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const isStart = request.method === 'POST';
    if (isStart) asked = JSON.parse(text);
    const busy = { state: 'done', label: 'Exporting', result: { export: 'dance-unitree' } };
    const body = isStart
      ? { ok: true, task: 'export-1', busy }
      : { exports: [{ name: 'dance-unitree', selftest: selftest() }] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await new Promise((resolve) => server.close(resolve));
});

const run = (...args: string[]) => runCommand('export', [...args, '--url', url], {});

test('export sends the values of its flags and exits with 0 after a passed self-test', async () => {
  const code = await run('a/b', '--format', 'unitree', '--clip', 'dance', '--stand-in', '2', '--selftest', 'clip');
  expect([code, asked]).toEqual([0, { run: 'a/b', format: 'unitree', clip: 'dance', stand_in_s: 2, selftest_s: null }]);
  expect(printed).toContain('dance-unitree: self-test passed');
});

test('export exits with 1 and prints the reason after a failed self-test', async () => {
  ok = false;
  expect(await run('a/b', '--format', 'unitree')).toBe(1);
  expect(printed).toContain('left_knee: stiffness');
});

test.each([
  [['a/b', '--format', 'onnx'], /--format: must be one of/],
  [['a/b'], /--format/],
  [['a/b', '--format', 'unitree', '--stand-in', 'long'], /--stand-in: must be a number/],
])('export %j is a usage error, and nothing is sent', async (args, message) => {
  expect([await run(...args), asked]).toEqual([2, null]);
  expect(printed).toMatch(message);
});
