/** Claim: reading the CSV of a clip costs at most half the CPU of uDSV, the fastest known JavaScript parser, for the
 *  same bytes to numbers; at most two thirds for numbers of 17 digits or more. Our reader also checks every cell and
 *  line. All parsers return exactly the same numbers.
 *
 *    csv.bench.ts [--reps 15] [--frames 20000]
 *
 *  The text is one clip of 36 columns as three programs write it: six decimals (retargeted motion), the shortest text
 *  of a double (Python's repr), and `%.18e` (numpy.savetxt). The parsers alternate in rounds. Compares CPU time,
 *  because other processes may use the machine. */
import { parseArgs } from 'node:util';
import { initParser, type Schema } from 'udsv';
import { fromDist } from './harness/product.ts';
import { printTable, writeResult } from './harness/report.ts';
import { median, medianOf } from './harness/statistics.ts';

const { parseClipCsv } = await fromDist<typeof import('../src/formats/csv.ts')>('formats/csv.js');

const COLUMNS = 36;
const { values: options } = parseArgs({
  options: { reps: { type: 'string', default: '15' }, frames: { type: 'string', default: '20000' } },
});

type Write = (value: number) => string;
const WRITERS: readonly (readonly [name: string, write: Write, atMost: number])[] = [
  ['six decimals', (value) => value.toFixed(6), 0.5],
  ['shortest', (value) => `${value}`, 0.67],
  ['%.18e', savetxt, 0.67],
];

/** Formats a number as C does: 18 digits after the point, exponents of at least two digits. */
function savetxt(value: number): string {
  return value.toExponential(18).replace(/e([+-])(\d)$/, 'e$10$2');
}

/** Generates a clip with swinging joints and a walking root, in which all numbers differ. */
function clipText(write: Write): Buffer {
  const lines = Array.from({ length: Number(options.frames) }, (_, frame) =>
    Array.from({ length: COLUMNS }, (_, column) => write(Math.sin(frame * 0.013 * (column + 1) + column) * 1.3)).join(
      ',',
    ),
  );
  return Buffer.from(`${lines.join('\n')}\n`);
}

const schema: Schema = {
  col: ',',
  row: '\n',
  encl: '',
  esc: '',
  trim: false,

  cols: Array.from({ length: COLUMNS }, (_, column) => ({
    name: `${column}`,
    type: 'n',
    repl: { empty: null, null: undefined, NaN: undefined },
  })),
};
const parser = initParser(schema);

const PARSERS = {
  ours: (bytes: Buffer) => parseClipCsv(bytes).rows,
  uDSV: (bytes: Buffer) => parser.typedArrs(bytes.toString('utf8')) as number[][],
  'split and Number': (bytes: Buffer) =>
    bytes
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(',').map(Number)),
} as const;
type Name = keyof typeof PARSERS;
const NAMES = Object.keys(PARSERS) as Name[];

/** Calls in a row, so that the time of each parser includes its own garbage collection. */
const CALLS = 4;

/** Returns the CPU time of one call, ms. */
function cpuMs(name: Name, bytes: Buffer): number {
  const from = process.cpuUsage();
  for (let call = 0; call < CALLS; call += 1) PARSERS[name](bytes);
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1e3 / CALLS;
}

const results = WRITERS.map(([text, write, atMost]) => {
  const bytes = clipText(write);
  const [ours, ...others] = NAMES.map((name) =>
    Float64Array.from((PARSERS[name](bytes) as ArrayLike<number>[] & Float64Array).flat?.() ?? PARSERS[name](bytes)),
  );
  for (const other of others)
    if (!other.every((value, index) => value === ours![index])) throw new Error(`${text}: not the same numbers`);
  for (const name of NAMES) for (let warm = 0; warm < 3; warm += 1) cpuMs(name, bytes);
  const rounds = Array.from({ length: Number(options.reps) }, () =>
    Object.fromEntries(NAMES.map((name) => [name, cpuMs(name, bytes)])),
  ) as Record<Name, number>[];
  const mib = bytes.length / 2 ** 20;
  return {
    text,
    atMost,
    mib,
    ms: Object.fromEntries(NAMES.map((name) => [name, medianOf(rounds, (round) => round[name])])) as Record<
      Name,
      number
    >,
    mib_per_s: Object.fromEntries(
      NAMES.map((name) => [name, (1e3 * mib) / medianOf(rounds, (round) => round[name])]),
    ) as Record<Name, number>,
    ratio: median(rounds.map((round) => round.ours / round.uDSV)),
  };
});

printTable(
  ['numbers written with', 'MiB', ...NAMES.map((name) => `${name}, MiB/s`), 'CPU, ours / uDSV'],
  results.map(({ text, mib, mib_per_s, ratio }) => [text, mib, ...NAMES.map((name) => mib_per_s[name]), ratio]),
);
writeResult(
  'csv',
  results.map(({ text, ratio, atMost }) => ({ name: `CPU against uDSV, ${text}`, value: ratio, atMost })),
  {
    columns: COLUMNS,
    frames: Number(options.frames),
    reps: Number(options.reps),
    texts: results.map(({ atMost: _, ...figures }) => figures),
  },
);
