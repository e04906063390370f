import { lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import { messageOf, StudioError } from '../../core/errors.ts';
import { nameProblem } from '../../core/files/names.ts';
import type { SceneOwner } from '../../protocol/events.ts';
import { SCENE_OWNERS } from '../../protocol/scene-owners.ts';
import type { Recording } from '../../protocol/schemas/recordings.ts';
import { RECORDING_FORMATS, type RecordingFormat } from '../recording-files.ts';
import { McapReader } from './mcap-reader.ts';
import { readNpzFacts } from './npz-reader.ts';
import { recordedEnd } from './recorded-end.ts';

/** Maximum number of files that are listed. */
const MOST = 10_000;

/** Properties of files that have not changed, in one map per thread. */
const known = new Map<string, { readonly stamp: string; readonly facts: Recording }>();

/** Lists the recordings of a folder, newest first. Reads the beginning and the end of each file. A file that cannot be
 *  read is listed with the reason. */
export async function listRecordings(folder: string): Promise<Recording[]> {
  const found: Recording[] = [];
  const taken = new Set<string>();
  for (const file of namesIn(folder)) {
    const format = RECORDING_FORMATS.find((ending) => file.endsWith(`.${ending}`));
    if (format === undefined || file.startsWith('.')) continue;
    const recording = await factsOf(path.join(folder, file), file.slice(0, -format.length - 1), format);
    if (!recording) continue;
    const isSecond = taken.has(recording.name);
    taken.add(recording.name);
    found.push(isSecond ? { ...recording, error: `another recording has this name. Rename ${file}` } : recording);
  }
  return found.sort((a, b) => b.created.localeCompare(a.created) || a.name.localeCompare(b.name));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort().slice(0, MOST);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Reads the properties of a recording. @returns null for a file that no longer exists */
async function factsOf(file: string, name: string, format: RecordingFormat): Promise<Recording | null> {
  let stats: Stats;
  try {
    stats = lstatSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const stamp = `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}`;
  const before = known.get(file);
  if (before?.stamp === stamp) return before.facts;
  const blank: Recording = {
    name,
    format,
    state: 'cut',
    bytes: stats.size,
    duration: null,
    robot: null,
    owner: null,
    created: stats.mtime.toISOString(),
    reason: null,
    error: null,
  };
  const problem = nameProblem('recording', name);
  const facts =
    problem === null
      ? await readFacts(file, format).catch((error: unknown) => ({ error: problemOf(error) }))
      : { error: `its name ${problem}. Rename the file` };
  const recording = { ...blank, ...facts };
  if (known.size > MOST) known.clear();
  known.set(file, { stamp, facts: recording });
  return recording;
}

type Facts = Partial<Recording>;

async function readFacts(file: string, format: RecordingFormat): Promise<Facts> {
  if (format === 'npz') {
    const { bodies: _, ...facts } = await readNpzFacts(file);
    return facts;
  }
  const reader = new McapReader(file);
  try {
    return { ...headFacts(reader.metadata), ...recordedEnd(reader) };
  } finally {
    reader.close();
  }
}

/** Reads the fields that both formats store as texts. */
export function headFacts(values: ReadonlyMap<string, string>): Facts {
  const created = Date.parse(values.get('created') ?? '');
  return {
    robot: values.get('robot')?.slice(0, 64) ?? null,
    owner: SCENE_OWNERS.find((owner): owner is SceneOwner => owner === values.get('owner')) ?? null,
    ...(Number.isNaN(created) ? {} : { created: new Date(created).toISOString() }),
  };
}

function problemOf(error: unknown): string {
  if (!(error instanceof StudioError) && (error as NodeJS.ErrnoException).code === undefined) {
    if (!(error instanceof Error && error.name === 'IrregularFileError')) throw error;
  }
  return messageOf(error);
}
