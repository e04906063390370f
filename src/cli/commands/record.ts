import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesText, spanText } from '../../core/log/format-numbers.ts';
import { ReplyError } from '../../protocol/http-client.ts';
import type { Recording } from '../../protocol/schemas/recordings.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { UsageError } from '../parse-flags.ts';
import { type CliCommand, type CommandContext, CommandError } from './command.ts';
import { checkSavedFile, saveReply } from './saved-file.ts';

const ASK_EVERY_MS = 500;

interface Flags {
  readonly format?: string;
  readonly seconds?: string;
  readonly output?: string;
  readonly list?: boolean;
  readonly stop?: boolean;
}

/** `record [NAME]`: records the scene until --seconds have passed or Ctrl-C; `--list` and `--stop`. */
export const RECORD_COMMAND: CliCommand = {
  example: 'motion-studio record squat --seconds 10 --output squat.mcap',
  declare: (flags) =>
    flags
      .description('Record the scene of the service, until --seconds have passed or Ctrl-C stops it.')
      .argument('[name]', 'name of the recording (default: the time)')
      .option('--format <format>', 'mcap or npz (default: mcap)')
      .option('--seconds <seconds>', 'default: 600')
      .option('--output <file>', 'save the recording on this machine as well')
      .option('--list', 'list the recordings')
      .option('--stop', 'stop the recording that runs'),
  prepare([name], { format, seconds, output, list, stop }: Flags) {
    const others = [name, format, seconds, output].some((value) => value !== undefined);
    if ((list === true || stop === true) && (others || (list && stop)))
      throw new UsageError(`--${list ? 'list' : 'stop'} takes no other option`);
    if (list === true) return listAll;
    if (stop === true) return stopRunning;
    if (format !== undefined && format !== 'mcap' && format !== 'npz')
      throw new UsageError(`--format: must be mcap or npz, got ${JSON.stringify(format)}`);
    const limit = seconds === undefined ? undefined : Number(seconds);
    if (limit !== undefined && !(limit > 0))
      throw new UsageError(`--seconds: must be a number above 0, got ${seconds}`);
    if (output !== undefined) checkSavedFile('--output', output);
    const body = {
      ...(name === undefined ? {} : { name }),
      ...(format === undefined ? {} : { format: format as 'mcap' | 'npz' }),
      ...(limit === undefined ? {} : { max_s: limit }),
    } as const;
    return (context) => record(context, body, output ?? null);
  },
};

async function record(
  context: CommandContext,
  body: { name?: string; format?: 'mcap' | 'npz'; max_s?: number },
  file: string | null,
): Promise<ExitCode> {
  const { client, output } = context;
  const { recording: name } = await client.call('POST /api/record/start', { body });
  const found = await ended(context, name, body.max_s ?? null);
  if (file !== null)
    await saveReply('--output', file, await client.callResponse('GET /api/recordings/{name}', { params: { name } }));
  output.result(found, () => output.line(lineOf(found)));
  return found.state === 'done' ? EXIT.done : EXIT.failed;
}

/** Waits for the end of a recording. Ctrl-C stops it. @param limitS seconds after which the service stops it */
async function ended(context: CommandContext, name: string, limitS: number | null): Promise<Recording> {
  const { output } = context;
  let isAsked = false;
  const onInterrupt = () => {
    isAsked = true;
  };
  process.once('SIGINT', onInterrupt);
  try {
    for (;;) {
      const found = await find(context, name);
      if (found.state !== 'recording') {
        output.endProgress();
        return found;
      }
      if (isAsked) {
        isAsked = false;
        await stop(context);
        continue;
      }
      const share = limitS === null ? null : Math.min(1, (found.duration ?? 0) / limitS);
      output.progress(name, 'recording', share, bytesText(found.bytes));
      await sleep(ASK_EVERY_MS);
    }
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

/** Stops the recording unless it has just reached its limit. */
async function stop({ client }: CommandContext): Promise<void> {
  try {
    await client.call('POST /api/record/stop');
  } catch (error) {
    if (!(error instanceof ReplyError && error.status === 409)) throw error;
  }
}

async function find({ client }: CommandContext, name: string): Promise<Recording> {
  const { recordings } = await client.call('GET /api/recordings');
  const found = recordings.find((recording) => recording.name === name);
  if (!found) throw new CommandError(`the recording ${name} was deleted`);
  return found;
}

async function listAll({ client, output }: CommandContext): Promise<ExitCode> {
  const { recordings } = await client.call('GET /api/recordings');
  output.result(recordings, () =>
    output.table(
      {
        columns: ['NAME', 'FORMAT', 'STATE', ' SIZE', ' DURATION', 'ROBOT'],
        rows: recordings.map(({ name, format, state, bytes, duration, robot }) => [
          name,
          format,
          state,
          bytesText(bytes),
          duration === null ? '–' : spanText(duration),
          robot ?? '–',
        ]),
      },
      'No recordings',
    ),
  );
  return EXIT.done;
}

async function stopRunning({ client, output }: CommandContext): Promise<ExitCode> {
  const { recording, bytes, duration } = await client.call('POST /api/record/stop');
  output.result({ recording, bytes, duration }, () =>
    output.line(`${recording}: ${spanText(duration)}, ${bytesText(bytes)}`),
  );
  return EXIT.done;
}

function lineOf({ name, state, bytes, duration, reason }: Recording): string {
  const size = `${spanText(duration ?? 0)}, ${bytesText(bytes)}`;
  return state === 'done' ? `${name}: ${size}` : `${name} was cut after ${size}: ${reason ?? 'unknown reason'}`;
}
