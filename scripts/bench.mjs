/** `npm run bench [-- name … [--options of the bench]]`: builds, then runs every `bench/<name>.bench.ts`, or the named
 *  ones, against the build. A bench of several hours runs only by name. Each prints its table and writes
 *  `bench/results/<name>.json` itself. */
import '../bin/check-node.cjs';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { build } from './build.mjs';
import { ensureDependencies, ROOT } from './dependencies.mjs';

const ENDING = '.bench.ts';
/** Benches of several hours. They run only by name. */
const LONG = new Set(['learn', 'library']);

ensureDependencies();
build();

const folder = path.join(ROOT, 'bench');
const all = readdirSync(folder)
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length))
  .sort();
const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith('-'));
const names = firstOption < 0 ? args : args.slice(0, firstOption);
const options = firstOption < 0 ? [] : args.slice(firstOption);
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`unknown bench ${unknown.join(', ')}; known: ${all.join(', ')}\n`);
  process.exit(2);
}

let failed = 0;
for (const name of names.length > 0 ? names : all.filter((name) => !LONG.has(name))) {
  process.stdout.write(`\n── ${name}\n`);
  const program = ['--expose-gc', '--import', 'tsx', path.join(folder, name + ENDING), ...options];
  const { status } = spawnSync(process.execPath, program, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) failed += 1;
}
if (failed > 0) process.stdout.write(`\n${failed} benches failed\n`);
process.exit(failed === 0 ? 0 : 1);
