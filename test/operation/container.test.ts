import type { ChildProcess } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readAllowList, readDockerfile } from './dockerfile.ts';
import { type BuildOptions, buildImage, type Image, removeImage } from './image.ts';
import { executeInJail, firstProcessOf, NODE_USER, startInJail, whyNoJail } from './jail.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const TOKEN = 'container-secret';
const stages = readDockerfile(path.join(ROOT, 'Dockerfile'));

interface Compose {
  readonly services: {
    readonly 'motion-studio': {
      readonly ports: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
      readonly secrets: readonly string[];
      readonly volumes: readonly string[];
      readonly tmpfs: readonly string[];
      readonly read_only: boolean;
      readonly cap_drop: readonly string[];
      readonly security_opt: readonly string[];
      readonly init: boolean;
    };
  };
  readonly secrets: Readonly<Record<string, object>>;
  readonly volumes: Readonly<Record<string, object>>;
}
const compose = parse(readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8')) as Compose;
const service = compose.services['motion-studio'];

describe('the container files', () => {
  const last = stages.at(-1)!;
  const values = (name: string) => last.instructions.filter((one) => one.name === name).map(({ value }) => value);

  test('the image runs the service directly, not as root', () => {
    expect(values('USER')).toEqual(['node']);
    expect(values('ENTRYPOINT')).toEqual([['node', '/opt/motion-studio/bin/motion-studio.cjs']]);
  });

  test('both stages of the Dockerfile use the image that ARG names', () => {
    expect(new Set(stages.map(({ image }) => image)).size).toBe(1);
    expect(stages[0]!.image).toMatch(/^node:\d+-[a-z]+-slim$/);
  });

  test('every file that the Dockerfile copies exists', () => {
    const names = readAllowList(path.join(ROOT, '.dockerignore'));
    expect(names.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
    expect(names).not.toContain('node_modules');
  });

  test('compose publishes the port, mounts the workspace and names the secret that the image reads', () => {
    expect(service.ports).toEqual([`127.0.0.1:${values('EXPOSE')[0]}:${values('EXPOSE')[0]}`]);
    expect(service.volumes).toEqual([`workspace:${values('VOLUME')[0]}`]);
    expect(Object.keys(compose.volumes)).toEqual(['workspace']);
    expect(Object.keys(compose.secrets)).toEqual([...service.secrets]);
    expect(service.environment['MOTION_STUDIO_TOKEN_FILE']).toBe(`/run/secrets/${service.secrets[0]}`);
  });

  test('compose drops every privilege that the service does not need', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      init: true,
    });
  });
});

const noJail = whyNoJail() ?? whyNoRegistry();
if (noJail !== null) console.log(`skipped: the Dockerfile's steps in an empty folder: ${noJail}`);

