import { EXIT } from '../exit-codes.ts';
import { UsageError } from '../parse-flags.ts';
import type { CliCommand, CommandContext } from './command.ts';
import { PREFER_WAIT, taskDone } from './waiting.ts';

/** `robots`: lists the robots; `robots select NAME`: selects one. */
export const ROBOTS_COMMAND: CliCommand = {
  example: 'motion-studio robots select humanoid',
  declare: (flags) =>
    flags
      .description('List the robots. With "select", select the robot that other commands use.')
      .argument('[select]')
      .argument('[name]', 'id or name of a robot'),
  prepare([verb, name]) {
    if (verb === undefined) return list;
    if (verb !== 'select' || name === undefined)
      throw new UsageError('expected "robots" or "robots select NAME": see --help');
    return (context) => select(context, name);
  },
};

async function list({ client, output }: CommandContext) {
  const { robots } = await client.call('GET /api/robots');
  output.result(robots, () =>
    output.table({
      columns: ['', 'ID', 'NAME', ' JOINTS', ' DATASETS', ' RUNS', 'PROBLEM'],
      rows: robots.map(({ selected, id, name, model, datasets, runs, error }) => [
        selected ? '*' : '',
        id,
        name,
        String(model?.joints ?? '–'),
        String(datasets.length),
        String(runs.length),
        error ?? '',
      ]),
    }),
  );
  return EXIT.done;
}

async function select(context: CommandContext, name: string) {
  const { client, output } = context;
  await taskDone(context, await client.call('POST /api/robot/select', { body: { name }, headers: PREFER_WAIT }));
  const { id } = await client.call('GET /api/robot');
  output.result({ selected: id }, () => output.line(`${id} is selected`));
  return EXIT.done;
}
