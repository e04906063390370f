import { EXIT } from '../exit-codes.ts';
import { UsageError } from '../parse-flags.ts';
import { type CliCommand, type CommandContext, CommandError } from './command.ts';
import { PREFER_WAIT, taskDone } from './waiting.ts';

interface Flags {
  readonly checkpoint?: string;
  readonly motion?: string;
  readonly envs?: string;
  readonly seed?: string;
  readonly stop?: boolean;
}

/** `play RUN`: starts a session or changes the running one; `play --stop`: stops it; `play`: shows it. */
export const PLAY_COMMAND: CliCommand = {
  example: 'motion-studio play wbc_humanoid/2026-11-23_squat --envs 16',
  declare: (flags) =>
    flags
      .description('Play a policy in the scene. Without a run, show the session.')
      .argument('[run]', 'path of a run: <run_dir>/<run>')
      .option('--checkpoint <name>', '"" plays zero action (default: the latest)')
      .option('--motion <path>', "motion library (default: the run's own)")
      .option('--envs <count>', 'number of environments')
      .option('--seed <seed>')
      .option('--stop', 'stop the session'),
  prepare([run], { checkpoint, motion, envs, seed, stop }: Flags) {
    if (stop === true) {
      if (run !== undefined) throw new UsageError('--stop takes no run');
      return stopSession;
    }
    if (run === undefined) return show;
    const body = {
      run,
      ...(checkpoint === undefined ? {} : { checkpoint }),
      ...(motion === undefined ? {} : { motion }),
      ...(envs === undefined ? {} : { num_envs: integer('--envs', envs) }),
      ...(seed === undefined ? {} : { seed: integer('--seed', seed) }),
    };
    return async (context) => {
      const reply = await context.client.call('POST /api/play/configure', { body, headers: PREFER_WAIT });
      if ('task' in reply) await taskDone(context, reply);
      return show(context);
    };
  },
};

function integer(flag: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new UsageError(`${flag}: must be an integer ≥ 0, got ${JSON.stringify(text)}`);
  return Number(text);
}

async function show({ client, output, url }: CommandContext) {
  const { session } = await client.call('GET /api/play');
  output.result({ session }, () => {
    if (session === null) output.line('No session');
    else {
      const what = session.checkpoint === '' ? 'zero action' : session.checkpoint;
      output.line(`${session.state}: ${session.run}, ${what}, ${session.num_envs} environments on ${session.motion}`);
      output.line(`${url}#/play`);
    }
  });
  if (session?.state === 'failed') throw new CommandError(session.error ?? 'the session failed');
  return EXIT.done;
}

async function stopSession({ client, output }: CommandContext) {
  await client.call('POST /api/play/stop');
  output.result({ session: null }, () => output.line('Session stopped'));
  return EXIT.done;
}
