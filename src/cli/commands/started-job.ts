import type { CommandContext } from './command.ts';
import { jobDone } from './waiting.ts';

/** Prints a started job. With `--wait`, waits for its end first.
 *  @param more further values to print
 *  @throws CommandError if the job does not end as `done` */
export async function startedJob(
  context: CommandContext,
  job: string,
  more: Readonly<Record<string, string | null>>,
): Promise<void> {
  const { output, wait } = context;
  const status = wait ? (await jobDone(context, job)).status : 'started';
  output.result({ job, status, ...more }, () => {
    const named = Object.entries(more).flatMap(([name, value]) =>
      value === null ? [] : [`, ${name.replaceAll('_', ' ')} ${value}`],
    );
    output.line(`Job ${job} ${status}${named.join('')}`);
  });
}
