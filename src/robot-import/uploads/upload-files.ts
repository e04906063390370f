import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { READ_FLAGS } from '../../core/files/bounded-file.ts';
import { nameProblem } from '../../core/files/names.ts';
import { isRemoved } from '../../core/files/removed.ts';
import { MAX_BYTES, MAX_FILES } from '../../robots/robot-source.ts';
import { type ListedFile, type RankedFile, rankModelFiles } from './rank-files.ts';

/** An upload may hold this many files: as a robot's folder it holds a robot.yaml more. */
export const MAX_UPLOAD_FILES = MAX_FILES - 1;
export const MAX_UPLOAD_BYTES = MAX_BYTES;

/** What an upload holds. */
export interface UploadSurvey {
  readonly files: number;
  readonly bytes: number;
  /** ISO-8601 UTC, of the file that came last */
  readonly modified: string;
}

/** Counts the files of an upload; null where it was removed meanwhile. Blocks: for the listing thread. */
export function surveyUpload(folder: string): UploadSurvey | null {
  let bytes = 0;
  const own = statSync(folder, { throwIfNoEntry: false });
  if (!own?.isDirectory()) return null;
  let modifiedMs = own.mtimeMs;
  const files = listUpload(folder);
  for (const file of files) {
    bytes += file.bytes;
    modifiedMs = Math.max(modifiedMs, file.modifiedMs);
  }
  return { files: files.length, bytes, modified: new Date(modifiedMs).toISOString() };
}

/** All uploads below `root`, the latest first. Blocks: for the listing thread. */
export function surveyUploads(root: string): (UploadSurvey & { readonly id: string })[] {
  return entriesOf(root)
    .filter((entry) => entry.isDirectory() && nameProblem('robot', entry.name) === null)
    .flatMap(({ name: id }) => {
      const survey = surveyUpload(path.join(root, id));
      return survey ? [{ id, ...survey }] : [];
    })
    .sort((a, b) => (a.modified < b.modified ? 1 : -1));
}

/** The files of an upload by what they are, likeliest main model first. Blocks: for the listing thread. */
export function rankUpload(folder: string): RankedFile[] {
  const files = listUpload(folder).map(({ path: name, bytes }) => ({ path: name, bytes }));
  return rankModelFiles(files, (name, limit) => readStart(path.join(folder, name), limit));
}

interface UploadedFile extends ListedFile {
  readonly modifiedMs: number;
}

/** Hidden entries and links are no part of an upload: the service puts none there. */
function listUpload(folder: string): UploadedFile[] {
  const files: UploadedFile[] = [];
  const walk = (below: string) => {
    for (const entry of entriesOf(path.join(folder, below))) {
      if (entry.name.startsWith('.')) continue;
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) walk(name);
      if (!entry.isFile()) continue;
      if (files.length >= MAX_UPLOAD_FILES) throw badInput(`id: the upload holds more than ${MAX_UPLOAD_FILES} files`);
      const stats = statSync(path.join(folder, name), { throwIfNoEntry: false });
      if (stats) files.push({ path: name, bytes: stats.size, modifiedMs: stats.mtimeMs });
    }
  };
  walk('');
  return files;
}

/** None where the folder went meanwhile. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isRemoved(error)) return [];
    throw error;
  }
}

function readStart(file: string, limit: number): Uint8Array {
  const fd = openSync(file, READ_FLAGS);
  try {
    const bytes = new Uint8Array(limit);
    let length = 0;
    for (let read = -1; read !== 0 && length < limit; length += read)
      read = readSync(fd, bytes, length, limit - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}
