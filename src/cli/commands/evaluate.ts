import path from 'node:path';
import type { BodyOf } from '../../protocol/route.ts';
import type { RouteByKey } from '../../protocol/route-table.ts';
import type { Evaluation, Summary } from '../../protocol/schemas/evaluation.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { repeated, UsageError } from '../parse-flags.ts';
import {
  type Baseline,
  type BaselineResult,
  baselineLine,
  compareToBaseline,
  readBaseline,
  writeBaseline,
} from './baseline.ts';
import type { CliCommand, CommandContext } from './command.ts';
import { printEvaluation } from './evaluation-text.ts';
import { gateLine, readGates } from './gate.ts';
import { checkSavedFile, saveReply } from './saved-file.ts';
import { jobDone } from './waiting.ts';

type EvaluateBody = BodyOf<RouteByKey['POST /api/evaluate']>;
type ReportFormat = 'html' | 'json' | 'csv';

const DEFAULT_TOLERANCE = 0.02;

interface Flags {
  readonly checkpoint?: string[];
  readonly motion?: string;
  readonly clip?: string[];
  readonly starts?: string;
  readonly horizon?: string;
  readonly condition?: string[];
  readonly seed?: string;
  readonly launcher?: string;
  readonly resume?: string;
  readonly gate?: string[];
  readonly baseline?: string;
  readonly update?: boolean;
  readonly tolerance?: string;
  readonly report?: string[];
}

/** What the command line requests: the evaluation, its baseline and its reports. */
interface Demands {
  readonly body: EvaluateBody;
  readonly baseline: BaselineCheck | null;
  readonly reports: readonly { readonly file: string; readonly format: ReportFormat }[];
}

interface BaselineCheck {
  readonly file: string;
  readonly old: Baseline | null;
  readonly update: boolean;
  readonly tolerance: number;
}

/** `evaluate RUN`: evaluates checkpoints, compares with gates and a baseline, and saves reports. */
export const EVALUATE_COMMAND: CliCommand = {
  example: "motion-studio evaluate wbc_humanoid/2026-11-23_squat --gate 'success>=0.9' --report report.html",
  declare: (flags) =>
    flags
      .description(
        'Evaluate checkpoints of a run over a motion library. --gate, --baseline and --report wait for the end.',
      )
      .argument('<run>', 'path of a run: <run_dir>/<run>')
      .option('--checkpoint <name>', 'default: the latest; may be repeated', repeated)
      .option('--motion <path>', "motion library (default: the run's own)")
      .option('--clip <name>', 'only this clip; may be repeated', repeated)
      .option('--starts <count>', 'starts per clip (default: 4)')
      .option('--horizon <seconds>', "longest episode (default: to the clip's end)")
      .option(
        '--condition <condition>',
        'nominal, pushes, noise, randomised, task, robustness, a setting such as friction=0.5, or JSON; may be repeated',
        repeated,
      )
      .option('--seed <seed>', 'default: 0')
      .option('--launcher <name>', 'local, or a launcher of studio.yaml')
      .option('--resume <name>', 'continue a stopped or lost evaluation')
      .option('--gate <gate>', "such as 'success>=0.9'; may be repeated. Exit code 3 if one is missed", repeated)
      .option('--baseline <file>', 'exit code 3 if a metric is worse than in this file')
      .option('--update', 'write the metrics to the baseline file instead')
      .option('--tolerance <share>', `allowed worsening of a metric, as a share (default: ${DEFAULT_TOLERANCE})`)
      .option('--report <file>', 'save the report: .html, .csv or .json; may be repeated', repeated),
  prepare([run = ''], flags: object) {
    const demands = demandsOf(run, flags as Flags);
    return (context) => evaluate(context, demands);
  },
};

function demandsOf(run: string, flags: Flags): Demands {
  const gate = readGates(flags.gate ?? []);
  const body: EvaluateBody = {
    run,
    ...(flags.checkpoint === undefined ? {} : { checkpoints: flags.checkpoint }),
    ...(flags.motion === undefined ? {} : { motion: flags.motion }),
    ...(flags.clip === undefined ? {} : { clips: flags.clip }),
    ...(flags.starts === undefined ? {} : { starts: numberOf('--starts', flags.starts, 1, true) }),
    ...(flags.horizon === undefined ? {} : { horizon_s: numberOf('--horizon', flags.horizon, 0, false) }),
    ...(flags.condition === undefined ? {} : { conditions: flags.condition.map(conditionOf) }),
    ...(flags.seed === undefined ? {} : { seed: numberOf('--seed', flags.seed, 0, true) }),
    ...(flags.launcher === undefined ? {} : { launcher: flags.launcher }),
    ...(flags.resume === undefined ? {} : { resume: flags.resume }),
    ...(Object.keys(gate).length === 0 ? {} : { gate }),
  };
  return { body, baseline: baselineOf(flags), reports: (flags.report ?? []).map(reportOf) };
}

