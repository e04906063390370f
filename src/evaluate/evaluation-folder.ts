import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Static, type TSchema, Type } from 'typebox';
import { StudioError } from '../core/errors.ts';
import { writeAtomicSync, writeWholeSync } from '../core/files/atomic-file.ts';
import { readRegularFileSync } from '../core/files/read-regular-file.ts';
import { problemOf } from '../core/validation.ts';
import { nullable } from '../protocol/route.ts';
import { Gate, GateResult, JointMargin, Protocol, Robustness, Row, Summary } from '../protocol/schemas/evaluation.ts';
import { EpisodeResult, UnitResult } from './episode-result.ts';

/** Name of the folder in a run's folder that contains its evaluations. */
export const EVALUATIONS = 'evaluations';
/** Files of an evaluation. `results.json` is written last, so its existence means that the evaluation is done. */
const FILES = { record: 'evaluation.json', results: 'results.json', tables: 'tables.json', episodes: 'episodes.json' };
const UNITS = 'units';

/** Maximum sizes of files, bytes. */
const MAX_RECORD = 4 << 20;
/** The most results that `checkSize` allows are less than half of this. */
const MAX_RESULTS = 32 << 20;
const MAX_UNIT = 4 << 20;
const MAX_TABLES = 400 << 20;

/** The record of an evaluation, which is written at its start. */
export const EvaluationRecord = Type.Object({
  version: Type.Literal(1),
  name: Type.String(),
  run: Type.String(),
  job: Type.String(),
  created: Type.String(),
  protocol: Protocol,
  gate: nullable(Gate),
  /** names of the clips, in the order of the results; null: all clips of the library */
  names: nullable(Type.Array(Type.String())),
  /** SHA-256 of everything that determines the results: robot, task, checkpoints, clips, protocol */
  fingerprint: Type.String(),
});
export type EvaluationRecord = Static<typeof EvaluationRecord>;

/** The results without the table of episodes. */
export const EvaluationResults = Type.Object({
  summary: Type.Array(Summary),
  robustness: Type.Array(Robustness),
  gate: nullable(Type.Array(GateResult)),
});
export type EvaluationResults = Static<typeof EvaluationResults>;

const EvaluationTables = Type.Object({ clips: Type.Array(Row), joints: Type.Array(JointMargin) });
export type EvaluationTables = Static<typeof EvaluationTables>;

/** Results of all episodes, ordered by checkpoint, condition, clip and start. */
const EpisodeTable = Type.Object({ episodes: Type.Array(EpisodeResult) });

export function writeRecord(folder: string, record: EvaluationRecord): void {
  writeAtomicSync(path.join(folder, FILES.record), `${JSON.stringify(record, null, 1)}\n`);
}

/** Returns the record of an evaluation; null for a folder without a valid record, such as one that is being created. */
export function readRecord(folder: string): EvaluationRecord | null {
  const record = readJson(EvaluationRecord, path.join(folder, FILES.record), MAX_RECORD);
  return record?.name === path.basename(folder) ? record : null;
}

/** Returns the results of an evaluation; null until it is done. */
export function readResults(folder: string): EvaluationResults | null {
  return readJson(EvaluationResults, path.join(folder, FILES.results), MAX_RESULTS);
}

export function readTables(folder: string): EvaluationTables | null {
  return readJson(EvaluationTables, path.join(folder, FILES.tables), MAX_TABLES);
}

/** Returns the results of all episodes, by checkpoint, condition, clip and start; null until the evaluation is done. */
export function readEpisodes(folder: string): EpisodeResult[] | null {
  return readJson(EpisodeTable, path.join(folder, FILES.episodes), MAX_TABLES)?.episodes ?? null;
}

/** Stores the measurements of one unit. A resumed evaluation uses the units that were stored before.
 *  @throws disk_full */
export function writeUnit(folder: string, unit: number, result: UnitResult): void {
  writeWholeSync(unitFile(folder, unit), JSON.stringify(result));
}

/** Returns the measurements of a unit; null for a unit that has not been finished. @param episodes number of its
 *  episodes */
export function readUnit(folder: string, unit: number, episodes: number): UnitResult | null {
  const result = readJson(UnitResult, unitFile(folder, unit), MAX_UNIT);
  return result?.episodes.length === episodes ? result : null;
}

/** Returns the numbers of the units with a file. */
export function listUnits(folder: string): Set<number> {
  mkdirSync(path.join(folder, UNITS), { recursive: true });
  return new Set(
    readdirSync(path.join(folder, UNITS)).flatMap((name) => {
      const number = /^(\d{1,9})\.json$/.exec(name)?.[1];
      return number === undefined ? [] : [Number(number)];
    }),
  );
}

/** Stores the results and removes the files of the units. The results appear in one atomic step.
 *  @throws too_large if a file would be too large to be read, disk_full; the files of the units then stay */
export function writeResults(
  folder: string,
  {
    results,
    tables,
    episodes,
  }: {
    readonly results: EvaluationResults;
    readonly tables: EvaluationTables;
    readonly episodes: readonly EpisodeResult[];
  },
): void {
  writeReadable(path.join(folder, FILES.episodes), JSON.stringify({ episodes }), MAX_TABLES);
  writeReadable(path.join(folder, FILES.tables), JSON.stringify(tables), MAX_TABLES);
  writeReadable(path.join(folder, FILES.results), `${JSON.stringify(results, null, 1)}\n`, MAX_RESULTS);
  rmSync(path.join(folder, UNITS), { recursive: true, force: true });
}

/** Writes a file that {@link readJson} accepts. @throws too_large for more than `maxBytes`, disk_full */
function writeReadable(file: string, text: string, maxBytes: number): void {
  const content = Buffer.from(text);
  if (content.length > maxBytes)
    throw new StudioError(
      'too_large',
      `${path.basename(file)} would have ${content.length} bytes, the limit is ${maxBytes}. Evaluate fewer clips, checkpoints or conditions.`,
    );
  writeAtomicSync(file, content);
}

function unitFile(folder: string, unit: number): string {
  return path.join(folder, UNITS, `${unit}.json`);
}

/** Reads a file that may come from an untrusted workspace. @returns null for a missing, damaged or too large file */
function readJson<S extends TSchema>(schema: S, file: string, maxBytes: number): Static<S> | null {
  try {
    const value: unknown = JSON.parse(readRegularFileSync(file, maxBytes).toString('utf8'));
    return problemOf(schema, value) ? null : (value as Static<S>);
  } catch {
    return null;
  }
}
