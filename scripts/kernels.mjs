import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { fail, ROOT, requireRoom } from './dependencies.mjs';

const FOLDER = path.join(ROOT, 'src/policy/kernels');
const SOURCE = path.join(FOLDER, 'assembly');
/** Path of the compiled kernels. The file is not in version control. */
const WASM = path.join(FOLDER, 'kernels.wasm');
const FLAGS = ['--runtime', 'stub', '--enable', 'simd', '--importMemory', '-O3', '--noAssert', '--initialMemory', '1'];
/** Free disk space that compiling requires, bytes. */
const WASM_BYTES = 2 ** 20;
/** Custom section of the module with the hash of its sources. */
const SECTION = Buffer.from('source');

/** Compiles the network kernels if they are missing or the hash of their sources differs. Prints the compiler's output
 *  and exits the process if that fails. */
export function ensureKernels() {
  const stamp = Buffer.from(hash());
  if (existsSync(WASM) && readFileSync(WASM).subarray(-stamp.length).equals(stamp)) return;
  requireRoom(WASM_BYTES);
  const made = `${WASM}.${process.pid}`;
  const entry = path.join(SOURCE, 'kernels.ts');
  const compiler = path.join(ROOT, 'node_modules/assemblyscript/bin/asc.js');
  const { status, stderr, error } = spawnSync(process.execPath, [compiler, entry, '-o', made, ...FLAGS], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) fail(`cannot compile the network kernels: ${error?.message ?? stderr}`);
  // A custom section: its id, length, name and content.
  const length = 1 + SECTION.length + stamp.length;
  const section = Buffer.concat([Buffer.from([0, length, SECTION.length]), SECTION, stamp]);
  writeFileSync(made, Buffer.concat([readFileSync(made), section]));
  renameSync(made, WASM);
  rmSync(made, { force: true });
}

function hash() {
  const sum = createHash('sha256').update(FLAGS.join(' '));
  const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
  sum.update(lock.packages['node_modules/assemblyscript'].version);
  for (const file of readdirSync(SOURCE).sort()) sum.update(readFileSync(path.join(SOURCE, file)));
  return sum.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureKernels();
