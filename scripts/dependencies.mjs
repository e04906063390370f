import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Codes of npm and of Node for a registry that cannot be reached. */
const UNREACHABLE =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|FETCH_ERROR|E5\d\d|UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|CERT_\w+)$/;
const REFUSED = /^E4\d\d$/;
/** npm's own defaults leave a person without a network waiting for more than a minute. */
const RETRIES = { npm_config_fetch_retry_mintimeout: '1000', npm_config_fetch_retry_maxtimeout: '10000' };
/** What an install takes on the disk, bytes. */
const INSTALL_BYTES = 900 * 2 ** 20;
/** What a tool may write to its output, bytes. */
const MAX_OUTPUT = 64 * 2 ** 20;

/** Installs what is not installed as the lock file says. Exits the process where that fails. */
export function ensureDependencies() {
  const missing = firstDifference();
  if (missing === null) return;
  requireRoom(INSTALL_BYTES);
  process.stderr.write(`installing dependencies (${missing}) …\n`);
  // Tools of the build are development dependencies, whatever NODE_ENV says.
  const args = ['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error'];
  const result = spawnSync('npm', args, {
    cwd: ROOT,
    env: { ...RETRIES, ...process.env },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
  });
  if (result.status === 0) return;
  const reason = npmReason(result);
  if (reason === null) process.stderr.write(result.stderr);
  fail(`the dependencies cannot be installed: ${reason ?? `npm ci ${outcome(result)}`}`);
}

/** Checks that something can be written below the repository: tools that fail to write may report success. Exits the
 *  process where not. @param {number} bytes that must be free */
export function requireRoom(bytes) {
  try {
    accessSync(ROOT, constants.W_OK);
  } catch (error) {
    fail(diskProblem(error.code) ?? error.message);
  }
  const { bavail, bsize } = statfsSync(ROOT);
  const mib = (count) => Math.ceil(count / 2 ** 20);
  if (bavail * bsize < bytes)
    fail(
      `the disk of ${ROOT} is full: ${mib(bavail * bsize)} MiB are free, ${mib(bytes)} are needed. Free some space, then start again.`,
    );
}

/** Runs a tool with its output on stderr where it fails: stdout belongs to what the caller has to say. A full or
 *  read-only disk is one sentence. Exits the process where the tool fails. */
export function runOrExit(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: MAX_OUTPUT, ...options });
  if (result.status === 0) {
    process.stderr.write(result.stdout + result.stderr);
    return;
  }
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`;
  const problem = diskProblem(result.error?.code ?? /\b(ENOSPC|EDQUOT|EROFS|EACCES)\b/.exec(output)?.[1], output);
  if (problem === null) process.stderr.write(output);
  fail(problem ?? `${[command, ...args].join(' ')} ${outcome(result)}`);
}

/** Ends the process with one sentence on stderr. */
export function fail(sentence) {
  process.stderr.write(`motion-studio: ${sentence}\n`);
  process.exit(1);
}

/** @param {string | undefined} code of the system @param {string} text that may hold the system's words instead
 *  @returns {string | null} why nothing can be written below the repository, null for other codes */
export function diskProblem(code, text = '') {
  if (code === 'ENOSPC' || code === 'EDQUOT' || /no space left on device/i.test(text))
    return `the disk of ${ROOT} is full. Free some space, then start again.`;
  if (code === 'EROFS' || /read-only file system/i.test(text))
    return `the folder ${ROOT} is on a read-only disk. Copy it to a disk that can be written to, or install the package instead.`;
  if (code === 'EACCES' || code === 'EPERM' || /permission denied/i.test(text))
    return `the folder ${ROOT} cannot be written to: permission denied. Change its owner or permissions, or install the package instead.`;
  return null;
}

/** npm writes down what it installed when it is done, so an install that was interrupted counts as none.
 *  @returns the first package that is not installed as the lock file says, null where all are */
function firstDifference() {
  const wanted = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')).packages;
  let installed;
  try {
    installed = JSON.parse(readFileSync(path.join(ROOT, 'node_modules/.package-lock.json'), 'utf8')).packages;
  } catch {
    return 'none are installed';
  }
  for (const [name, { version, integrity, optional }] of Object.entries(wanted)) {
    if (name === '') continue;
    const found = installed[name];
    // Optional packages are for other platforms where they are absent.
    if (found ? found.version === version && found.integrity === integrity : optional) continue;
    return `${name.replace('node_modules/', '')} ${version} is ${found ? 'not the one installed' : 'missing'}`;
  }
  return null;
}

/** @returns {string | null} why npm failed and what to do, null where that is not known */
function npmReason({ error, stderr }) {
  if (error?.code === 'ENOENT')
    return 'npm was not found. Install it (it comes with Node from https://nodejs.org; Debian, Ubuntu: apt-get install npm), then start again.';
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(stderr ?? '')?.[1];
  if (code === undefined) return null;
  if (UNREACHABLE.test(code))
    return `the npm registry cannot be reached (${code}). Check the network and npm's settings (npm config get registry, npm config get proxy), then start again.`;
  if (REFUSED.test(code))
    return `the npm registry refuses a package (${code}). Check npm's settings (npm config get registry), then start again.`;
  if (code === 'EINTEGRITY')
    return 'a package differs from what package-lock.json expects (EINTEGRITY). Run npm cache clean --force and check npm config get registry, then start again.';
  return diskProblem(code, stderr);
}

function outcome({ error, signal, status }) {
  if (error) return `failed: ${error.message}`;
  return signal ? `was ended by ${signal}` : `failed with exit code ${status}`;
}
