import { badInput } from '../../core/errors.ts';
import { quoteName, wordProblem } from '../../core/files/names.ts';
import { relativePathProblem } from '../../core/files/path-guard.ts';
import { SPEC_FILE } from '../../robots/robot-spec-file.ts';

/** Deeper folders are a mistake or an attack. */
const MAX_DEPTH = 16;

/** Why `relative` cannot be the place of a model file in its robot's folder, or null. Looks at the text alone. */
export function modelPathProblem(relative: string): string | null {
  const problem = relativePathProblem(relative);
  if (problem !== null) return problem;
  const segments = relative.split('/');
  if (segments[0] === SPEC_FILE && segments.length > 1) return `cannot lie in a folder named ${SPEC_FILE}`;
  if (segments.length > MAX_DEPTH) return `must lie at most ${MAX_DEPTH} folders deep`;
  for (const segment of segments) {
    if (segment.startsWith('.'))
      return `is hidden: "${segment}" begins with a dot; leave it out, models do not need it`;
    const word = wordProblem(segment);
    if (word !== null) return `cannot be kept: ${quoteName(segment)} ${word}`;
  }
  return null;
}

/** @param field what the message calls the path  @throws bad_input */
export function checkModelPath(relative: string, field = 'path'): string {
  const problem = modelPathProblem(relative);
  if (problem !== null) throw badInput(`${field}: ${quoteName(relative)} ${problem}`);
  return relative;
}
