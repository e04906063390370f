import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';

/** Matches the regular expressions that trainers use to name joints and bodies: letters, `.*`, `.+`, `(a|b)`, `[a-z]`.
 *  Repeated groups are excluded, so matching a short name takes little time. */
const PLAIN = /^(?:[\w/ -]|\.(?![{?])|[*+](?![*+?{])|[|]|\((?:\?:)?|\)(?![*+?{])|\[[\w-]+\](?![*+?{]))*$/;
const MAX_LENGTH = 200;
const MAX_REPEATS = 4;

/** Returns the names that a pattern matches completely. @throws StudioError bad_input for an unsupported pattern */
function matching(given: string, names: readonly string[], field: string): string[] {
  const pattern = given.replace(/^\^/, '').replace(/\$$/, '');
  const repeats = pattern.match(/[*+]/g)?.length ?? 0;
  if (pattern.length > MAX_LENGTH || repeats > MAX_REPEATS || !PLAIN.test(pattern))
    throw badInput(`${field}: ${quoteName(pattern)} is too complex for a name pattern. Use letters, digits and .*`);
  let expression: RegExp;
  try {
    expression = new RegExp(`^(?:${pattern})$`);
  } catch {
    throw badInput(`${field}: ${quoteName(pattern)} is not a valid regular expression`);
  }
  return names.filter((name) => expression.test(name));
}

/** Returns the names that match at least one of the patterns, in the order of `names`. */
export function matchingAny(patterns: readonly string[], names: readonly string[], field: string): string[] {
  const found = new Set(patterns.flatMap((pattern) => matching(pattern, names, field)));
  return names.filter((name) => found.has(name));
}

/** Returns one number per name. `value` is one number for all names, a list, or a mapping from patterns to numbers, in
 *  which the last matching pattern applies. @returns null if a name has no number @throws StudioError bad_input */
export function numbersByName(value: unknown, names: readonly string[], field: string): number[] | null {
  if (typeof value === 'number' && Number.isFinite(value)) return names.map(() => value);
  if (Array.isArray(value)) {
    if (value.length !== names.length || !value.every((item) => typeof item === 'number' && Number.isFinite(item)))
      throw badInput(`${field}: must be ${names.length} finite numbers, but has ${value.length}`);
    return value as number[];
  }
  if (typeof value !== 'object' || value === null) return null;
  const byName = new Map<string, number>();
  for (const [pattern, number] of Object.entries(value)) {
    if (typeof number !== 'number' || !Number.isFinite(number))
      throw badInput(`${field}.${pattern}: must be a finite number`);
    for (const name of matching(pattern, names, field)) byName.set(name, number);
  }
  const numbers = names.map((name) => byName.get(name));
  return numbers.every((number) => number !== undefined) ? numbers : null;
}
