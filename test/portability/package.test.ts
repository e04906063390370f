import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { chromium } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.mjs';
import { cloneTo, ROOT, terminalEnv } from '../support/clone.ts';
import { registryProblem } from '../support/node-versions.ts';
import { type ServiceProcess, spawnCommand } from '../support/service-process.ts';
import { goWholeWay } from '../support/whole-way.ts';

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

const problem = registryProblem();
if (problem !== null) console.warn(`the package is not installed: ${problem}`);
const browser = findChromium();
if (browser === null) console.warn('no Chromium: the page of the package is not loaded');
const env = terminalEnv(null, { prefer_offline: 'true', audit: 'false', fund: 'false' });
/** Time limit of a command, ms. A call that waits for a command cannot be ended by the limit of the test. */
const timeout = 240_000;

let folder: string;
let packed: Packed;
let tarball: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'package-'));
  // A clone of the sources without a build: packing must build.
  const clone = path.join(folder, 'clone');
  cloneTo(clone);
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(clone, 'node_modules'));
  const report = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: clone,
    encoding: 'utf8',
    env,
    timeout,
  });
  packed = (JSON.parse(report) as Packed[])[0]!;
  tarball = path.join(folder, packed.filename);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a tarball packed from unbuilt sources has the service and the page but no development files', () => {
  const files = packed.files.map((file) => file.path);
  expect(files).toEqual(
    expect.arrayContaining([
      'bin/motion-studio.cjs',
      'dist/cli/main.js',
      'dist/workers/sim/sim.worker.js',
      'dist/web/index.html',
      'dist/docs/index.html',
      'dist/protocol/client/motion-studio.js',
      'clients/python/motion_studio.py',
      'dist/policy/kernels/kernels.wasm',
      'dist/policy/kernels/kernels-fused.wasm',
      'dist/jobs/detached/job-runner.sh',
      'dist/protocol/frame.d.ts',
      'LICENSE',
      'NOTICE',
      'README.md',
      'package.json',
    ]),
  );
  expect(files.filter((file) => /^(src|test|bench|scripts|web|docs)\/|\.map$|\.stamp|\.log$/.test(file))).toEqual([]);
  expect(files.filter((file) => file.endsWith('.d.ts') && !file.startsWith('dist/protocol/'))).toEqual([]);
  console.log(
    `${packed.filename}: ${(packed.size / 1e6).toFixed(2)} MB packed, ${(packed.unpackedSize / 1e6).toFixed(2)} MB unpacked, ${files.length} files`,
  );
});

test('NOTICE names every installed package and every library of the page', () => {
  const notice = readFileSync(path.join(ROOT, 'NOTICE'), 'utf8');
  const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { name?: string; dev?: boolean; version: string }>;
  };
  const runtime = Object.entries(lock.packages)
    .filter(([place, { dev }]) => place !== '' && dev !== true)
    .map(([place, { name }]) => name ?? place.slice(place.lastIndexOf('node_modules/') + 13));
  const page = ['three', 'preact', '@preact/signals', 'uplot', 'modern-gif', '@fontsource-variable/inter'];
  // A package's binaries for several platforms are covered by the package's name.
  const words = new Set(notice.split(/[\s,;()]+/));
  expect([...runtime, ...page].filter((name) => !words.has(name.replace(/^(@napi-rs\/nice)-.*/, '$1')))).toEqual([]);
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>;
  for (const [name, spec] of Object.entries({ ...dependencies, ...optionalDependencies })) {
    const [, alias = name, version = spec] = /^npm:(.+)@(.+)$/.exec(spec) ?? [];
    expect(notice).toContain(`${alias} ${version} `);
  }
  const { integrity } = lock.packages['node_modules/uWebSockets.js'] as unknown as { integrity: string };
  const commit = readFileSync(path.join(ROOT, 'node_modules/uWebSockets.js/source_commit'), 'utf8').trim();
  expect(notice.replaceAll(/\s+/g, '')).toContain(integrity);
  expect(notice).toContain(commit);
});

