import { linkSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { writeAtomicSync } from '../core/files/atomic-file.ts';
import { nameProblem } from '../core/files/names.ts';
import { readRegularFileSync } from '../core/files/read-regular-file.ts';
import { formatRecord, type JobRecord, parseRecord, unreadableRecord } from './job-record.ts';
import { RECORD_FILE } from './live-job.ts';

/** Maximum size of a record that is read, bytes. Most of a record is the body of the launch, which is at most 1 MiB. */
const MAX_RECORD_BYTES = 2 << 20;
/** Limit for the records of all jobs together, bytes, because they are kept in memory. A record has about 1 kB. */
const MAX_BYTES = 256 << 20;

/** Reads the records of all jobs below `folder`, oldest first. A damaged record is kept under another name, and its job
 *  is `lost`. Ignores folders without a record. Takes about 40 µs per job.
 *  @param onDamaged called with each damaged record
 *  @param maxBytes limit for all records; further jobs stay on disk and are not listed */
export function readRecords(
  folder: string,
  onDamaged: (name: string, error: unknown) => void,
  maxBytes: number = MAX_BYTES,
): JobRecord[] {
  const records: JobRecord[] = [];
  const damaged: string[] = [];
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || nameProblem('job', entry.name) !== null) continue;
    try {
      const text = readText(path.join(folder, entry.name, RECORD_FILE));
      if (text === null) continue;
      bytes += text.length;
      if (bytes > maxBytes) {
        const limit = `the records of jobs have more than ${maxBytes} bytes in total. Move folders of old jobs to another place.`;
        onDamaged(entry.name, new Error(`${limit} This job and the jobs after it are not listed.`));
        break;
      }
      records.push(parseRecord(text.toString('utf8'), entry.name));
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

function readText(file: string): Buffer | null {
  try {
    return readRegularFileSync(file, MAX_RECORD_BYTES);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw error;
  }
}

/** Replaces a damaged record by the record of a lost job, and keeps the damaged file. */
function replace(
  file: string,
  name: string,
  sequence: number,
  onError: (name: string, error: unknown) => void,
): JobRecord {
  const { mtime } = statSync(path.dirname(file));
  const record = unreadableRecord(name, sequence, mtime);
  try {
    // Give the damaged file a second name before the old name gets new content, so that a record exists at every
    // moment.
    linkSync(file, `${file}.corrupt-${new Date().toISOString().replace(/[:.]/g, '-')}`);
    writeAtomicSync(file, formatRecord(record));
  } catch (error) {
    onError(name, error);
  }
  return record;
}
