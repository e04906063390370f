import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ServiceProcess, spawnCommand, spawnService } from '../support/service-process.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COMMAND = path.join(ROOT, 'bin/motion-studio.cjs');
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** Permissions do not apply to root, so the service runs as another user. */
const asUser = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
const works = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const canBeUser = !isRoot || works('setpriv', `--reuid=${NOBODY}`, '--clear-groups', 'true');
const canMount = isRoot && works('sh', '-c', 'mount -t tmpfs -o size=64k none /mnt && umount /mnt');
if (!canBeUser) console.warn('no setpriv: permissions are not tried');
if (!canMount) console.warn('file systems cannot be mounted here: full and read-only disks are not tried');

let folder: string;
let workspace: string;
let mounted: string[];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'failed-start-'));
  chmodSync(folder, 0o755);
  workspace = path.join(folder, 'workspace');
  mounted = [];
});
afterEach(() => {
  for (const place of mounted) spawnSync('umount', [place]);
  rmSync(folder, { recursive: true, force: true });
});

/** Expects that stderr is one readable sentence, without a stack. */
async function expectSentence(service: ServiceProcess, code: number, sentence: RegExp): Promise<void> {
  expect([await service.exit, service.stderr()]).toEqual([{ code, signal: null }, expect.stringMatching(/^[^\n]+\n$/)]);
  expect(service.stderr()).toMatch(/^motion-studio: /);
  expect(service.stderr()).toMatch(sentence);
  expect(service.stderr()).not.toMatch(/\n\s+at |E[A-Z]{3,}: /);
  expect(service.stdout()).toBe('');
}
const refuses = (sentence: RegExp, args: string[] = ['--workspace', workspace], code = 1) =>
  expectSentence(spawnService(args), code, sentence);
const refusesUser = (sentence: RegExp, args: string[] = ['--workspace', workspace]) =>
  expectSentence(spawnService(args, {}, asUser), 1, sentence);
function mount(place: string, options: string): void {
  mkdirSync(place);
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', place]).status).toBe(0);
  mounted.push(place);
}

describe('a workspace that cannot be used is named with the reason and the remedy:', () => {
  test('a workspace that is a file is refused with the reason and the remedy', async () => {
    writeFileSync(workspace, '');
    await refuses(
      /workspace cannot be used: \S+workspace is a file, not a folder\. Move it away, or choose another with/,
    );
  });

  test('a workspace below a file is refused with the reason and the remedy', async () => {
    writeFileSync(workspace, '');
    await refuses(/\/workspace is a file, not a folder\. Move/, ['--workspace', path.join(workspace, 'a/b')]);
  });

  test('a workspace with a file in the place of one of its folders is refused', async () => {
    mkdirSync(workspace);
    writeFileSync(path.join(workspace, 'data'), '');
    await refuses(/workspace\/data is a file, not a folder\. Move it away/);
  });

  test('a workspace that is a dangling link is refused', async () => {
    symlinkSync('/nonexistent/disk', workspace);
    await refuses(
      /workspace is a link to \/nonexistent\/disk, which does not exist\. Create that folder, correct the link/,
    );
  });

  test('a workspace that is a link to itself is refused', async () => {
    symlinkSync('workspace', workspace);
    await refuses(/its links lead in a circle\. Correct the link, or/);
  });

  test('a workspace with too long a name is refused', async () => {
    await refuses(/the name is too long for this system; choose/, ['--workspace', path.join(folder, 'a'.repeat(300))]);
  });

  test.skipIf(!existsSync('/proc/self'))('a workspace on /proc is refused', async () => {
    await refuses(/folders cannot be created in \/proc; choose another/, ['--workspace', '/proc/studio']);
  });

  test('a workspace without a name is refused', async () => {
    await refuses(/--workspace: is empty\. Name a folder/, ['--workspace', ''], 2);
  });

  test.skipIf(!canBeUser)('a workspace in a folder of another user is refused', async () => {
    chmodSync(folder, 0o555);
    await refusesUser(/permission denied for \S+workspace\. Change its owner or permissions, or choose another with/);
    chmodSync(folder, 0o755);
  });

  test.skipIf(!canBeUser)('a workspace in a folder without search permission is refused', async () => {
    mkdirSync(workspace);
    writeFileSync(path.join(workspace, 'studio.yaml'), '');
    chmodSync(workspace, 0o000);
    await refusesUser(/permission denied for \S+\. Change its owner/);
    chmodSync(workspace, 0o755);
  });

  test.skipIf(!canBeUser || !isRoot)('a workspace with one folder of another user is refused', async () => {
    const folders = ['', 'data', 'config', 'jobs', 'robots', 'logs', 'logs/rsl_rl', '.studio', '.studio/cache'];
    for (const name of folders) {
      mkdirSync(path.join(workspace, name));
      if (name !== 'data') chownSync(path.join(workspace, name), NOBODY, NOBODY);
    }
    await refusesUser(/permission denied for \S+workspace\/data\/humanoid\. Change its owner/);
  });

  test.skipIf(!canMount)('a workspace on a read-only disk is refused', async () => {
    mount(workspace, 'ro');
    await refuses(/is on a read-only disk\. Make it writable, or choose another/);
  });

  test.skipIf(!canMount)('a workspace on a full disk is refused', async () => {
    mount(workspace, 'size=16k');
    writeFileSync(path.join(workspace, 'file'), new Uint8Array(8192));
    await refuses(/its disk is full\. Free some space, or choose another/);
  });

  test('a workspace written by a newer version is refused', async () => {
    mkdirSync(path.join(workspace, '.studio'), { recursive: true });
    writeFileSync(path.join(workspace, '.studio/layout'), '2\n');
    await refuses(
      /a newer motion-studio wrote it \(layout 2, this version knows 1\)\. Install the newer version; choose/,
    );
    expect(existsSync(path.join(workspace, '.studio/lock'))).toBe(false);
  });
});

