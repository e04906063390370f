import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { call } from '../support/service-process.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio({ each: true });
let root: string;
beforeEach(() => {
  root = path.join(studio.folder, 'new');
});
const spawn = (args: string[] = [], env: Record<string, string> = {}) => studio.spawn(args, { env, workspace: root });

describe('a start', () => {
  test('a start creates the workspace, prints its address in one line and answers there', async () => {
    const service = spawn();
    const address = await service.ready;
    expect(service.stdout()).toMatch(/^motion-studio listening on http:\/\/127\.0\.0\.1:\d+\n$/);
    expect(await call(address, '/healthz')).toMatchObject({ ok: true });
    expect(existsSync(path.join(root, 'data/humanoid/samples/walk_forward.csv'))).toBe(true);
    expect(service.stderr()).toBe('');
  });

  test('a start on a workspace in use exits with 1 and names the process that uses it', async () => {
    const first = spawn();
    await first.ready;
    const second = spawn();
    expect(await second.exit).toEqual({ code: 1, signal: null });
    expect(second.stderr()).toBe(
      `motion-studio: the workspace ${root} is in use by process ${first.child.pid}. Stop it, or choose another with --workspace.\n`,
    );
    expect(second.stdout()).toBe('');
  });

  test('a start right after the service was killed succeeds', async () => {
    const first = spawn();
    await first.ready;
    first.child.kill('SIGKILL');
    await first.exit;
    await spawn().ready;
  });

  test('a start on a taken port exits with 1 and releases the workspace', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const service = spawn(['--port', String(port)]);
    expect(await service.exit).toEqual({ code: 1, signal: null });
    expect(service.stderr()).toMatch(new RegExp(`^motion-studio: 127.0.0.1:${port} is used by another program.*\\n$`));
    server.close();
    await spawn().ready;
  });

  test('a start with a bad studio.yaml exits with 1 and names file, line and key', async () => {
    mkdirSync(root);
    writeFileSync(path.join(root, 'studio.yaml'), '# limits\nstream:\n  fsp: 30\n');
    const service = spawn();
    expect(await service.exit).toEqual({ code: 1, signal: null });
    expect(service.stderr()).toMatch(/^motion-studio: studio\.yaml:3: stream\.fsp: is not a known field; .*\n$/);
  });

  test.each<[string[], Record<string, string>]>([
    [['--prot', '1'], {}],
    [['--port', 'x'], {}],
    [[], { MOTION_STUDIO_TOKEN: 'a b' }],
    [['--config', '/nonexistent/studio.yaml'], {}],
  ])('a start with wrong options (%j %j) exits with 2 and one line', async (args, env) => {
    const service = spawn(args, env);
    expect(await service.exit).toEqual({ code: 2, signal: null });
    expect(service.stderr()).toMatch(/^motion-studio: [^\n]+\n$/);
    expect(service.stdout()).toBe('');
  });

  test('a start on a public address without a token warns', async () => {
    const service = spawn(['--host', '0.0.0.0']);
    await service.ready;
    await expect.poll(() => service.stderr()).toContain('without a token');
  });

  test.each([
    ['--help', /--workspace/],
    ['--version', /^\d+\.\d+\.\d+\n$/],
  ])('the option %s prints its text and exits with 0', async (flag, text) => {
    const service = spawn([flag]);
    expect(await service.exit).toEqual({ code: 0, signal: null });
    expect(service.stdout()).toMatch(text);
  });
});

describe('a stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('a stop by %s exits with 0 and releases the workspace', async (signal) => {
    const service = spawn();
    const address = await service.ready;
    // A connected client must not keep the service from ending.
    const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`);
    await once(socket, 'message');
    service.child.kill(signal);
    expect(await service.exit).toEqual({ code: 0, signal: null });
    expect(existsSync(path.join(root, '.studio/lock'))).toBe(false);
  });

  test('a stop during the start exits with 0', async () => {
    const service = spawn();
    await expect.poll(() => existsSync(path.join(root, '.studio/lock')), { interval: 5, timeout: 30_000 }).toBe(true);
    service.child.kill('SIGTERM');
    expect(await service.exit).toEqual({ code: 0, signal: null });
    expect(existsSync(path.join(root, '.studio/lock'))).toBe(false);
  });
});
