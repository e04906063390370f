import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCommand } from '../../src/cli/commands/run-command.ts';

const CONTENT = Buffer.alloc(300_000, 'frames ');

let folder: string;
let file: string;
let server: Server;
let url: string;
let printed: string;
/** states of the recording, one for each listing; the last one repeats */
let states: string[];
let listed: () => void;
let stopReply: { readonly status: number; readonly body: object };
let sendFile: (response: ServerResponse) => void;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'record-'));
  file = path.join(folder, 'squat.mcap');
  printed = '';
  states = ['done'];
  listed = () => {};
  stopReply = { status: 200, body: { ok: true, recording: 'squat', bytes: 1, duration: 1 } };
  sendFile = (response) => response.end(CONTENT);
  const replyTo: Record<string, () => object> = {
    'POST /api/record/start': () => ({ ok: true, recording: 'squat' }),
    'POST /api/record/stop': () => stopReply.body,
    'GET /api/recordings': () => {
      const state = states.length > 1 ? states.shift() : states[0];
      listed();
      return { recordings: [{ name: 'squat', format: 'mcap', state, bytes: 300_000, duration: 1, reason: null }] };
    },
  };
  server = createServer((request, response) => {
    const key = `${request.method} ${request.url}`;
    if (key === 'GET /api/recordings/squat') {
      response.writeHead(200, { 'content-length': CONTENT.length });
      sendFile(response);
      return;
    }
    response.writeHead(key === 'POST /api/record/stop' ? stopReply.status : 200).end(JSON.stringify(replyTo[key]!()));
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
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => server.close(resolve));
});

const record = () => runCommand('record', ['squat', '--output', file, '--url', url], {});

test('record saves the whole recording', async () => {
  expect(await record()).toBe(0);
  expect(readFileSync(file).equals(CONTENT)).toBe(true);
  expect(readdirSync(folder)).toEqual(['squat.mcap']);
});

test('a connection that breaks during the download leaves no file, and the error says where the recording is', async () => {
  sendFile = (response) => response.write(CONTENT.subarray(0, 5000), () => response.destroy());
  expect(await record()).toBe(1);
  expect(printed).toMatch(/--output: cannot write .*: the connection broke .* The service still has the file/);
  expect(readdirSync(folder)).toEqual([]);
});

test('a recording that reaches its limit just before Ctrl-C is saved', async () => {
  states = ['recording', 'recording', 'done'];
  stopReply = { status: 409, body: { detail: 'nothing is being recorded' } };
  listed = () => {
    listed = () => {};
    process.listeners('SIGINT').at(-1)!('SIGINT');
  };
  expect(await record()).toBe(0);
  expect(readFileSync(file).equals(CONTENT)).toBe(true);
});
