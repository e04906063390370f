import { badInput, StudioError } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';

/** Prefixes an error of reading a run with the field of the request: `checkpoint` for the checkpoint's file, otherwise
 *  `run`. @param error names the file and the problem in it; errors other than bad_input are returned unchanged */
export function setupProblem(error: unknown, run: string, checkpoint: string): unknown {
  if (!(error instanceof StudioError) || error.code !== 'bad_input') return error;
  const { message } = error;
  if (message.startsWith('run: ') || message.startsWith('checkpoint: ')) return error;
  if (checkpoint !== '' && message.startsWith(`${checkpoint}: `)) return badInput(`checkpoint: ${message}`);
  return badInput(`run: ${quoteName(run)} cannot be played: ${message}`);
}
