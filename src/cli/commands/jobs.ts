import { EXIT } from '../exit-codes.ts';
import { UsageError } from '../parse-flags.ts';
import type { CliCommand, CommandContext } from './command.ts';
import { jobEnd } from './waiting.ts';

/** `jobs`: lists the jobs; `jobs NAME`: shows or follows one; `jobs stop NAME`: stops one. */
export const JOBS_COMMAND: CliCommand = {
  example: 'motion-studio jobs train-walks-1 --wait',
  declare: (flags) =>
    flags
      .description(
        'List the jobs. With a name, show the job and the end of its log; with --wait, follow it to its end.',
      )
      .argument('[stop]')
      .argument('[name]'),
  prepare([first, second]) {
    if (first === undefined) return list;
    if (second === undefined && first !== 'stop') return (context) => show(context, first);
    if (second === undefined || first !== 'stop')
      throw new UsageError('expected "jobs", "jobs NAME" or "jobs stop NAME": see --help');
    return (context) => stop(context, second);
  },
};

const percent = (share: number | null) => (share === null ? '–' : `${Math.floor(100 * share)} %`);

async function list({ client, output }: CommandContext) {
  const { jobs } = await client.call('GET /api/jobs');
  output.result(jobs, () =>
    output.table(
      {
        columns: ['NAME', 'KIND', 'STATUS', ' PROGRESS', 'RUN OR DATASET', 'ERROR'],
        rows: jobs.map(({ name, kind, status, progress, run, dataset, error }) => [
          name,
          kind,
          status,
          percent(progress),
          run ?? dataset ?? '',
          (error ?? '').split('\n', 1)[0]!,
        ]),
      },
      'No jobs',
    ),
  );
  return EXIT.done;
}

/** Returns exit code 1 if the job ended with a status other than `done`. */
async function show(context: CommandContext, name: string) {
  const { client, output } = context;
  if (context.wait) await jobEnd(context, name);
  const job = await client.call('GET /api/jobs/{name}', { params: { name }, query: { tail: 20 } });
  output.result(job, () => {
    output.line(`${name}: ${job.status} ${percent(job.progress)}${job.error === null ? '' : `: ${job.error}`}`);
    for (const line of job.log) output.line(`  ${line}`);
  });
  return ['failed', 'stopped', 'lost'].includes(job.status) ? EXIT.failed : EXIT.done;
}

async function stop(context: CommandContext, name: string) {
  const { client, output } = context;
  await client.call('POST /api/jobs/{name}/stop', { params: { name } });
  const status = context.wait ? (await jobEnd(context, name)).status : 'stopping';
  output.result({ job: name, status }, () => output.line(`Job ${name} ${status}`));
  return EXIT.done;
}
