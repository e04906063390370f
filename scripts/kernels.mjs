import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { fail, ROOT, requireRoom } from './dependencies.mjs';

const FOLDER = path.join(ROOT, 'src/policy/kernels');
const SOURCE = path.join(FOLDER, 'assembly');
/** The compiled kernels and the features of WebAssembly that they need. The files are not in version control. */
const MODULES = { 'kernels.wasm': 'simd', 'kernels-fused.wasm': 'simd,relaxed-simd' };
const FLAGS = ['--runtime', 'stub', '--importMemory', '-O3', '--noAssert', '--initialMemory', '1'];
/** Free disk space that compiling requires, bytes. */
const WASM_BYTES = 2 ** 20;
/** Custom section of the module with the hash of its sources. */
const SECTION = Buffer.from('source');

/** Compiles the network kernels if they are missing or the hash of their sources differs. Prints the compiler's output
 *  and exits the process if that fails. */
export function ensureKernels() {
  const stamp = Buffer.from(hash());
  for (const [name, features] of Object.entries(MODULES)) ensureModule(path.join(FOLDER, name), features, stamp);
}

function ensureModule(file, features, stamp) {
  if (existsSync(file) && readFileSync(file).subarray(-stamp.length).equals(stamp)) return;
  requireRoom(WASM_BYTES);
  const made = `${file}.${process.pid}`;
  const entry = path.join(SOURCE, 'kernels.ts');
  const compiler = path.join(ROOT, 'node_modules/assemblyscript/bin/asc.js');
  const { status, stderr, error } = spawnSync(
    process.execPath,
    [compiler, entry, '-o', made, '--enable', features, ...FLAGS],
    { cwd: ROOT, encoding: 'utf8' },
  );
  if (status !== 0) fail(`cannot compile the network kernels: ${error?.message ?? stderr}`);
  // A custom section: its id, length, name and content.
  const length = 1 + SECTION.length + stamp.length;
  const section = Buffer.concat([Buffer.from([0, length, SECTION.length]), SECTION, stamp]);
  writeFileSync(made, Buffer.concat([readFileSync(made), section]));
  renameSync(made, file);
  rmSync(made, { force: true });
}

function hash() {
  const sum = createHash('sha256').update(JSON.stringify([MODULES, FLAGS]));
  const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
  sum.update(lock.packages['node_modules/assemblyscript'].version);
  for (const file of readdirSync(SOURCE).sort()) sum.update(readFileSync(path.join(SOURCE, file)));
  return sum.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureKernels();
