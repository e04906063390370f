import { badInput } from '../../core/errors.ts';
import { quoteName, wordProblem } from '../../core/files/names.ts';
import { relativePathProblem } from '../../core/files/path-guard.ts';
import { SPEC_FILE } from '../../robots/robot-spec-file.ts';

/** Limit of folder depth. Deeper paths are mistakes or attacks. */
const MAX_DEPTH = 16;

/** Returns why `relative` cannot be the path of a model file in its robot's folder; null if it can. Checks the text
 *  only. */
export function modelPathProblem(relative: string): string | null {
  const problem = relativePathProblem(relative);
  if (problem !== null) return problem;
  const segments = relative.split('/');
  if (segments[0] === SPEC_FILE && segments.length > 1) return `must not be in a folder named ${SPEC_FILE}`;
  if (segments.length > MAX_DEPTH) return `must be at most ${MAX_DEPTH} folders deep`;
  for (const segment of segments) {
    if (segment.startsWith('.'))
      return `is hidden: "${segment}" begins with a dot. Omit it; models do not need hidden files`;
    const word = wordProblem(segment);
    if (word !== null) return `is not valid: ${quoteName(segment)} ${word}`;
  }
  return null;
}

/** @param field name of the path in the message  @throws bad_input for an invalid path */
export function checkModelPath(relative: string, field = 'path'): string {
  const problem = modelPathProblem(relative);
  if (problem !== null) throw badInput(`${field}: ${quoteName(relative)} ${problem}`);
  return relative;
}
