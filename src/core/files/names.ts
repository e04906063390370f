import { badInput } from '../errors.ts';

const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Name of a run's folder: a date and the name of the run. */
const RUN_FOLDER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const FILE_NAME = /^[\p{L}\p{N}_][\p{L}\p{N} ._()+=@,-]{0,127}$/u;
/** Names that Windows reserves for devices, with or without an extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const MAX_BYTES = 200;

/** What a name is used for. Each kind has its own rule and reserved words. */
export type NameKind = 'robot' | 'preset' | 'module' | 'run' | 'run-folder' | 'job' | 'dataset' | 'clip' | 'recording';

const RESERVED: Readonly<Partial<Record<NameKind, string>>> = { robot: 'import', preset: 'schema' };

/** Applies the rules that hold for every name and every segment of a path. Returns the problem, or null for a valid
 *  name. */
export function wordProblem(name: string): string | null {
  if (name.includes('..')) return 'must not contain ".."';
  if (/[. ]$/.test(name)) return 'must not end with a dot or a space';
  if (DEVICE.test(name)) return 'is a device name on Windows';
  if (PROTOTYPE_KEYS.has(name)) return 'is a reserved word of JavaScript';
  return null;
}

/** Returns why `name` is not valid for a `kind`, or null for a valid name. Names are refused, never rewritten. */
export function nameProblem(kind: NameKind, name: string): string | null {
  if (name === '') return 'must not be empty';
  if (kind === 'dataset' || kind === 'clip' || kind === 'recording') {
    if (name.normalize('NFC') !== name) return 'must be in Unicode normal form C (composed letters)';
    if (!FILE_NAME.test(name))
      return 'must begin with a letter, digit or underscore and contain only letters, digits, spaces and . _ ( ) + = @ , - (at most 128 characters)';
    if (Buffer.byteLength(name) > MAX_BYTES) return `must be at most ${MAX_BYTES} bytes long in UTF-8`;
  } else if (kind === 'run-folder') {
    if (!RUN_FOLDER.test(name))
      return 'must begin with a letter or digit and contain only letters, digits, dots, underscores and hyphens (at most 128 characters)';
  } else if (!IDENTIFIER.test(name)) {
    return 'must begin with a letter or digit and contain only letters, digits, dots, underscores and hyphens (at most 64 characters)';
  }
  const problem = wordProblem(name);
  if (problem !== null) return problem;
  if (RESERVED[kind] === name) return `is reserved, because the API uses "${name}" for another purpose`;
  if (kind === 'preset' && name.includes('--'))
    return 'must not contain "--", which separates a base task from its preset';
  return null;
}

/** Returns `name` if it is valid. @param field of the name in messages, such as `name` or `dataset`
 *  @throws bad_input `dataset: "a/b" must begin with …` */
export function checkName(kind: NameKind, name: string, field: string = kind): string {
  const problem = nameProblem(kind, name);
  if (problem !== null) throw badInput(`${field}: ${quoteName(name)} ${problem}`);
  return name;
}

/** Formats a name for a message: quoted, with control characters made visible, shortened to 80 characters. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}
