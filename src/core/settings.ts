import { lstat } from 'node:fs/promises';
import { type Static, type TSchema, Type } from 'typebox';
import { strictBody } from '../protocol/route.ts';
import { messageOf, StudioError } from './errors.ts';
import { nameProblem } from './files/names.ts';
import { readYaml, YamlText } from './yaml-file.ts';

/** Creates the error for an invalid value at `path` below the key of a section. */
export type ProblemAt = (path: readonly string[], text: string) => StudioError;

/** A top-level key of `studio.yaml`. The room that uses the settings owns the section; `cli/settings.ts` lists all
 *  sections. */
export interface SettingsSection<S extends TSchema, V> {
  /** The value of the key. The key itself is always optional. */
  readonly schema: S;
  /** Fills in defaults. @param given value in the file; undefined if the key is missing */
  read(given: Static<S> | undefined): V;
  /** Checks rules that a schema cannot express, and throws for violations. */
  refine?(given: Static<S>, problemAt: ProblemAt): void;
}

/** Declares a section of the settings. Returns its argument unchanged; TypeScript infers the types. */
export function settingsSection<S extends TSchema, V>(section: SettingsSection<S, V>): SettingsSection<S, V> {
  return section;
}

// biome-ignore lint/suspicious/noExplicitAny: sections of all rooms in one record; each keeps its own types
type Sections = Readonly<Record<string, SettingsSection<any, unknown>>>;

/** The settings of all sections, including defaults. */
export type SettingsOf<S extends Sections> = { readonly [K in keyof S]: ReturnType<S[K]['read']> };

/** Makes a field of a schema optional. */
export function optional<S extends TSchema>(schema: S) {
  return Type.Optional(schema);
}

/** Schema of an optional number above 0. */
export function positive(description: string) {
  return Type.Optional(Type.Number({ exclusiveMinimum: 0, description }));
}

/** Schema of an optional integer from 1 to `most`. */
export function count(most: number) {
  return Type.Optional(Type.Integer({ minimum: 1, maximum: most }));
}

/** Schema of an optional number of threads. */
export function threadCount() {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: 1024, description: '0: one per core' }));
}

/** Reads `studio.yaml`. @param name of the file in messages  @param required whether the file must exist
 *  @throws bad_input `studio.yaml:7: stream.fps: must be …`; ENOENT as the system reports it */
export async function readSettings<S extends Sections>(
  sections: S,
  path: string,
  name: string,
  required: boolean,
): Promise<SettingsOf<S>> {
  try {
    return settingsFrom(sections, await readYaml(path, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!required && (code === 'ENOENT' || (await isUnreachable(path)))) return defaultSettings(sections);
    if (error instanceof StudioError || code === 'ENOENT') throw error;
    const why =
      code === 'EISDIR'
        ? 'is a folder. A file with settings is expected; move the folder away.'
        : code === 'EACCES'
          ? 'cannot be read: permission denied. Let the user of the service read it.'
          : `cannot be read: ${messageOf(error)}`;
    throw new StudioError('bad_input', `${name}: ${why}`, { cause: error });
  }
}

/** Returns true if the parent folder of the file is the problem (it is a file, a loop of links, or not readable).
 *  Opening the workspace reports that problem with a better message. */
async function isUnreachable(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    () => true,
  );
}

/** Returns the settings of an empty file. */
export function defaultSettings<S extends Sections>(sections: S): SettingsOf<S> {
  return settingsFrom(sections, new YamlText('', 'studio.yaml'));
}

function settingsFrom<S extends Sections>(sections: S, text: YamlText): SettingsOf<S> {
  const entries = Object.entries(sections);
  const schema = strictBody(Object.fromEntries(entries.map(([key, section]) => [key, Type.Optional(section.schema)])));
  const file: Readonly<Record<string, unknown>> = text.check(schema);
  for (const [key, section] of entries)
    if (file[key] !== undefined)
      section.refine?.(file[key], (path, problem) => text.problemAt([key, ...path], problem));
  return Object.fromEntries(entries.map(([key, section]) => [key, section.read(file[key])])) as SettingsOf<S>;
}

/** Refuses names that are not valid in requests and folder names, and the name of the built-in item. @param own name of
 *  the built-in item */
export function refuseNames(names: readonly string[], own: string, problemAt: ProblemAt): void {
  for (const name of names) {
    const problem = name === own ? `is the name of the built-in item. Choose another name.` : nameProblem('run', name);
    if (problem !== null) throw problemAt([name], problem);
  }
}
