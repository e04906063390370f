import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cloneTo, ROOT, terminalEnv } from '../support/clone.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const asUser = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
const works = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const canBeUser = !isRoot || works('setpriv', `--reuid=${NOBODY}`, '--clear-groups', 'true');
const canMount = isRoot && works('sh', '-c', 'mount -t tmpfs -o size=64k none /mnt && umount /mnt');
if (!canBeUser) console.warn('no setpriv: permissions are not tried');
if (!canMount) console.warn('file systems cannot be mounted here: full and read-only disks are not tried');
const NOBODY_LISTENS = 'http://127.0.0.1:9/';

let folder: string;
let clone: string;
let mounted: boolean;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'start-script-'));
  chmodSync(folder, 0o755);
  clone = path.join(folder, 'clone');
  mkdirSync(clone);
  mounted = false;
});
afterEach(() => {
  if (mounted) spawnSync('umount', [clone]);
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the clone and checks that stderr has one sentence. @returns exit code and that sentence */
function start(env: NodeJS.ProcessEnv, through: readonly string[] = []): readonly [number | null, string] {
  const [program, ...args] = [...through, process.execPath, path.join(clone, 'scripts/start.mjs')];
  const { status, stdout, stderr } = spawnSync(program!, args, { cwd: clone, env, encoding: 'utf8', timeout: 240_000 });
  const lines = stderr.trimEnd().split('\n');
  const said = lines.filter((line) => !/^(installing dependencies|built the) /.test(line));
  expect(said).toEqual([expect.stringMatching(/^motion-studio: /)]);
  expect(stdout).toBe('');
  return [status, said[0]!];
}
const withModules = () => symlinkSync(path.join(ROOT, 'node_modules'), path.join(clone, 'node_modules'));

test('npm start without npm says how to install npm', () => {
  cloneTo(clone);
  expect(start({ ...terminalEnv(), PATH: '/nonexistent' })).toEqual([
    1,
    expect.stringMatching(/cannot be installed: npm was not found\. Install it \(it comes with Node from https/),
  ]);
});

test('npm start without the registry names what to check', () => {
  cloneTo(clone);
  const settings = { registry: NOBODY_LISTENS, cache: path.join(folder, 'cache'), fetch_retries: '0' };
  expect(start(terminalEnv(null, settings))).toEqual([
    1,
    expect.stringMatching(/the npm registry cannot be reached \(ECONNREFUSED\)\. Check the network and npm's settings/),
  ]);
});

test.skipIf(!canBeUser)('npm start in a folder of another user names the remedy if it has to build', () => {
  cloneTo(clone);
  withModules();
  expect(start(terminalEnv(), asUser)).toEqual([
    1,
    expect.stringMatching(
      /clone cannot be written to: permission denied\. Change its owner or permissions, or install/,
    ),
  ]);
});

test.skipIf(!canMount)('npm start on a read-only disk says so if it has to build', () => {
  const source = path.join(folder, 'source');
  cloneTo(source);
  expect(works('mount', '--bind', source, clone)).toBe(true);
  mounted = true;
  withModules();
  expect(works('mount', '-o', 'remount,bind,ro', clone)).toBe(true);
  expect(start(terminalEnv())).toEqual([1, expect.stringMatching(/clone is on a read-only disk\. Copy it to a disk/)]);
});

test.skipIf(!canMount).each([
  ['install', false],
  ['build', true],
])('on a full disk the start says so if it has to %s', (_, installed) => {
  const source = path.join(folder, 'source');
  cloneTo(source);
  const bytes = Number(/^(\d+)/.exec(spawnSync('du', ['-sk', source], { encoding: 'utf8' }).stdout)![1]) * 1024;
  expect(works('mount', '-t', 'tmpfs', '-o', `size=${bytes + 2 ** 20}`, 'none', clone)).toBe(true);
  mounted = true;
  cpSync(source, clone, { recursive: true });
  if (installed) withModules();
  const env = terminalEnv(null, { prefer_offline: 'true', fetch_retries: '0' });
  expect(start(env)).toEqual([
    1,
    expect.stringMatching(/the disk of \S+clone is full: \d+ MiB are free, \d+ are needed\. Free some space/),
  ]);
});
