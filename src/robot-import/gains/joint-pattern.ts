import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';

/** Pattern of gains that apply to all joints. */
export const ALL_JOINTS = '.*';
const MAX_LENGTH = 256;
/** Maximum number of unbounded repetitions (`*`, `+`) in a pattern. Patterns come from untrusted files. With few
 *  repetitions, and none of a group, matching is fast. */
const MAX_REPETITIONS = 4;
/** Matches supported patterns: literals, classes, groups of alternatives, `.`, `?`, and repetitions of one character.
 *  This expression can match a text in only one way, so the test takes linear time. */
const PATTERN = /^(?:[\w /:.()|?*+^$-]|\\[.dw-]|\[\^?[\w-]+\])*$/;

/** Returns whether a name contains special characters of patterns, apart from dots, which names of joints may
 *  contain. */
export function isPattern(name: string): boolean {
  return /[*+?[\](){}|^$\\]/.test(name);
}

/** Compiles a pattern of joint names to a regular expression for the whole name, as Isaac Lab does.
 *  @throws bad_input for a pattern that is not supported */
export function jointPattern(pattern: string): RegExp {
  const repetitions = pattern.replaceAll(/\\./g, '').match(/[*+]/g)?.length ?? 0;
  const supported = pattern.length <= MAX_LENGTH && repetitions <= MAX_REPETITIONS && PATTERN.test(pattern);
  if (!supported || /\)[*+]|[*+?]{2}/.test(pattern)) throw unsupported(pattern);
  try {
    return new RegExp(`^(?:${pattern})$`);
  } catch {
    throw unsupported(pattern);
  }
}

function unsupported(pattern: string) {
  return badInput(
    `file: the joint pattern ${quoteName(pattern)} is not supported: use names, ".*", classes like [12] and groups like (left|right)`,
  );
}