describe.skipIf(noJail !== null)('the build steps in an empty folder, with only the workspace writable', () => {
  let folder: string;
  let image: Image;
  let container: ChildProcess;
  let output = '';
  let port: number;
  let workspace: string;
  let environment: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'motion-studio-image-'));
    execFileSync('chmod', ['755', folder]);
    image = await buildImage({
      stages,
      context: ROOT,
      folder,
      ...registryAccess(),
      report: (line) => console.log(line),
    });

    workspace = path.join(folder, 'volume');
    // Like a new volume: a copy of the folder that it covers, with the same owner.
    execFileSync('cp', ['-a', path.join(image.root, image.volumes[0]!), workspace]);
    const secret = path.join(folder, 'token');
    writeFileSync(secret, `${TOKEN}\n`);
    port = await freePort();
    environment = { ...image.env, ...service.environment, MOTION_STUDIO_PORT: String(port), HOME: '/home/node' };
    container = startInJail(
      {
        root: image.root,
        user: image.user,
        cwd: image.cwd,
        env: environment,
        readOnly: service.read_only,
        tmpfs: service.tmpfs.map((entry) => entry.split(':')[0]!),
        mounts: { [image.volumes[0]!]: workspace, [`/run/secrets/${service.secrets[0]}`]: secret },
      },
      image.command,
    );
    await new Promise<void>((resolve, reject) => {
      const onData = (chunk: Buffer) => {
        output += chunk.toString();
        if (/^motion-studio listening on /m.test(output)) resolve();
      };
      container.stdout!.on('data', onData);
      container.stderr!.on('data', onData);
      container.once('close', (code) => reject(new Error(`ended with ${code}: ${output}`)));
    });
  }, 600_000);
  afterAll(async () => {
    if (container?.exitCode === null) {
      container.kill('SIGKILL');
      await once(container, 'close');
    }
    removeImage(folder);
  }, 60_000);

  async function call<T>(place: string, body?: object): Promise<T> {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', prefer: 'wait=50' };
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const response = await fetch(`http://127.0.0.1:${port}${place}`, init);
    if (response.status !== 200) throw new Error(`${place}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
  async function untilEnded(job: string): Promise<string> {
    for (;;) {
      const { status } = await call<{ status: string }>(`/api/jobs/${job}`);
      if (!['queued', 'running', 'stopping'].includes(status)) return status;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  test('the container serves the page and passes its health check', async () => {
    const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const first = firstProcessOf(container);
    expect(executeInJail(first, image.user, environment, image.health)).toEqual({ status: 0, output: '' });
  });

  test('the health check fails if nothing answers', () => {
    const elsewhere = { ...environment, MOTION_STUDIO_PORT: '65535' };
    const { status, output: said } = executeInJail(firstProcessOf(container), image.user, elsewhere, image.health);
    expect(status).toBe(1);
    expect(said).toMatch(/^unhealthy: .*ECONNREFUSED/s);
  });

  test('the service is process 1 of the container, as user node, without capabilities', () => {
    const state = readFileSync(`/proc/${firstProcessOf(container)}/status`, 'utf8');
    expect(state).toMatch(/^NSpid:\t\d+\t1$/m);
    expect(state).toMatch(new RegExp(`^Uid:\t${NODE_USER}\t${NODE_USER}\t`, 'm'));
    expect(state).toMatch(/^CapEff:\t0+$/m);
    expect(state).toMatch(/^NoNewPrivs:\t1$/m);
  });

  test('the container can write only to the workspace and /tmp', () => {
    const tries = ['/', '/opt/motion-studio', '/home/node', '/etc', '/usr', '/run', '/workspace', '/tmp'];
    const script = tries.map((place) => `touch ${place}/x 2>/dev/null && rm ${place}/x && echo ${place}`).join('; ');
    const { output: writable } = executeInJail(firstProcessOf(container), image.user, environment, [
      'sh',
      '-c',
      script,
    ]);
    expect(writable.trim().split('\n')).toEqual(['/workspace', '/tmp']);
  });

  test('the container shows a clip, converts and trains', async () => {
    await call('/api/data/load', { dataset: 'samples', clip: 'squat' });
    const { job } = await call<{ job: string }>('/api/data/convert', {
      dataset: 'samples',
      which: 'selected',
      clips: ['squat'],
    });
    expect(await untilEnded(job)).toBe('done');
    const launched = await call<{ job: string }>('/api/train/launch', {
      task: 'Wbc-Humanoid',
      dataset: 'samples',
      num_envs: 8,
      max_iterations: 2,
    });
    expect(await untilEnded(launched.job)).toBe('done');
    expect(statSync(path.join(workspace, 'jobs', launched.job, 'exit.json')).uid).toBe(NODE_USER);
  }, 180_000);

  test(`${stages.at(-1)!.image} has the transport's binary for its Node, and no build tools`, () => {
    const modules = path.join(image.root, 'opt/motion-studio/node_modules');
    expect(readdirSync(path.join(modules, 'uWebSockets.js')).filter((name) => name.endsWith('.node'))).toEqual([
      `uws_linux_${process.arch}_${process.versions.modules}.node`,
    ]);
    for (const name of ['typescript', 'vite', 'vitest']) expect(existsSync(path.join(modules, name))).toBe(false);
  });

  test('the stop signal of the image ends the container with exit code 0', async () => {
    process.kill(firstProcessOf(container), image.stopSignal as NodeJS.Signals);
    expect(await once(container, 'close')).toEqual([0, null]);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function npmConfig(name: string): string {
  return execFileSync('npm', ['config', 'get', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

function whyNoRegistry(): string | null {
  try {
    execFileSync('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=10000'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'needs an npm registry';
  }
}

/** Access to the npm registry from the jail: registry, proxies and certificates of this machine. */
function registryAccess(): Pick<BuildOptions, 'env' | 'mounts'> {
  const env: Record<string, string> = { npm_config_registry: npmConfig('registry') };
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy']) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  const certificates = process.env['NODE_EXTRA_CA_CERTS'];
  if (certificates === undefined) return { env, mounts: {} };
  return {
    env: { ...env, NODE_EXTRA_CA_CERTS: '/run/certificates.pem' },
    mounts: { '/run/certificates.pem': certificates },
  };
}
