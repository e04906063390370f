import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Error codes of npm and Node for an unreachable registry. */
const UNREACHABLE =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|FETCH_ERROR|E5\d\d|UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|CERT_\w+)$/;
const REFUSED = /^E4\d\d$/;
/** Retry settings for npm: with its defaults it waits for more than a minute without a network. */
const RETRIES = { npm_config_fetch_retry_mintimeout: '1000', npm_config_fetch_retry_maxtimeout: '10000' };
/** Free disk space that an installation requires, bytes. */
const INSTALL_BYTES = 900 * 2 ** 20;
/** Maximum length of a tool's output that is kept, bytes. */
const MAX_OUTPUT = 64 * 2 ** 20;

/** Runs `npm ci` if an installed package differs from the lock file. Exits the process if that fails. */
export function ensureDependencies() {
  const missing = firstDifference();
  if (missing === null) return;
  requireRoom(INSTALL_BYTES);
  process.stderr.write(`installing dependencies (${missing}) …\n`);
  // The build needs development dependencies, also with NODE_ENV=production.
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

/** Checks that the repository is writable and has disk space: tools that fail to write may report success. Exits the
 *  process if not. @param {number} bytes that must be free */
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

/** Runs a tool and prints its output on stderr: stdout belongs to the caller. If the tool fails, exits the process; a
 *  full or read-only disk is reported in one sentence. */
export function runOrExit(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: MAX_OUTPUT, ...options });
  if (result.status === 0) {
    process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
    return;
  }
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`;
  const problem = diskProblem(result.error?.code ?? /\b(ENOSPC|EDQUOT|EROFS|EACCES)\b/.exec(output)?.[1], output);
  if (problem === null) process.stderr.write(output);
  fail(problem ?? `${[command, ...args].join(' ')} ${outcome(result)}`);
}

/** Prints one sentence on stderr and exits the process. */
export function fail(sentence) {
  process.stderr.write(`motion-studio: ${sentence}\n`);
  process.exit(1);
}

/** @param {string | undefined} code of a system error @param {string} text output that may contain the error's message
 *  @returns {string | null} why the repository is not writable and the remedy, null for other errors */
export function diskProblem(code, text = '') {
  if (code === 'ENOSPC' || code === 'EDQUOT' || /no space left on device/i.test(text))
    return `the disk of ${ROOT} is full. Free some space, then start again.`;
  if (code === 'EROFS' || /read-only file system/i.test(text))
    return `the folder ${ROOT} is on a read-only disk. Copy it to a disk that can be written to, or install the package instead.`;
  if (code === 'EACCES' || code === 'EPERM' || /permission denied/i.test(text))
    return `the folder ${ROOT} cannot be written to: permission denied. Change its owner or permissions, or install the package instead.`;
  return null;
}

/** Compares with the record that npm writes when an install has completed, so an interrupted install is repeated.
 *  @returns the first package that differs from the lock file, null if none does */
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
    // A missing optional package is one for another platform.
    if (found ? found.version === version && found.integrity === integrity : optional) continue;
    return `${name.replace('node_modules/', '')} ${version} is ${found ? 'not the one installed' : 'missing'}`;
  }
  return null;
}

/** @returns {string | null} why npm failed and what to do, null if unknown */
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
