import { EXIT } from '../exit-codes.ts';
import { type CliCommand, type CommandContext, CommandError } from './command.ts';

/** `runs`: lists the runs of the selected robot; `runs RUN`: shows the checkpoints of one. */
export const RUNS_COMMAND: CliCommand = {
  example: 'motion-studio runs wbc_humanoid/2026-11-23_squat',
  declare: (flags) =>
    flags
      .description('List the runs of the selected robot, newest first. With a run, list its checkpoints.')
      .argument('[run]', 'path of a run: <run_dir>/<run>'),
  prepare([run]) {
    return run === undefined ? list : (context) => show(context, run);
  },
};

async function list({ client, output }: CommandContext) {
  const { runs } = await client.call('GET /api/runs');
  output.result(runs, () =>
    output.table(
      {
        columns: ['RUN', 'TASK', 'DATASET', 'FORMAT', 'LATEST', 'MODIFIED', 'PROBLEM'],
        rows: runs.map(({ path, task, dataset, format, latest, modified, error }) => [
          path,
          task ?? '–',
          dataset ?? '–',
          format,
          latest ?? '–',
          modified.slice(0, 16).replace('T', ' '),
          error ?? '',
        ]),
      },
      'No runs yet: start one with motion-studio train',
    ),
  );
  return EXIT.done;
}

async function show({ client, output }: CommandContext, path: string) {
  const { runs } = await client.call('GET /api/runs');
  const run = runs.find((one) => one.path === path);
  if (run === undefined) throw new CommandError(`the selected robot has no run ${JSON.stringify(path)}: see "runs"`);
  output.result(run, () =>
    output.table({
      columns: ['CHECKPOINT', ' ITERATION', 'MODIFIED'],
      rows: run.checkpoints.map(({ name, iteration, modified }) => [name, String(iteration ?? '–'), modified]),
    }),
  );
  return EXIT.done;
}
