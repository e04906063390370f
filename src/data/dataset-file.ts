import { createHash } from 'node:crypto';
import path from 'node:path';
import { type Static, Type } from 'typebox';
import { messageOf, StudioError } from '../core/errors.ts';
import { writeAtomic } from '../core/files/atomic-file.ts';
import { Mutex } from '../core/mutex.ts';
import { changeYaml, formatYaml, readUtf8, YamlText } from '../core/yaml-file.ts';
import { parseFix } from '../motion/fixes.ts';
import { ReadOptions } from '../protocol/schemas/reading.ts';
import { type ClipMarks, type MarkTable, marksFrom, readMarks, StoredMarks } from './marks/clip-marks.ts';
import { formatMarks, splitMarks } from './marks/marks-section.ts';

export const DATASET_FILE = 'dataset.yaml';
/** Maximum size of `dataset.yaml`. For comparison: the marks of a hundred thousand clips need about 5 MB. */
const MAX_BYTES = 64 << 20;

const fps = Type.Optional(Type.Number({ minimum: 1, maximum: 1000 }));
const Repairs = Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 16 });
const Convert = Type.Object(
  {
    input_fps: fps,
    output_fps: fps,
    debias_z: Type.Optional(Type.Boolean()),
    mirror: Type.Optional(Type.Boolean()),
    read: Type.Optional(ReadOptions),
    /** repairs of all clips, or a map from clip names to repairs */
    fixes: Type.Optional(Type.Union([Repairs, Type.Record(Type.String(), Repairs)])),
  },
  { additionalProperties: false },
);
const DatasetFile = Type.Object(
  {
    version: Type.Literal(1),
    source: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    convert: Type.Optional(Convert),
    clips: Type.Optional(Type.Record(Type.String(), StoredMarks)),
  },
  { additionalProperties: false },
);
/** The settings in the file: everything except the marks. */
type Settings = Omit<Static<typeof DatasetFile>, 'clips'>;

/** The content of a dataset's `dataset.yaml`, or the reason why it cannot be used. */
export interface DatasetConfig {
  /** absolute path of the linked folder with the clips; null if the dataset is not a link */
  readonly source: string | null;
  /** conversion defaults of the dataset */
  readonly convert: Static<typeof Convert>;
  /** marks of the dataset's clips */
  readonly marks: MarkTable;
  /** checksum of the marks: equal for equal marks */
  readonly marksDigest: string;
  /** why the file cannot be used; all other fields are then empty */
  readonly error: string | null;
}

/** Reads `dataset.yaml` in a dataset's folder. Returns empty settings if the file does not exist. The path of a
 *  linked folder may be relative to the dataset's folder. */
export async function readDatasetConfig(folder: string): Promise<DatasetConfig> {
  try {
    const { settings, marks, section } = await parseFile(await readUtf8(fileOf(folder), MAX_BYTES, DATASET_FILE));
    const { source, convert = {} } = settings;
    const marksDigest = createHash('sha256').update(section).digest('hex');
    return {
      source: source === undefined ? null : path.resolve(folder, source),
      convert,
      marks,
      marksDigest,
      error: null,
    };
  } catch (error) {
    const none = { source: null, convert: {}, marks: new Map(), marksDigest: '' };
    if (error instanceof StudioError) return { ...none, error: error.message };
    if (isAbsent(error)) return { ...none, error: null };
    return { ...none, error: `${DATASET_FILE}: cannot be read: ${messageOf(error)}` };
  }
}

/** Read options that override nothing. */
export const AS_STATED: ReadOptions = {};
const overrides = new WeakMap<DatasetConfig['convert'], ReadOptions>();

/** Returns the options of `dataset.yaml` that override what raw files or their formats state. `input_fps` has
 *  priority over `read.fps`. */
export function readIn(convert: DatasetConfig['convert']): ReadOptions {
  const { input_fps: fps, read = AS_STATED } = convert;
  if (fps === undefined) return read;
  // Return the same object for the same settings, because a listing calls this once per clip.
  const found = overrides.get(convert) ?? { ...read, fps };
  overrides.set(convert, found);
  return found;
}

/** Returns the text of a new `dataset.yaml`. */
export async function formatDatasetFile(
  settings: Omit<Settings, 'version'>,
  marks: MarkTable = new Map(),
): Promise<string> {
  return formatYaml({ version: 1, ...settings }) + (await formatMarks(marks));
}

const turns = new Mutex();

/** Changes the marks of clips in `dataset.yaml`, atomically. The text of all other sections is kept.
 *  @param folder folder of the dataset  @param change may take several turns of the event loop
 *  @throws bad_input for a file that cannot be used; disk_full */
export function changeMarks(folder: string, change: (marks: Map<string, ClipMarks>) => Promise<void>): Promise<void> {
  return rewrite(folder, async (file) => {
    const marks = new Map(file.marks);
    await change(marks);
    return file.rest(await formatMarks(marks));
  });
}

/** Adds the marks of restored clips, atomically. Marks that are not valid are left out.
 *  @param folder folder of the dataset  @param stored marks by clip, as the trash keeps them
 *  @throws bad_input for a file that cannot be used; disk_full */
export async function addMarks(folder: string, stored: Readonly<Record<string, unknown>>): Promise<void> {
  const added = readMarks(stored);
  if (added.size === 0) return;
  await changeMarks(folder, async (marks) => {
    for (const [clip, marked] of added) marks.set(clip, marked);
  });
}

