import type { BodyOf } from '../../protocol/route.ts';
import type { RouteByKey } from '../../protocol/route-table.ts';
import { EXIT } from '../exit-codes.ts';
import { UsageError } from '../parse-flags.ts';
import { type CliCommand, type CommandContext, CommandError } from './command.ts';
import { checkSavedFile, saveReply } from './saved-file.ts';
import { PREFER_WAIT, taskDone } from './waiting.ts';

type ExportBody = BodyOf<RouteByKey['POST /api/export']>;

const FORMATS = ['whole_body_tracking', 'unitree', 'wbc-g1-deploy'] as const;
const WHOLE_CLIP = 'clip';

interface Flags {
  readonly format?: string;
  readonly checkpoint?: string;
  readonly clip?: string;
  readonly standIn?: string;
  readonly standOut?: string;
  readonly selftest?: string;
  readonly output?: string;
}

/** `export RUN`: exports a policy with a clip for a robot's controller. Always waits for the self-test: exit code 1
 *  if it fails. */
export const EXPORT_COMMAND: CliCommand = {
  example: 'motion-studio export wbc_g1/2026-11-23_dance --format unitree --stand-in 2 --output dance.zip',
  declare: (flags) =>
    flags
      .description(
        "Export a policy with a clip for a robot's controller, and test the written files. Exit code 1 if the self-test fails.",
      )
      .argument('<run>', 'path of a run: <run_dir>/<run>')
      .requiredOption('--format <format>', FORMATS.join(', '))
      .option('--checkpoint <name>', 'default: the latest')
      .option('--clip <name>', "clip of the run's motion library; needed if it has several")
      .option('--stand-in <seconds>', 'motion from standing to the first frame (default: 0)')
      .option('--stand-out <seconds>', 'motion from the last frame to standing (default: 0)')
      .option('--selftest <seconds>', `length of the self-test, or ${WHOLE_CLIP} (default: 10)`)
      .option('--output <file>', 'save the bundle as a zip file'),
  prepare([run = ''], flags: object) {
    const body = bodyOf(run, flags as Flags);
    const { output = null } = flags as Flags;
    if (output !== null) checkSavedFile('--output', output);
    return (context) => exportRun(context, body, output);
  },
};

function bodyOf(run: string, flags: Flags): ExportBody {
  const format = FORMATS.find((one) => one === flags.format);
  if (format === undefined)
    throw new UsageError(`--format: must be one of ${FORMATS.join(', ')}, got ${JSON.stringify(flags.format)}`);
  return {
    run,
    format,
    ...(flags.checkpoint === undefined ? {} : { checkpoint: flags.checkpoint }),
    ...(flags.clip === undefined ? {} : { clip: flags.clip }),
    ...(flags.standIn === undefined ? {} : { stand_in_s: secondsOf('--stand-in', flags.standIn) }),
    ...(flags.standOut === undefined ? {} : { stand_out_s: secondsOf('--stand-out', flags.standOut) }),
    ...(flags.selftest === undefined
      ? {}
      : { selftest_s: flags.selftest === WHOLE_CLIP ? null : secondsOf('--selftest', flags.selftest) }),
  };
}

function secondsOf(flag: string, text: string): number {
  const seconds = text.trim() === '' ? Number.NaN : Number(text);
  if (seconds >= 0 && Number.isFinite(seconds)) return seconds;
  throw new UsageError(`${flag}: must be a number ≥ 0, got ${JSON.stringify(text)}`);
}

async function exportRun(context: CommandContext, body: ExportBody, file: string | null) {
  const { client, output } = context;
  const { result } = await taskDone(context, await client.call('POST /api/export', { body, headers: PREFER_WAIT }));
  const name = String(result?.['export']);
  const { exports } = await client.call('GET /api/exports', { query: { run: body.run } });
  const made = exports.find((one) => one.name === name);
  if (made === undefined) throw new CommandError(`the export ${name} was deleted in the meantime`);
  if (file !== null)
    await saveReply('--output', file, await client.callResponse('GET /api/exports/{name}', { params: { name } }));
  output.result(made, () => {
    output.line(`Export ${name}: ${made.selftest.ok ? 'self-test passed' : 'self-test FAILED'}`);
    output.line(made.selftest.text);
    if (file !== null) output.line(`Saved as ${file}`);
  });
  return made.selftest.ok ? EXIT.done : EXIT.failed;
}
