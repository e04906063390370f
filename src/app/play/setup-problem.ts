import { badInput, StudioError } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';

/** What keeps a run from being played, told by the field that chose it: `checkpoint` for that very file, else `run`.
 *  @param error as reading the run threw it: it names the file and what is wrong in it; anything but bad input is left as
 *  it is */
export function setupProblem(error: unknown, run: string, checkpoint: string): unknown {
  if (!(error instanceof StudioError) || error.code !== 'bad_input') return error;
  const { message } = error;
  if (message.startsWith('run: ') || message.startsWith('checkpoint: ')) return error;
  if (checkpoint !== '' && message.startsWith(`${checkpoint}: `)) return badInput(`checkpoint: ${message}`);
  return badInput(`run: ${quoteName(run)} cannot be played: ${message}`);
}
