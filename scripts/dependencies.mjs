import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Ends the process with one line when this Node is too old. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`motion-studio needs Node 20.19 or newer, this is ${process.versions.node}\n`);
  process.exit(1);
}

/** Installs from the lock file what is not installed as the lock file says. Exits the process where that fails. */
export function ensureDependencies() {
  const missing = firstDifference();
  if (missing === null) return;
  process.stderr.write(`installing dependencies (${missing}) …\n`);
  // Tools of the build are development dependencies, whatever NODE_ENV says.
  runOrExit('npm', ['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error']);
}

/** Runs a program with its output on stderr: stdout belongs to what the caller has to say. */
export function runOrExit(command, args, options = {}) {
  const { status, signal, error } = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2], ...options });
  if (status === 0) return;
  const why = error ? error.message : signal ? `was ended by ${signal}` : `failed with exit code ${status}`;
  process.stderr.write(`${[command, ...args].join(' ')}: ${why}\n`);
  process.exit(1);
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
