import path from 'node:path';
import { StudioError } from '../../core/errors.ts';
import { readRegularFileSync } from '../../core/files/read-regular-file.ts';
import { readYaml, YamlText } from '../../core/yaml-file.ts';
import { cutYaml } from './cut-yaml.ts';

/** Maximum number of YAML aliases. YAML written by Python contains one for each shared object, such as the bounds of a
 *  range. */
const MAX_ALIASES = 20_000;

/** A mapping of a parameters file. Read own keys only, not inherited ones. */
export type ParamsMap = Readonly<Record<string, unknown>>;

/** Maximum size of a parameters file, bytes. */
const MAX_BYTES = 1 << 20;

/** Reads a parameters file, or at least the given keys of it. @param paths keys joined by dots */
export type ReadKeys = (folder: string, file: string, ...paths: readonly string[]) => Promise<ParamsMap | null>;

/** Reads a parameters file of a trainer: YAML with tags of Python objects. Only the plain value of a tag is used
 *  (`!!python/tuple [1, 2]` is a list, `!!python/object/apply:enum` is the list of its arguments); no code is run.
 *  @param file relative to the run's folder  @returns null if the file is missing
 *  @throws bad_input naming file and line */
export async function readParams(folder: string, file: string): Promise<ParamsMap | null> {
  try {
    const { value } = await readYaml(path.join(folder, file), file, MAX_ALIASES);
    return asMap(value ?? {}, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !(error instanceof StudioError)) return null;
    throw error;
  }
}

/** Reads some keys of a parameters file in about a tenth of the time of {@link readParams}. Damage elsewhere in the
 *  file is not noticed. @param paths keys joined by dots @throws for the same reasons as {@link readParams} */
export async function readParamsKeys(folder: string, file: string, ...paths: readonly string[]) {
  try {
    // Read synchronously: a thread reads thousands of small files in a row, and promises would take longer than the
    // files.
    const bytes = readRegularFileSync(path.join(folder, file), MAX_BYTES, { followLinks: true });
    const part = cutYaml(bytes.toString('utf8'), paths);
    if (part !== null) return asMap(new YamlText(part, file).value ?? {}, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    // The value may depend on a YAML anchor outside of the extracted part. The full parser finds it, or reports the
    // problem.
  }
  return readParams(folder, file);
}

/** Returns the value if it is a mapping.
 *  @param place name of the value in messages  @throws bad_input for any other value */
export function asMap(value: unknown, place: string): ParamsMap {
  const map = mapOrNull(value);
  if (map === null) throw new StudioError('bad_input', `${place}: must be a mapping of names to values`);
  return map;
}

export function mapOrNull(value: unknown): ParamsMap | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
    ? (value as ParamsMap)
    : null;
}

/** Returns the value at the path `keys`; undefined if a key is missing. Inherited keys are treated as missing. */
export function valueAt(map: ParamsMap | null, ...keys: readonly string[]): unknown {
  let value: unknown = map;
  for (const key of keys) {
    const inner = mapOrNull(value);
    if (inner === null || !Object.hasOwn(inner, key)) return undefined;
    value = inner[key];
  }
  return value;
}

/** Returns the text at the path `keys`; null if it is missing, empty or not a text. */
export function textAt(map: ParamsMap | null, ...keys: readonly string[]): string | null {
  const value = valueAt(map, ...keys);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns the list of texts at the path `keys`; null for an empty list and for anything else. */
export function textsAt(map: ParamsMap | null, ...keys: readonly string[]): string[] | null {
  const value = valueAt(map, ...keys);
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')
    ? (value as string[])
    : null;
}
