import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TEST_TRANSPORT } from './transport.ts';

const COMMAND = fileURLToPath(new URL('../../bin/motion-studio.cjs', import.meta.url));

/** State folder of all services in tests, so that they do not use the user's own. */
const STATE = path.join(tmpdir(), 'motion-studio-tests-state');

/** A service in its own process, started from the build. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  /** The address in the ready line. @throws the text of stderr if the process ends first */
  readonly ready: Promise<string>;
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Text written to stdout so far. */
  stdout(): string;
  stderr(): string;
}

/** @param args after `--port 0 --log-level warn` @param through program with arguments that executes the service */
export function spawnService(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  through: readonly string[] = [],
): ServiceProcess {
  const command = [...through, process.execPath, COMMAND];
  return spawnCommand(command, ['--transport', TEST_TRANSPORT, ...args], {
    ...withoutSettings(process.env),
    XDG_STATE_HOME: STATE,
    ...env,
  });
}

/** Starts a service by `command`: a program and its first arguments. @param cwd working directory */
export function spawnCommand(
  command: readonly string[],
  args: readonly string[],
  env: NodeJS.ProcessEnv = withoutSettings(process.env),
  cwd?: string,
): ServiceProcess {
  const [program, ...first] = command;
  const child = spawn(program!, [...first, '--port', '0', '--log-level', 'warn', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
    ...(cwd === undefined ? {} : { cwd }),
  });
  let out = '';
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      const address = /^motion-studio listening on (\S+)\n/m.exec(out)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.on('close', (code, signal) => reject(new Error(`ended with ${signal ?? code} before it was ready: ${err}`)));
  });
  ready.catch(() => {}); // A test need not wait for the address, so handle the rejection here.
  const exit = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  return { child, ready, exit, stdout: () => out, stderr: () => err };
}

/** Memory of a process, MiB. @param field of `/proc/PID/status`: VmRSS is current, VmHWM peak resident memory */
export function memoryMib({ child }: ServiceProcess, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
}

/** The environment without variables `MOTION_STUDIO_*`. */
export function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('MOTION_STUDIO_')));
}

/** Sends GET or, with a body, POST. @throws on any status but 200, with the text of the response */
export async function call<T>(address: string, path: string, body?: object): Promise<T> {
  const request = body
    ? { method: 'POST', headers: { 'content-type': 'application/json', prefer: 'wait=20' }, body: JSON.stringify(body) }
    : {};
  const response = await fetch(address + path, request);
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
