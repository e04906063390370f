import path from 'node:path';
import { crc32 } from 'node:zlib';
import { Type } from 'typebox';
import { createAtomic } from '../../core/files/atomic-file.ts';
import { makeFolders } from '../../core/files/make-folders.ts';
import { readRegularFile } from '../../core/files/read-regular-file.ts';
import { isRemoved } from '../../core/files/removed.ts';
import { Slices } from '../../core/slices.ts';
import { problemOf } from '../../core/validation.ts';
import { nullable } from '../../protocol/route.ts';
import { RunMarks, RunScore } from '../../protocol/schemas/jobs.ts';
import type { RunIdentity } from './run-record.ts';

/** First line of an index. Increase the number when the facts of a run, or how they are read, change. */
const HEAD = 'motion-studio runs 5\n';
/** Maximum size, bytes. The index of ten thousand runs has about 12 MB. */
const MAX_BYTES = 256 << 20;
const NEWLINE = 0x0a;
/** Each line starts with a CRC of eight hexadecimal digits and a space. */
const CRC_DIGITS = 8;

const Text = Type.String({ maxLength: 4096 });
const strict = { additionalProperties: false } as const;

const Line = Type.Object(
  {
    path: Text,
    signature: Type.String({ maxLength: 64 }),
    whole: Type.Boolean(),
    identity: Type.Object(
      {
        task: nullable(Text),
        robot: nullable(Text),
        robotInPath: nullable(Text),
        jointNames: nullable(Type.Array(Text, { minItems: 1, maxItems: 4096 })),
        joints: nullable(Type.Integer({ minimum: 0 })),
        dataset: nullable(Text),
        motionFile: nullable(Text),
        embeddedFrames: nullable(Type.Integer({ minimum: 0 })),
        embeddedFps: nullable(Type.Number({ exclusiveMinimum: 0 })),
        job: nullable(Text),
        error: nullable(Text),
        marks: Type.Object(RunMarks.properties, strict),
        training: Type.Object(
          {
            startedFrom: nullable(Text),
            seconds: nullable(Type.Number({ minimum: 0 })),
            score: nullable(Type.Object(RunScore.properties, strict)),
            scored: nullable(Text),
          },
          strict,
        ),
      },
      strict,
    ),
  },
  strict,
);
/** The properties of one run, and the signature of the files from which they were read. */
export interface IndexedRun {
  readonly path: string;
  readonly signature: string;
  /** false: only the needed parts of the files were read */
  readonly whole: boolean;
  readonly identity: RunIdentity;
}

/** Reads the index of the runs. The file may come from an untrusted source, so each line is validated. @param file
 *  path, which need not exist @throws Error for a damaged index, ENOENT and others as the system reports them */
export async function readRunIndex(file: string): Promise<IndexedRun[]> {
  const content = await readRegularFile(file, MAX_BYTES);
  const head = Buffer.from(HEAD);
  if (!content.subarray(0, head.length).equals(head)) throw new Error('was written by another version');
  const runs: IndexedRun[] = [];
  const slices = new Slices();
  for (let at = head.length; at < content.length; ) {
    const end = content.indexOf(NEWLINE, at);
    if (end < 0) throw new Error('ends within a line');
    runs.push(parseLine(content.subarray(at, end), runs.length + 2));
    at = end + 1;
    if (slices.due()) await slices.rest();
  }
  return runs;
}

function parseLine(line: Buffer, number: number): IndexedRun {
  const text = line.subarray(CRC_DIGITS + 1);
  const sum = Number.parseInt(line.toString('latin1', 0, CRC_DIGITS), 16);
  if (sum !== crc32(text)) throw new Error(`line ${number} is damaged`);
  const run: unknown = JSON.parse(text.toString('utf8'));
  const problem = problemOf(Line, run);
  if (problem !== null) throw new Error(`line ${number}: ${problem.path.join('.')}: ${problem.text}`);
  return run as IndexedRun;
}

/** Writes the index of the runs, in slices so that the thread stays responsive. @throws disk_full */
export async function writeRunIndex(file: string, runs: Iterable<IndexedRun>): Promise<void> {
  await makeFolders(path.dirname(file), 3);
  const atomic = await createAtomic(file);
  try {
    const slices = new Slices();
    let text = HEAD;
    for (const run of runs) {
      const json = JSON.stringify(run);
      text += `${crc32(json).toString(16).padStart(CRC_DIGITS, '0')} ${json}\n`;
      if (!slices.due()) continue;
      await atomic.write(Buffer.from(text));
      text = '';
      await slices.rest();
    }
    await atomic.write(Buffer.from(text));
    await atomic.commit();
  } finally {
    await atomic.discard();
  }
}

/** Returns true if an index is missing, which is normal at a first start. */
export function isMissingIndex(error: unknown): boolean {
  return isRemoved(error);
}