describe.skipIf(problem !== null)('installed elsewhere', () => {
  let place: string;
  let command: string;
  /** a program that imports the package */
  let consumer: string;
  beforeAll(() => {
    place = path.join(folder, 'installed');
    consumer = path.join(place, 'lib/node_modules/consumer');
    mkdirSync(place);
    execFileSync('npm', ['install', '--global', '--prefix', place, '--omit=dev', tarball], {
      cwd: place,
      env,
      timeout,
    });
    command = path.join(place, 'bin/motion-studio');
  });

  test('the installed package has no development dependencies and no install scripts', () => {
    const modules = path.join(place, 'lib/node_modules/motion-studio/node_modules');
    expect(existsSync(path.join(modules, 'commander'))).toBe(true);
    expect(['vite', 'typescript', 'vitest', 'tsx'].filter((name) => existsSync(path.join(modules, name)))).toEqual([]);
    const scripted = readdirSync(modules, { recursive: true, encoding: 'utf8' })
      .filter(
        (file) =>
          path.basename(file) === 'package.json' && !/node_modules/.test(file) && file.split(path.sep).length <= 3,
      )
      .filter((file) => {
        const { scripts = {} } = JSON.parse(readFileSync(path.join(modules, file), 'utf8')) as { scripts?: object };
        return ['preinstall', 'install', 'postinstall'].some((script) => script in scripts);
      });
    expect(scripted).toEqual([]);
  });

  test('the installed command, and npx in an empty folder, print version and help', () => {
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(execFileSync(command, ['--version'], { encoding: 'utf8', env, timeout })).toBe(`${version}\n`);
    expect(execFileSync(command, ['--help'], { encoding: 'utf8', env, timeout })).toContain('--workspace');
    const empty = path.join(folder, 'empty');
    mkdirSync(empty);
    const npx = ['exec', '--yes', `--package=${tarball}`, '--', 'motion-studio', '--version'];
    expect(execFileSync('npm', npx, { cwd: empty, encoding: 'utf8', env, timeout })).toBe(`${version}\n`);
    expect(readdirSync(empty)).toEqual([]);
  });

  test('the exports of the package have types that compile', () => {
    mkdirSync(consumer, { recursive: true });
    writeFileSync(path.join(consumer, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(
      path.join(consumer, 'index.ts'),
      `import { MotionStudio } from 'motion-studio/client';
import { decodeFrame } from 'motion-studio/frame';
import { decodePlayRecord } from 'motion-studio/play-record';
import type { EventPayloads } from 'motion-studio/events';
const owner: EventPayloads['owner'] = { owner: 'data' };
// @ts-expect-error: the owner is one of four
const other: EventPayloads['owner'] = { owner: 'nobody' };
const studio = new MotionStudio({ url: process.argv[2] ?? 'http://127.0.0.1:8765' });
const health: Promise<{ version: string }> = studio.getHealth();
// @ts-expect-error: a clip is named
const load = () => studio.loadClip({ dataset: 'samples' });
declare const process: { argv: string[] };
console.log(typeof decodeFrame, typeof decodePlayRecord, owner, other, typeof load, (await health).version);
`,
    );
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const flags = [
      '--strict',
      '--target',
      'es2023',
      '--module',
      'nodenext',
      '--types',
      '',
      '--lib',
      'es2023,dom',
      'index.ts',
    ];
    execFileSync(process.execPath, [tsc, ...flags], { cwd: consumer, env, stdio: 'pipe', timeout });
  });

  test('the installed service starts, shows its page, works from end to end and stops', async () => {
    const workspace = path.join(folder, 'workspace');
    const began = performance.now();
    const service: ServiceProcess = spawnCommand([command], ['--workspace', workspace], env, place);
    try {
      const address = await service.ready;
      console.log(`started in ${((performance.now() - began) / 1e3).toFixed(2)} s with a new workspace`);
      if (browser !== null) expect(await loadPage(browser, address)).toEqual([]);
      const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
      const printed = execFileSync(process.execPath, ['index.js', address], {
        cwd: consumer,
        encoding: 'utf8',
        env,
        timeout,
      });
      expect(printed).toBe(`function function { owner: 'data' } { owner: 'nobody' } function ${version}\n`);
      await goWholeWay(address);
      service.child.kill('SIGTERM');
      expect(await service.exit).toEqual({ code: 0, signal: null });
      expect(service.stderr()).not.toMatch(/"level":"error"|Warning: |\n {4}at /);
    } finally {
      service.child.kill('SIGKILL');
    }
    const again = performance.now();
    const second = spawnCommand([command], ['--workspace', workspace], env, place);
    await second.ready;
    console.log(`started again in ${((performance.now() - again) / 1e3).toFixed(2)} s`);
    second.child.kill('SIGTERM');
    expect(await second.exit).toEqual({ code: 0, signal: null });
  });
});

/** Opens the page until frames are drawn. @returns errors in its console, its scripts and its requests */
async function loadPage(executablePath: string, address: string): Promise<string[]> {
  const instance = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGS] });
  try {
    const page = await instance.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('requestfailed', (request) => problems.push(`${request.url()}: ${request.failure()?.errorText}`));
    await page.goto(address);
    const drawn = () =>
      page.evaluate(() => {
        const { motionStudio } = window as unknown as { motionStudio?: { stats: { drawn: number } } };
        return motionStudio?.stats.drawn ?? 0;
      });
    await expect.poll(drawn, { timeout: 60_000 }).toBeGreaterThan(0);
    return problems;
  } finally {
    await instance.close();
  }
}
