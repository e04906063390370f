import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { benchFile } from './server-process.ts';

export type Cell = string | number | null;

/** Prints rows in columns; numbers right-aligned, null as a dash. */
export function printTable(header: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const text = [header, ...rows.map((row) => row.map(cellText))];
  const widths = header.map((_, k) => Math.max(...text.map((row) => row[k]!.length)));
  text.forEach((row, index) => {
    const cells = row.map((cell, k) => {
      const isNumber = index > 0 && typeof rows[index - 1]![k] !== 'string';
      return isNumber ? cell.padStart(widths[k]!) : cell.padEnd(widths[k]!);
    });
    console.log(cells.join('  ').trimEnd());
  });
}

function cellText(cell: Cell): string {
  if (cell === null || (typeof cell === 'number' && !Number.isFinite(cell))) return '–';
  return typeof cell === 'number' ? String(round(cell)) : cell;
}

/** Rounds to three significant digits, to integers from 1000 on. */
function round(value: number): number {
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}

/** A limit that a bench must meet. */
export interface Goal {
  readonly name: string;
  readonly value: number;
  readonly atMost: number;
}

/** Prints the goals and one line of JSON, and writes `bench/results/<claim>.json`. Rounds numbers to three digits. A
 *  value that could not be measured is null.
 *  @param whole false: only a part was measured, so no file is written */
export function writeResult(
  claim: string,
  goals: readonly Goal[],
  figures: Record<string, unknown>,
  whole = true,
): void {
  const judged = goals.map((goal) => ({
    ...goal,
    met: Number.isFinite(goal.value) ? goal.value <= goal.atMost : null,
  }));
  console.log();
  printTable(
    ['goal', 'value', 'at most', ''],
    judged.map(({ name, value, atMost, met }) => [
      name,
      value,
      atMost,
      met === null ? 'not taken' : met ? 'met' : 'MISSED',
    ]),
  );
  const ratios = Object.fromEntries(judged.map(({ name, value }) => [name, value]));
  console.log(JSON.stringify({ claim, ratios }, rounded));
  if (!whole) return;
  const result = { claim, at: new Date().toISOString(), machine: machineFacts(), goals: judged, ...figures };
  mkdirSync(benchFile('results'), { recursive: true });
  writeFileSync(benchFile(`results/${claim}.json`), `${JSON.stringify(result, rounded, 2)}\n`);
}

/** Describes the machine, its versions and how busy it is. */
export function machineFacts() {
  const [cpu] = cpus();
  return {
    cpu: cpu?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 1e9),
    kernel: release(),
    node: process.version,
    load_1min: round(loadavg()[0]!),
  };
}

const rounded = (_key: string, value: unknown) =>
  typeof value === 'number' ? (Number.isFinite(value) ? round(value) : null) : value;
