import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';

const MAX_LENGTH = 256;
/** Patterns come from files. Few unbounded repetitions, and none of a group, keep matching fast. */
const MAX_REPETITIONS = 4;
/** Literals, classes, groups of alternatives, `.`, `?`, and repetitions of one character. Each text has one reading, so
 *  that the test takes linear time. */
const PATTERN = /^(?:[\w /:.()|?*+^$-]|\\[.dw-]|\[\^?[\w-]+\])*$/;

/** Whether a name contains characters of patterns. Names of joints may contain dots. */
export function isPattern(name: string): boolean {
  return /[*+?[\](){}|^$\\]/.test(name);
}

/** Compiles a pattern of joint names, as Isaac Lab has them: a regular expression for the whole name.
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
