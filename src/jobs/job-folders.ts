import { linkSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { writeAtomicSync } from '../core/files/atomic-file.ts';
import { nameProblem } from '../core/files/names.ts';
import { formatRecord, type JobRecord, parseRecord, unreadableRecord } from './job-record.ts';
import { RECORD_FILE } from './live-job.ts';

/** Larger than any record that was ever written. */
const MAX_RECORD_BYTES = 8 << 20;

/** Every job recorded below `folder`, oldest first. A record that cannot be read is kept under another name, and its job
 *  is `lost`; folders without a record are not looked at. Takes about 40 µs a job.
 *  @param onDamaged hears of each record that could not be read */
export function readRecords(folder: string, onDamaged: (name: string, error: unknown) => void): JobRecord[] {
  const records: JobRecord[] = [];
  const damaged: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || nameProblem('job', entry.name) !== null) continue;
    try {
      const record = readRecord(path.join(folder, entry.name, RECORD_FILE), entry.name);
      if (record) records.push(record);
    } catch (error) {
      onDamaged(entry.name, error);
      damaged.push(entry.name);
    }
  }
  records.sort((a, b) => a.identity.sequence - b.identity.sequence || (a.job.created < b.job.created ? -1 : 1));
  let sequence = records.at(-1)?.identity.sequence ?? 0;
  for (const name of damaged) {
    sequence += 1;
    records.push(replace(path.join(folder, name, RECORD_FILE), name, sequence, onDamaged));
  }
  return records;
}

function readRecord(file: string, name: string): JobRecord | null {
  try {
    if (statSync(file).size > MAX_RECORD_BYTES) throw new Error(`larger than ${MAX_RECORD_BYTES} bytes`);
    return parseRecord(readFileSync(file, 'utf8'), name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw error;
  }
}

/** Puts a record that says so in the place of a damaged one, which is kept. */
function replace(
  file: string,
  name: string,
  sequence: number,
  onError: (name: string, error: unknown) => void,
): JobRecord {
  const { mtime } = statSync(path.dirname(file));
  const record = unreadableRecord(name, sequence, mtime);
  try {
    // A second name first, then the new content under the old one: no moment without a record.
    linkSync(file, `${file}.corrupt-${new Date().toISOString().replace(/[:.]/g, '-')}`);
    writeAtomicSync(file, formatRecord(record));
  } catch (error) {
    onError(name, error);
  }
  return record;
}