/** Stores the read options for raw files of a dataset in `dataset.yaml`, atomically. The rest of `dataset.yaml` is
 * kept.
 *  @param folder folder of the dataset  @throws bad_input for a file that cannot be used; disk_full */
export function changeReadOptions(folder: string, read: ReadOptions): Promise<void> {
  return rewrite(folder, async (file) => {
    const settings = changeYaml(file.rest(''), DATASET_FILE, ['convert', 'read'], read);
    return (await parseFile(settings)).rest(await formatMarks(file.marks));
  });
}

/** Moves the marks and repairs of clips to their new names, atomically. They replace those of former clips of these
 *  names. A second call changes nothing: it follows a kill after the first one. The rest of `dataset.yaml` is kept.
 *  @param folder folder of the dataset  @param names map from the former to the new names
 *  @throws bad_input for a file that cannot be used; disk_full */
export function renameInDatasetFile(folder: string, names: ReadonlyMap<string, string>): Promise<void> {
  return rewrite(folder, async (file) => {
    const { fixes } = file.settings.convert ?? {};
    const repaired = fixes === undefined || Array.isArray(fixes) ? {} : fixes;
    const isMoved = ![...names.keys()].some((clip) => file.marks.has(clip) || Object.hasOwn(repaired, clip));
    const taken = new Set(isMoved ? [] : names.values());
    const moved = <T>(entries: Iterable<readonly [string, T]>) =>
      [...entries].flatMap(([clip, value]): [string, T][] =>
        names.has(clip) || !taken.has(clip) ? [[names.get(clip) ?? clip, value]] : [],
      );
    const marks = new Map(moved(file.marks));
    const section = await formatMarks(marks);
    if (fixes === undefined || Array.isArray(fixes)) return file.rest(section);
    const repairs = Object.fromEntries(moved(Object.entries(repaired)));
    const settings = changeYaml(file.rest(''), DATASET_FILE, ['convert', 'fixes'], repairs);
    return (await parseFile(settings)).rest(section);
  });
}

const EMPTY = formatYaml({ version: 1 });

/** Rewrites `dataset.yaml` with a changed text. Does not create a file without content. */
function rewrite(folder: string, change: (file: ParsedFile) => Promise<string>): Promise<void> {
  return turns.run(async () => {
    const before = await readUtf8(fileOf(folder), MAX_BYTES, DATASET_FILE).catch((error: unknown) => {
      if (isAbsent(error)) return null;
      throw error;
    });
    const next = await change(await parseFile(before ?? EMPTY));
    if (before === null && next === EMPTY) return;
    await writeAtomic(fileOf(folder), next);
  }, folder);
}

/** A parsed `dataset.yaml`. */
interface ParsedFile {
  readonly settings: Settings;
  readonly marks: MarkTable;
  /** the text from which the marks were read */
  readonly section: string;
  /** Returns the file's text with `section` in place of the section `clips`. */
  rest(section: string): string;
}

/** Parses the text of a `dataset.yaml`. @throws bad_input naming the line */
async function parseFile(text: string): Promise<ParsedFile> {
  const split = await splitMarks(text);
  const settings = split && settingsIn(split.before + '\n'.repeat(split.lines) + split.after);
  if (split && settings) {
    const { before, after, marks } = split;
    const section = text.slice(before.length, text.length - after.length);
    return { settings, marks, section, rest: (next) => before + next + after };
  }
  const { clips = {}, ...others } = new YamlText(text, DATASET_FILE).check(DatasetFile);
  checkFixes(others.convert?.fixes);
  const marks = new Map(Object.entries(clips).map(([name, stored]) => [name, marksFrom(stored)]));
  const section = JSON.stringify(clips);
  return { settings: others, marks, section, rest: (next) => withSection(text, others, next) };
}

/** Appends a section to a text that does not have it. Rewrites a text that cannot be extended, such as YAML in
 *  braces. */
function withSection(text: string, settings: Settings, section: string): string {
  if (!/^["']?clips["']?\s*:/m.test(text)) {
    const head = text.endsWith('\n') ? text : `${text}\n`;
    try {
      new YamlText(`${head}clips: {}\n`, DATASET_FILE).check(DatasetFile);
      return head + section;
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
    }
  }
  return formatYaml({ ...settings, version: 1 }) + section;
}

/** Returns the settings in a text; null if the text contains a second section `clips`. @throws bad_input naming the
 *  line */
function settingsIn(text: string): Settings | null {
  const { clips, ...settings } = new YamlText(text, DATASET_FILE).check(DatasetFile);
  checkFixes(settings.convert?.fixes);
  return clips === undefined ? settings : null;
}

function fileOf(folder: string): string {
  return path.join(folder, DATASET_FILE);
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function checkFixes(fixes: DatasetConfig['convert']['fixes']): void {
  if (fixes === undefined) return;
  for (const [clip, texts] of Array.isArray(fixes) ? [[null, fixes] as const] : Object.entries(fixes)) {
    const field = clip === null ? 'convert.fixes' : `convert.fixes.${clip}`;
    for (const [index, text] of texts.entries()) parseFix(text, `${DATASET_FILE}: ${field}.${index}`);
  }
}

/** Returns the repairs that `dataset.yaml` sets for a clip; null if it does not set any. */
export function fixesOf({ fixes }: DatasetConfig['convert'], clip: string): readonly string[] | null {
  if (fixes === undefined) return null;
  if (Array.isArray(fixes)) return fixes;
  return Object.hasOwn(fixes, clip) ? fixes[clip]! : null;
}
