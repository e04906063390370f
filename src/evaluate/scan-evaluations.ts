import { readdirSync } from 'node:fs';
import path from 'node:path';
import { nameProblem } from '../core/files/names.ts';
import {
  EVALUATIONS,
  type EvaluationRecord,
  type EvaluationResults,
  type EvaluationTables,
  readRecord,
  readResults,
  readTables,
} from './evaluation-folder.ts';

/** An evaluation on disk; its results are null until it is done. */
export interface ScannedEvaluation {
  readonly folder: string;
  readonly record: EvaluationRecord;
  readonly results: EvaluationResults | null;
}

/** Reads the records and summaries of all evaluations below `root`, newest first. Ignores folders without a valid
 *  record. Blocks, so call it in the listing thread. @param root `<workspace>/logs/rsl_rl`
 *  @param run `<experiment>/<run>`; null: of all runs */
export function scanEvaluations(root: string, run: string | null): ScannedEvaluation[] {
  const runs =
    run === null
      ? foldersIn(root).flatMap((dir) => foldersIn(path.join(root, dir)).map((name) => `${dir}/${name}`))
      : [run];
  return runs
    .flatMap((place) => {
      const folder = path.join(root, place, EVALUATIONS);
      return foldersIn(folder).flatMap((name) => scanOne(path.join(folder, name), place) ?? []);
    })
    .sort((a, b) => (a.record.created < b.record.created ? 1 : -1));
}

function scanOne(folder: string, run: string): ScannedEvaluation | null {
  if (nameProblem('run-folder', path.basename(folder)) !== null) return null;
  const record = readRecord(folder);
  // The run may have been copied or renamed together with its evaluations, so use its current path.
  return record && { folder, record: { ...record, run }, results: readResults(folder) };
}

/** Reads the tables of an evaluation; empty until it is done. Call it in the listing thread. */
export function readEvaluation(folder: string): EvaluationTables {
  return (readResults(folder) && readTables(folder)) ?? { clips: [], joints: [] };
}

/** Lists the names of folders in a folder, including links; empty if the folder is missing. */
function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
      .map((entry) => entry.name);
  } catch {
    return []; // a missing or unreadable folder has no evaluations
  }
}
