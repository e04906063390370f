import { EXIT } from '../exit-codes.ts';
import { repeated, UsageError } from '../parse-flags.ts';
import type { CliCommand } from './command.ts';
import { startedJob } from './started-job.ts';

interface Flags {
  readonly all?: boolean;
  readonly clip?: string[];
  readonly fps?: string;
  readonly mirror?: boolean;
}

/** `convert DATASET`: converts missing clips, all clips or the named ones, as a job. */
export const CONVERT_COMMAND: CliCommand = {
  example: 'motion-studio convert walks --wait',
  declare: (flags) =>
    flags
      .description('Convert the clips of a dataset of the selected robot that are not converted yet.')
      .argument('<dataset>')
      .option('--all', 'convert all clips again')
      .option('--clip <name>', 'convert this clip; may be repeated', repeated)
      .option('--fps <rate>', 'frames per second of the result')
      .option('--mirror', 'also write mirrored clips'),
  prepare([dataset = ''], { all, clip, fps, mirror }: Flags) {
    if (all === true && clip !== undefined) throw new UsageError('--all and --clip cannot be given together');
    const rate = fps === undefined ? undefined : Number(fps);
    if (rate !== undefined && !(rate > 0)) throw new UsageError(`--fps: must be a number above 0, got ${fps}`);
    const body = {
      dataset,
      ...(clip === undefined ? {} : { which: 'selected' as const, clips: clip }),
      ...(all === true ? { which: 'all' as const } : {}),
      ...(rate === undefined ? {} : { output_fps: rate }),
      ...(mirror === true ? { mirror: true } : {}),
    };
    return async (context) => {
      const { job } = await context.client.call('POST /api/data/convert', { body });
      await startedJob(context, job, {});
      return EXIT.done;
    };
  },
};
