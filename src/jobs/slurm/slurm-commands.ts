import { execa } from 'execa';
import { StudioError } from '../../core/errors.ts';
import { UnreachableError } from '../detached/launcher.ts';

/** Timeout of commands, ms. Without it, a command would wait up to 18 s for an unreachable controller. */
const TIMEOUT_MS = 8000;

/** Runs a command of Slurm. `sbatch` passes its environment on to the job.
 *  @param environment of the command, without the service's secrets  @returns the output of the command
 *  @throws UnreachableError if the controller does not answer; StudioError bad_input with Slurm's message */
export async function runSlurm(
  command: 'sbatch' | 'squeue' | 'scontrol' | 'scancel',
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  const { stdout, stderr, exitCode, timedOut, failed, code } = await execa(command, [...args], {
    timeout: TIMEOUT_MS,
    reject: false,
    stdin: 'ignore',
    env: environment,
    extendEnv: false,
  });
  if (!failed) return stdout;
  if (code === 'ENOENT') throw new StudioError('bad_input', `launcher: ${command} is not installed on this machine`);
  const words = stderr.replace(new RegExp(`^(${command}: )?(error: )?`, 'gm'), '').trim();
  if (timedOut || /Unable to contact|connect failure|Socket timed out|Zero Bytes/i.test(stderr)) {
    throw new UnreachableError(
      `the Slurm controller does not answer${words === '' ? '' : `: ${words.split('\n')[0]}`}`,
    );
  }
  throw new StudioError('bad_input', `launcher: ${command} (exit status ${exitCode}): ${words || 'no reason given'}`);
}
