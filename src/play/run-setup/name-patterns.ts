import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';

/** Matches the regular expressions that trainers use to name joints and bodies: letters, `.*`, `.+`, `(a|b)`, `[a-z]`.
 *  Repeated groups are excluded, so matching a short name takes little time. */
const PLAIN = /^(?:[\w/ -]|\.(?![{?])|[*+](?![*+?{])|[|]|\((?:\?:)?|\)(?![*+?{])|\[[\w-]+\](?![*+?{]))*$/;
const MAX_LENGTH = 200;
const MAX_REPEATS = 4;

/** How the numbers of names are found in a mapping from patterns to numbers. */
export interface PatternRules {
  /** which of several matching patterns applies */
  readonly applies: 'first' | 'last';
  /** whether a pattern needs to match only the start of a name, like `re.match` of Python */
  readonly atStart: boolean;
  /** number of a name that no pattern matches; null: every name must match */
  readonly otherwise: number | null;
}

const COMPLETE: PatternRules = { applies: 'last', atStart: false, otherwise: null };

/** Returns the names that a pattern matches completely, or at their start.
 *  @throws StudioError bad_input for an unsupported pattern */
function matching(given: string, names: readonly string[], field: string, atStart = false): string[] {
  const pattern = given.replace(/^\^/, '').replace(/\$$/, '');
  const repeats = pattern.match(/[*+]/g)?.length ?? 0;
  if (pattern.length > MAX_LENGTH || repeats > MAX_REPEATS || !PLAIN.test(pattern))
    throw badInput(`${field}: ${quoteName(pattern)} is too complex for a name pattern. Use letters, digits and .*`);
  let expression: RegExp;
  try {
    expression = new RegExp(`^(?:${pattern})${atStart && !given.endsWith('$') ? '' : '$'}`);
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

/** Returns one number per name. `value` is one number for all names, a list, or a mapping from patterns to numbers.
 *  @param rules of a mapping; default: the last pattern that matches completely applies, and every name must match
 *  @returns null if `value` is something else, or if a name must match but does not
 *  @throws StudioError bad_input for another number of numbers, and for values that are not finite numbers */
export function numbersByName(
  value: unknown,
  names: readonly string[],
  field: string,
  { applies, atStart, otherwise }: PatternRules = COMPLETE,
): number[] | null {
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
    for (const name of matching(pattern, names, field, atStart))
      if (applies === 'last' || !byName.has(name)) byName.set(name, number);
  }
  const numbers = names.map((name) => byName.get(name) ?? otherwise);
  return numbers.every((number) => number !== null) ? numbers : null;
}
