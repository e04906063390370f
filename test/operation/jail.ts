import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** User `node` of the official images. */
export const NODE_USER = 1000;
/** Folders of this machine that replace those of the image, read-only. */
const SYSTEM = ['usr', 'bin', 'sbin', 'lib', 'lib64', 'lib32'];
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

/** Why this machine cannot create a jail; null if it can. */
export function whyNoJail(): string | null {
  if (process.platform !== 'linux') return 'needs Linux';
  if (process.getuid?.() !== 0) return 'needs root, to mount folders and to become another user';
  const { status, error } = spawnSync('unshare', ['--mount', '--pid', '--fork', 'true'], { stdio: 'ignore' });
  return status === 0 && !error ? null : 'needs unshare(1) and the right to make namespaces';
}

/** How a command runs in a root folder. */
export interface JailOptions {
  readonly root: string;
  readonly user: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Makes the whole root read-only, except mounted folders. */
  readonly readOnly?: boolean;
  /** folders with their own in-memory file system */
  readonly tmpfs?: readonly string[];
  /** path in the jail → writable file or folder of this machine */
  readonly mounts?: Readonly<Record<string, string>>;
}

/** Creates a root folder with mount points, a passwd that contains `node`, and name resolution. */
export function makeRoot(root: string): void {
  for (const folder of ['dev', 'proc', 'tmp', 'etc', 'run', 'opt', 'home/node'])
    mkdirSync(path.join(root, folder), { recursive: true });
  for (const name of SYSTEM.filter((one) => existsSync(`/${one}`))) {
    if (lstatSync(`/${name}`).isSymbolicLink()) symlinkSync(readlinkSync(`/${name}`), path.join(root, name));
    else mkdirSync(path.join(root, name));
  }
  const etc = (name: string, text: string) => writeFileSync(path.join(root, 'etc', name), text);
  etc('passwd', `root:x:0:0::/root:/bin/sh\nnode:x:${NODE_USER}:${NODE_USER}::/home/node:/bin/sh\n`);
  etc('group', `root:x:0:\nnode:x:${NODE_USER}:\n`);
  for (const name of ['resolv.conf', 'hosts', 'nsswitch.conf']) {
    if (existsSync(`/etc/${name}`)) copyFileSync(`/etc/${name}`, path.join(root, 'etc', name));
  }
  for (const name of DEVICES) writeFileSync(path.join(root, 'dev', name), '');
  chown(path.join(root, 'home/node'), NODE_USER);
}

export function chown(file: string, user: number): void {
  execFileSync('chown', ['-R', `${user}:${user}`, file]);
}

/** Starts `command` as `user` in the root folder, without capabilities or a way to gain privileges, as process 1 of a
 *  new PID namespace. This process's Node is mounted where the image has its Node. */
export function startInJail(options: JailOptions, command: readonly string[]): ChildProcess {
  const { root, user, cwd, env, readOnly = false, tmpfs = [], mounts = {} } = options;
  const q = quote;
  const at = (place: string) => q(path.join(root, place));
  const node = path.dirname(path.dirname(process.execPath));
  for (const [place, source] of Object.entries(mounts)) makeMountPoint(path.join(root, place), source);
  const lines = ['set -e', 'mount --make-rprivate /', `mount --bind ${q(root)} ${q(root)}`];
  const readable = [...SYSTEM.filter((name) => existsSync(`/${name}`) && !lstatSync(`/${name}`).isSymbolicLink())];
  for (const name of readable) lines.push(`mount --bind -o ro /${name} ${at(name)}`);
  if (node !== '/usr') lines.push(`mount --bind -o ro ${q(node)} ${at('usr/local')}`);
  for (const name of DEVICES) lines.push(`mount --bind /dev/${name} ${at(`dev/${name}`)}`);
  lines.push(`mount -t proc proc ${at('proc')}`);
  if (readOnly) lines.push(`mount -o remount,bind,ro ${q(root)}`);
  for (const place of tmpfs) lines.push(`mount -t tmpfs -o mode=1777,noexec,nosuid,nodev tmpfs ${at(place)}`);
  for (const [place, source] of Object.entries(mounts)) lines.push(`mount --bind ${q(source)} ${at(place)}`);
  const variables = Object.entries({ PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...env }).map(
    ([name, value]) => q(`${name}=${value}`),
  );
  const become = `setpriv --reuid=${user} --regid=${user} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all`;
  const inside = `cd ${q(cwd)} && exec "$@"`;
  lines.push(`exec env -i ${variables.join(' ')} chroot ${q(root)} ${become} sh -c ${q(inside)} sh "$@"`);
  return spawn(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', lines.join('\n'), 'sh', ...command],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
}

function makeMountPoint(place: string, source: string): void {
  if (existsSync(place)) return;
  mkdirSync(path.dirname(place), { recursive: true });
  if (lstatSync(source).isDirectory()) mkdirSync(place);
  else writeFileSync(place, '');
}

/** Runs a command in the namespaces of a running jail, like `docker exec`.
 *  @param pid process 1 of the jail, as seen by this machine @returns its exit code and output */
export function executeInJail(
  pid: number,
  user: number,
  env: Readonly<Record<string, string>>,
  command: readonly string[],
) {
  const variables = Object.entries({ PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...env }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const enter = ['--target', String(pid), '--mount', '--pid', '--root', '--wd'];
  const become = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--no-new-privs'];
  const { status, stdout, stderr } = spawnSync(
    'nsenter',
    [...enter, ...become, 'env', '-i', ...variables, ...command],
    {
      timeout: 120_000,
    },
  );
  return { status, output: `${stdout}${stderr}` };
}

/** PID of process 1 of a started jail, as seen by this machine. */
export function firstProcessOf(jail: ChildProcess): number {
  const children = readFileSync(`/proc/${jail.pid}/task/${jail.pid}/children`, 'utf8').trim();
  if (!/^\d+$/.test(children)) throw new Error(`unshare has no single child: ${JSON.stringify(children)}`);
  return Number(children);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