function baselineOf({ baseline: file, update = false, tolerance: text, checkpoint }: Flags): BaselineCheck | null {
  if (file === undefined) {
    if (update || text !== undefined) throw new UsageError('--update and --tolerance need --baseline FILE');
    return null;
  }
  if (update && (checkpoint?.length ?? 1) > 1)
    throw new UsageError('--update: needs one checkpoint, because a baseline contains the metrics of one checkpoint');
  if (update) checkSavedFile('--baseline', file);
  const old = readBaseline(file);
  if (old === null && !update)
    throw new UsageError(`--baseline: the file ${file} does not exist. Create it with --update.`);
  const tolerance = text === undefined ? DEFAULT_TOLERANCE : numberOf('--tolerance', text, 0, false);
  return { file, old, update, tolerance };
}

function reportOf(file: string): Demands['reports'][number] {
  const format = path.extname(file).slice(1).toLowerCase();
  if (format !== 'html' && format !== 'csv' && format !== 'json')
    throw new UsageError(`--report: must end in .html, .csv or .json, got ${JSON.stringify(file)}`);
  checkSavedFile('--report', file);
  return { file, format };
}

/** Reads a condition: a name, `<field>=<value>`, or a JSON object. The service checks its fields. */
function conditionOf(text: string): NonNullable<EvaluateBody['conditions']>[number] {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text) as { name: string };
    } catch (error) {
      throw new UsageError(`--condition: is not valid JSON: ${(error as Error).message}`);
    }
  }
  const [, field, value] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (field === undefined || value === undefined) return text;
  const read = value === 'true' ? true : value === 'false' ? false : Number(value);
  return { name: text, [field]: Number.isNaN(read) ? value : read };
}

function numberOf(flag: string, text: string, least: number, whole: boolean): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value) && value >= least && (!whole || Number.isInteger(value))) return value;
  throw new UsageError(`${flag}: must be ${whole ? 'an integer' : 'a number'} ≥ ${least}, got ${JSON.stringify(text)}`);
}

async function evaluate(context: CommandContext, { body, baseline, reports }: Demands): Promise<ExitCode> {
  const { client, output, wait } = context;
  const { job, evaluation: name } = await client.call('POST /api/evaluate', { body });
  if (!wait && body.gate === undefined && baseline === null && reports.length === 0) {
    output.result({ job, evaluation: name }, () => output.line(`Evaluation ${name} started as job ${job}`));
    return EXIT.done;
  }
  await jobDone(context, job);
  const evaluation = await client.call('GET /api/evaluations/{name}', { params: { name } });
  for (const { file, format } of reports) {
    const input = { params: { name }, query: { format } };
    await saveReply('--report', file, await client.callResponse('GET /api/evaluations/{name}/report', input));
  }
  const results = judge(evaluation, baseline);
  const missed = [...(evaluation.gate ?? []), ...results].filter(({ ok }) => !ok).length;
  output.result({ job, evaluation, baseline: baseline === null ? null : results, ok: missed === 0 }, () => {
    printEvaluation(output, evaluation);
    for (const gate of evaluation.gate ?? []) output.line(gateLine(gate));
    for (const result of results) output.line(baselineLine(result));
    if (baseline?.update) output.line(`Baseline ${baseline.file} written`);
  });
  return missed === 0 ? EXIT.done : EXIT.gate;
}

/** Compares the summaries under the first condition with the baseline, or writes them to it. */
function judge({ protocol, summary }: Evaluation, baseline: BaselineCheck | null): BaselineResult[] {
  if (baseline === null) return [];
  const first = protocol.conditions[0]?.name;
  const judged: Summary[] = summary.filter(({ condition }) => condition === first);
  if (baseline.update) {
    writeBaseline(baseline.file, baseline.old, judged[0]!);
    return [];
  }
  return judged.flatMap((one) => compareToBaseline(baseline.old!, one, baseline.tolerance));
}
