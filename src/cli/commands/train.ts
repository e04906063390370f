import { countText, spanText } from '../../core/log/format-numbers.ts';
import type { LaunchTrial } from '../../protocol/schemas/jobs.ts';
import { EXIT } from '../exit-codes.ts';
import { repeated, UsageError } from '../parse-flags.ts';
import type { CliCommand } from './command.ts';
import { startedJob } from './started-job.ts';

interface Flags {
  readonly dataset: string;
  readonly name?: string;
  readonly envs?: string;
  readonly iterations?: string;
  readonly seed?: string;
  readonly trainer?: string;
  readonly launcher?: string;
  readonly startFrom?: string;
  readonly resume?: string;
  readonly checkpoint?: string;
  readonly extra?: string[];
  readonly dryRun?: boolean;
}

/** `train TASK --dataset D`: starts a training, or runs only its checks. */
export const TRAIN_COMMAND: CliCommand = {
  example: 'motion-studio train Wbc-Humanoid --dataset walks --start-from best --wait',
  declare: (flags) =>
    flags
      .description('Start a training of the selected robot. It continues without this command and without the service.')
      .argument('<task>', 'a task or preset: "Wbc-Humanoid", "Wbc-Humanoid--rough-ground"')
      .requiredOption('--dataset <name>', 'dataset with converted clips')
      .option('--name <name>', 'suffix of the name of the run')
      .option('--envs <count>', 'number of environments')
      .option('--iterations <count>', 'exact number of iterations (default: until the evaluation converges)')
      .option('--seed <seed>')
      .option('--trainer <name>', 'builtin, or a trainer of studio.yaml')
      .option('--launcher <name>', 'local, or a launcher of studio.yaml')
      .option('--start-from <run>', 'start with the networks of a run: its path, best or fresh (default: fresh)')
      .option('--resume <run>', 'continue a run')
      .option('--checkpoint <name>', 'checkpoint of the run to continue (default: the latest)')
      .option('--extra <argument>', 'argument for the trainer; may be repeated', repeated)
      .option('--dry-run', 'run the checks only'),
  prepare([task = ''], flags: object) {
    const given = flags as Flags;
    if (given.startFrom !== undefined && given.resume !== undefined)
      throw new UsageError('--start-from and --resume cannot be given together');
    const text = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value });
    const body = {
      task,
      dataset: given.dataset,
      ...text('run_name', given.name),
      ...integer('num_envs', '--envs', given.envs, 1),
      ...integer('max_iterations', '--iterations', given.iterations, 1),
      ...integer('seed', '--seed', given.seed, 0),
      ...text('trainer', given.trainer),
      ...text('launcher', given.launcher),
      ...text('start_from', given.startFrom),
      ...text('resume_run', given.resume),
      ...text('resume_checkpoint', given.checkpoint),
      ...(given.extra === undefined ? {} : { extra: given.extra }),
      ...(given.dryRun === true ? { dry_run: true } : {}),
    };
    return async (context) => {
      const { client, output } = context;
      const reply = await client.call('POST /api/train/launch', { body });
      if (!('dry_run' in reply)) {
        await startedJob(context, reply.job, { run: reply.run, started_from: reply.started_from });
        if (reply.note !== null) output.note(reply.note);
        return EXIT.done;
      }
      output.result(reply, () => {
        output.table({
          columns: ['CHECK', 'OK', 'RESULT'],
          rows: reply.checks.map(({ name, ok, text: result }) => [name, ok ? 'yes' : 'no', result]),
        });
        if (reply.budget !== null) output.line(budgetLine(reply.budget));
      });
      return reply.checks.every(({ ok }) => ok) ? EXIT.done : EXIT.failed;
    };
  },
};

/** Formats the expected time of a training: `Expected time: 3.0 min to 8.2 min, 300 iterations, 921,600 steps`. */
function budgetLine({
  seconds: [low, high],
  iterations,
  env_steps: steps,
}: NonNullable<LaunchTrial['budget']>): string {
  const plan = `${countText(iterations, 'iteration')}, ${countText(steps, 'step')}`;
  return `Expected time: ${spanText(low)} to ${spanText(high)}, ${plan}`;
}

function integer(field: string, flag: string, text: string | undefined, least: number): Record<string, number> {
  if (text === undefined) return {};
  const value = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (value < least) throw new UsageError(`${flag}: must be an integer ≥ ${least}, got ${JSON.stringify(text)}`);
  return { [field]: value };
}