describe('settings and tokens that cannot be used are named:', () => {
  const writeSettings = (text: string) => {
    mkdirSync(workspace);
    writeFileSync(path.join(workspace, 'studio.yaml'), text);
  };
  test('settings with broken YAML are refused with the line', async () => {
    writeSettings('stream:\n  fps: [30\n');
    await refuses(/studio\.yaml:\d+: /);
  });

  test('a folder in the place of studio.yaml is refused', async () => {
    mkdirSync(path.join(workspace, 'studio.yaml'), { recursive: true });
    await refuses(/studio\.yaml: is a folder\. A file with settings is expected; move the folder away/);
  });

  test.skipIf(!canBeUser)('a studio.yaml of another user is refused', async () => {
    writeSettings('');
    chmodSync(path.join(workspace, 'studio.yaml'), 0o000);
    await refusesUser(/studio\.yaml: cannot be read: permission denied\. Let the user of the service read it/);
  });

  test('a settings file that does not exist is refused', async () => {
    const file = path.join(folder, 'none.yaml');
    await refuses(/--config: the file \S+none\.yaml does not exist\. Create it or/, ['--config', file], 2);
  });

  test('a token file that does not exist is refused', async () => {
    const file = path.join(folder, 'none');
    await refuses(/--token-file: the file \S+none does not exist\. Write the token on its/, ['--token-file', file], 2);
  });

  test('a token file without a token is refused', async () => {
    const file = path.join(folder, 'token');
    writeFileSync(file, '\nsecret\n');
    await refuses(/--token-file: the token is empty\. Set one/, ['--token-file', file], 2);
  });

  test('a folder in the place of the token file is refused', async () => {
    await refuses(/--token-file: \S+ is a folder\. Name a file/, ['--token-file', folder], 2);
  });
});

describe('an address that cannot be listened on is named:', () => {
  const at = (...args: string[]) => ['--workspace', workspace, ...args];
  test('an unknown host name is refused as the listening address', async () => {
    await refuses(
      /the host name nobody\.invalid cannot be resolved\. Choose another with --host/,
      at('--host', 'nobody.invalid'),
    );
  });

  test('the address of another machine is refused as the listening address', async () => {
    await refuses(
      /192\.0\.2\.1 is not an address of this machine\. Choose another address with --host/,
      at('--host', '192.0.2.1'),
    );
  });

  test('a port out of range is refused', async () => {
    await refuses(/--port: must be an integer from 0 to 65535, got "65536"/, at('--port', '65536'), 2);
  });

  const lowest = spawnSync('cat', ['/proc/sys/net/ipv4/ip_unprivileged_port_start'], { encoding: 'utf8' }).stdout;
  test.skipIf(!canBeUser || !(Number(lowest) > 80))('a port that needs root is refused', async () => {
    chmodSync(folder, 0o777);
    await refusesUser(
      /listening on 127\.0\.0\.1:80 is not permitted\. Choose a --port above 1023\./,
      at('--port', '80'),
    );
  });
});

