/** `npm run bench [-- name …]`: builds, runs every `bench/<name>.bench.ts` (or the named ones) against the build, prints
 *  each one's table and writes it to `bench/results/<name>.json`.
 *
 *  A bench measures itself and its baselines in one run. It tells its progress on stderr; the last line that it writes
 *  to stdout is JSON: `{"rows": [{…one flat object of figures a row}], "skipped"?: ["what, and why"]}`. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { build } from './build.mjs';
import { ensureDependencies, ROOT, requireNode } from './dependencies.mjs';

const ENDING = '.bench.ts';
const folder = path.join(ROOT, 'bench');
const results = path.join(folder, 'results');

/** @returns {Promise<string>} the last line that the bench wrote to stdout */
function run(name) {
  return new Promise((resolve, reject) => {
    const args = ['--expose-gc', '--import', 'tsx', path.join(folder, name + ENDING)];
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(out.trimEnd().split('\n').at(-1) ?? '');
      else reject(new Error(`ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

function text(value) {
  if (typeof value !== 'number') return String(value ?? '');
  return Number.isInteger(value) || Math.abs(value) >= 1000 ? String(Math.round(value)) : value.toPrecision(3);
}

/** Columns in the order in which the rows first name them; numbers to the right. */
function printTable(rows) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [columns, ...rows.map((row) => columns.map((column) => text(row[column])))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i].length)));
  const right = columns.map((column) => rows.every((row) => typeof (row[column] ?? 0) === 'number'));
  for (const line of cells) {
    const padded = line.map((cell, i) => (right[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])));
    process.stdout.write(`${padded.join('  ').trimEnd()}\n`);
  }
}

requireNode();
ensureDependencies();
build();

const all = readdirSync(folder)
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length))
  .sort();
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no bench ${unknown.join(', ')}; there are ${all.join(', ')}\n`);
  process.exit(2);
}

mkdirSync(results, { recursive: true });
const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memory_gib: Math.round(totalmem() / 2 ** 30),
  kernel: release(),
  node: process.version,
};
let failed = 0;
for (const name of asked.length > 0 ? asked : all) {
  process.stdout.write(`\n── ${name}\n`);
  try {
    const { rows, skipped = [] } = JSON.parse(await run(name));
    printTable(rows);
    for (const line of skipped) process.stdout.write(`skipped: ${line}\n`);
    const record = { bench: name, date: new Date().toISOString(), machine, rows, skipped };
    writeFileSync(path.join(results, `${name}.json`), `${JSON.stringify(record, null, 2)}\n`);
  } catch (error) {
    failed += 1;
    process.stdout.write(`${name} failed: ${error.message}\n`);
  }
}
process.exit(failed === 0 ? 0 : 1);
