import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';

const MAX_LENGTH = 256;
/** Maximum number of unbounded repetitions (`*`, `+`) in a pattern. Patterns come from files; few repetitions, and none
 *  of a group, keep matching fast. */
const MAX_REPETITIONS = 4;
/** Allows literals, classes, groups of alternatives, `.`, `?`, and repetitions of one character. The expression can
 *  read a text in one way only, so the test takes linear time. */
const PATTERN = /^(?:[\w /:.()|?*+^$-]|\\[.dw-]|\[\^?[\w-]+\])*$/;

/** Returns whether a name contains characters of patterns. Dots do not count, because names of joints may contain them. */
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
