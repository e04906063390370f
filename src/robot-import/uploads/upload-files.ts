import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { READ_FLAGS } from '../../core/files/bounded-file.ts';
import { nameProblem } from '../../core/files/names.ts';
import { isRemoved } from '../../core/files/removed.ts';
import { MAX_BYTES, MAX_FILES } from '../../robots/robot-source.ts';
import { type ListedFile, type RankedFile, rankModelFiles } from './rank-files.ts';

/** Limit of files in an upload: one less than in a robot's folder, which also contains robot.yaml. */
export const MAX_UPLOAD_FILES = MAX_FILES - 1;
export const MAX_UPLOAD_BYTES = MAX_BYTES;

/** Size and age of an upload. */
export interface UploadSurvey {
  readonly files: number;
  readonly bytes: number;
  /** ISO-8601 UTC, time of the last file */
  readonly modified: string;
}

/** Counts the files of an upload; null if it was removed in the meantime. Blocks, so call it in the listing thread. */
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

/** Lists all uploads below `root`, the latest first. Blocks, so call it in the listing thread. */
export function surveyUploads(root: string): (UploadSurvey & { readonly id: string })[] {
  return entriesOf(root)
    .filter((entry) => entry.isDirectory() && nameProblem('robot', entry.name) === null)
    .flatMap(({ name: id }) => {
      const survey = surveyUpload(path.join(root, id));
      return survey ? [{ id, ...survey }] : [];
    })
    .sort((a, b) => (a.modified < b.modified ? 1 : -1));
}

/** Classifies the files of an upload, most likely main model first. Blocks, so call it in the listing thread. */
export function rankUpload(folder: string): RankedFile[] {
  const files = listUpload(folder).map(({ path: name, bytes }) => ({ path: name, bytes }));
  return rankModelFiles(files, (name, limit) => readStart(path.join(folder, name), limit));
}

interface UploadedFile extends ListedFile {
  readonly modifiedMs: number;
}

/** Lists the files of an upload. Omits hidden entries, and links, which the service never creates there. */
function listUpload(folder: string): UploadedFile[] {
  const files: UploadedFile[] = [];
  const walk = (below: string) => {
    for (const entry of entriesOf(path.join(folder, below))) {
      if (entry.name.startsWith('.')) continue;
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) walk(name);
      if (!entry.isFile()) continue;
      if (files.length >= MAX_UPLOAD_FILES)
        throw badInput(
          `id: the upload has more than ${MAX_UPLOAD_FILES} files. Remove files that the model does not need.`,
        );
      const stats = statSync(path.join(folder, name), { throwIfNoEntry: false });
      if (stats) files.push({ path: name, bytes: stats.size, modifiedMs: stats.mtimeMs });
    }
  };
  walk('');
  return files;
}

/** Lists a folder; empty if it was removed in the meantime. */
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