describe('missing features of Node or the machine are named:', () => {
  const withNode = (sentence: RegExp, ...flags: string[]) =>
    expectSentence(spawnCommand([process.execPath, ...flags, COMMAND], ['--workspace', workspace]), 1, sentence);

  test('a start without WebAssembly names what is missing', async () => {
    const service = spawnCommand([process.execPath, '--jitless', COMMAND], ['--workspace', workspace]);
    expect(await service.exit).toEqual({ code: 1, signal: null });
    // The first line comes from V8.
    expect(service.stderr().split('\n').slice(-2)).toEqual([
      'motion-studio: WebAssembly is missing. Start Node without --jitless (see NODE_OPTIONS).',
      '',
    ]);
  });

  test('a start without SharedArrayBuffer names what is missing', async () => {
    await withNode(/SharedArrayBuffer is missing\. Start Node without/, '--enable-sharedarraybuffer-per-context');
  });

  test.skipIf(process.arch !== 'x64')('a start without SIMD names what is missing', async () => {
    await withNode(/WebAssembly has no SIMD here\. It needs a processor with SSE4\.1/, '--no-enable-sse4-1');
  });

  test('a start with too small a heap names the limit', async () => {
    await withNode(
      /heap of Node is limited to \d+ MiB, at least 128 are needed\. Raise/,
      '--max-old-space-size=16',
      '--max-semi-space-size=1',
    );
  });

  test.skipIf(process.platform !== 'linux')('a start with a limited address space names the limit', async () => {
    const limited = ['sh', '-c', 'ulimit -v 6000000; exec "$@"', 'sh', process.execPath, COMMAND];
    const service = spawnCommand(limited, ['--workspace', workspace]);
    await expectSentence(
      service,
      1,
      /the address space of the process is limited\. Start it after ulimit -v unlimited/,
    );
  });

  test.skipIf(process.platform !== 'linux')('a start with too few open files names the limit', async () => {
    const limited = (count: number) => ['sh', '-c', `ulimit -n ${count}; exec "$@"`, 'sh'];
    const start = (count: number) => spawnService(['--workspace', workspace], {}, limited(count));
    await expectSentence(
      start(100),
      1,
      /the limit on open files is 100, at least 128 are needed\. Raise it with ulimit -n 1024/,
    );
    const enough = start(128);
    await enough.ready;
    enough.child.kill();
    expect(await enough.exit).toEqual({ code: 0, signal: null });
  });

  test('a start on an old Node names the version that is needed', () => {
    const old = "Object.defineProperty(process.versions, 'node', { value: '20.18.3' })";
    const preload = path.join(folder, 'old.cjs');
    writeFileSync(preload, old);
    for (const entry of ['bin/motion-studio.cjs', 'scripts/start.mjs']) {
      const { status, stderr } = spawnSync(process.execPath, ['-r', preload, path.join(ROOT, entry)], {
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(/^motion-studio needs Node 20\.19 or newer, this is 20\.18\.3\. Install [^\n]+\n$/),
      ]);
    }
  });
});

describe('an installation that is damaged says so:', () => {
  /** A new folder with the command and links to its packages. @param missing file or folder that is left out */
  function installWithout(missing: string): string {
    const place = path.join(folder, 'installed');
    const modules = path.join(ROOT, 'node_modules');
    for (const name of ['bin', 'dist', 'package.json'])
      cpSync(path.join(ROOT, name), path.join(place, name), { recursive: true });
    for (const name of readdirSync(modules)) {
      const packages = name.startsWith('@')
        ? readdirSync(path.join(modules, name)).map((own) => `${name}/${own}`)
        : [name];
      mkdirSync(path.join(place, 'node_modules', path.dirname(packages[0] ?? '')), { recursive: true });
      for (const one of packages) symlinkSync(path.join(modules, one), path.join(place, 'node_modules', one));
    }
    const [, found] = /^node_modules\/(@[^/]+\/[^/]+|[^/]+)\/./.exec(missing) ?? [];
    if (found !== undefined) {
      rmSync(path.join(place, 'node_modules', found));
      cpSync(path.join(modules, found), path.join(place, 'node_modules', found), { recursive: true });
    }
    rmSync(path.join(place, missing), { recursive: true });
    return path.join(place, 'bin/motion-studio.cjs');
  }
  const refusesWithout = (missing: string, sentence: RegExp) =>
    expectSentence(spawnCommand([process.execPath, installWithout(missing)], ['--workspace', workspace]), 1, sentence);

  test('an installation without the page says so', async () => {
    await refusesWithout(
      'dist/web',
      /the page is not built: \S+index\.html is missing\. Run npm run build, or install/,
    );
  });

  test('an installation without the build says so', async () => {
    await refusesWithout(
      'dist/cli',
      /the installation is incomplete: Cannot find module .*main\.js.* Install motion-studio again/,
    );
  });

  test('an installation without a package of the command line names the package', async () => {
    await refusesWithout('node_modules/commander', /the installation is incomplete: Cannot find package 'commander'/);
  });

  test('an installation without a package of the service names the package', async () => {
    await refusesWithout('node_modules/piscina', /the installation is incomplete: Cannot find package 'piscina'/);
  });

  test('an installation without the simulation says so', async () => {
    await refusesWithout(
      'node_modules/@mujoco/mujoco/mujoco.wasm',
      /the simulation cannot start: .*mujoco\.wasm.* Install motion-studio again/,
    );
  });
});
