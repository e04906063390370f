import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type Static, Type } from 'typebox';
import { nameProblem } from '../core/files/names.ts';
import { readRegularFileSync } from '../core/files/read-regular-file.ts';
import { problemOf } from '../core/validation.ts';
import { Export } from '../protocol/schemas/exports.ts';

/** Name of the folder in a run's folder that contains its exports. */
export const EXPORTS = 'exports';
/** File that describes a bundle. It is written last. */
export const BUNDLE_FILE = 'bundle.json';
const MAX_RECORD = 1 << 20;
const MAX_FILES = 256;

/** The content of `bundle.json`, which describes a bundle. */
export const BundleRecord = Type.Object({
  version: Type.Literal(1),
  ...Export.properties,
  /** id of the robot */
  robot: Type.String(),
  stand_in_s: Type.Number({ minimum: 0, maximum: 60 }),
  stand_out_s: Type.Number({ minimum: 0, maximum: 60 }),
  /** paths of the other files */
  files: Type.Array(Type.String(), { maxItems: MAX_FILES }),
});
export type BundleRecord = Static<typeof BundleRecord>;

/** A bundle on disk. */
export interface StoredExport {
  readonly folder: string;
  readonly record: BundleRecord;
}

/** Reads the records of all bundles below `root`, newest first. Ignores folders without a valid record. Blocks, so call
 *  it in the listing thread. @param root `<workspace>/logs/rsl_rl`  @param run `<experiment>/<run>`; null: of all
 *  runs */
export function scanExports(root: string, run: string | null): StoredExport[] {
  const runs =
    run === null
      ? foldersIn(root).flatMap((dir) => foldersIn(path.join(root, dir)).map((name) => `${dir}/${name}`))
      : [run];
  return runs
    .flatMap((place) => {
      const folder = path.join(root, place, EXPORTS);
      return foldersIn(folder).flatMap((name) => scanOne(path.join(folder, name), place) ?? []);
    })
    .sort((a, b) => (a.record.created < b.record.created ? 1 : -1));
}

function scanOne(folder: string, run: string): StoredExport | null {
  const name = path.basename(folder);
  if (nameProblem('run-folder', name) !== null) return null;
  try {
    const record = parseRecord(readRegularFileSync(path.join(folder, BUNDLE_FILE), MAX_RECORD));
    // The run may have been copied or renamed together with its exports.
    return record?.name === name ? { folder, record: { ...record, run } } : null;
  } catch {
    return null; // a damaged record: the folder is not a bundle
  }
}

/** Parses a record. Returns null for other content. */
export function parseRecord(bytes: Uint8Array): BundleRecord | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return problemOf(BundleRecord, value) ? null : (value as BundleRecord);
  } catch {
    return null;
  }
}

/** Lists the names of folders in a folder; empty if the folder is missing. */
function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
      .map((entry) => entry.name);
  } catch {
    return []; // a missing or unreadable folder has no exports
  }
}
