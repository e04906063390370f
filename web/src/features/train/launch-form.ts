import type { BodyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { LaunchTrial, Trainer } from '../../../../src/protocol/schemas/jobs.ts';
import { numberIn } from '../../ui/number-field.ts';

export type LaunchBody = BodyOf<RouteByKey['POST /api/train/launch']>;

/** Content of the form. For an empty text, the trainer uses its default. */
export interface LaunchForm {
  readonly task: string;
  readonly dataset: string;
  readonly trainer: string;
  readonly launcher: string;
  readonly numEnvs: string;
  readonly maxIterations: string;
  readonly seed: string;
  readonly runName: string;
  /** initial networks of a training that does not resume a run: `best`, `fresh` or the path of a run */
  readonly startFrom: string;
  readonly resumeRun: string;
  readonly resumeCheckpoint: string;
  readonly logger: 'tensorboard' | 'wandb' | 'none';
  readonly extra: string;
}

export const EMPTY_FORM: LaunchForm = {
  task: '',
  dataset: '',
  trainer: 'builtin',
  launcher: 'local',
  numEnvs: '',
  maxIterations: '',
  seed: '',
  runName: '',
  startFrom: 'best',
  resumeRun: '',
  resumeCheckpoint: '',
  logger: 'tensorboard',
  extra: '',
};

type NumberField = 'numEnvs' | 'maxIterations' | 'seed';
const BOUNDS: Readonly<Record<NumberField, readonly [least: number, most: number]>> = {
  numEnvs: [1, 65_536],
  maxIterations: [1, 10_000_000],
  seed: [0, 2 ** 31 - 1],
};

/** Returns why a number of the form is invalid; null for a valid number. */
export function numberProblem(field: NumberField, text: string): string | null {
  const [least, most] = BOUNDS[field];
  return numberIn(text, least, most, true).error;
}

/** Returns whether the form is complete enough to be checked: task and dataset are selected, and every number is
 *  valid. */
export function isComplete(form: LaunchForm): boolean {
  return (
    form.task !== '' &&
    form.dataset !== '' &&
    (Object.keys(BOUNDS) as NumberField[]).every((field) => numberProblem(field, form[field]) === null)
  );
}

/** Returns the request that the form describes, without default values and without fields that the trainer does not
 *  support. */
export function bodyOf(form: LaunchForm, trainer: Trainer | null): LaunchBody {
  const takes = (field: Trainer['takes'][number]) => trainer === null || trainer.takes.includes(field);
  const number = (field: NumberField) => {
    const [least, most] = BOUNDS[field];
    return numberIn(form[field], least, most, true).value;
  };
  const [numEnvs, maxIterations, seed] = [number('numEnvs'), number('maxIterations'), number('seed')];
  const extra = form.extra.trim();
  return {
    task: form.task,
    dataset: form.dataset,
    ...(numEnvs !== null && takes('num_envs') ? { num_envs: numEnvs } : {}),
    ...(maxIterations !== null && takes('max_iterations') ? { max_iterations: maxIterations } : {}),
    ...(form.runName !== '' && takes('run_name') ? { run_name: form.runName } : {}),
    ...(form.resumeRun !== '' && takes('resume') ? { resume_run: form.resumeRun } : {}),
    ...(form.resumeRun !== '' && form.resumeCheckpoint !== '' && takes('resume')
      ? { resume_checkpoint: form.resumeCheckpoint }
      : {}),
    ...(form.startFrom !== 'fresh' && form.resumeRun === '' && takes('start_from')
      ? { start_from: form.startFrom }
      : {}),
    ...(form.logger !== 'tensorboard' && takes('logger') ? { logger: form.logger } : {}),
    ...(extra !== '' && takes('extra') ? { extra } : {}),
    ...(form.trainer !== 'builtin' ? { trainer: form.trainer } : {}),
    ...(form.launcher !== 'local' ? { launcher: form.launcher } : {}),
    ...(seed !== null && takes('seed') ? { seed } : {}),
  };
}

/** Formats the expected duration of a training in a short and a long form, such as `About 3 to 8 min, 2.8 M steps`;
 *  null if it is unknown. */
export function timeText(reply: LaunchTrial | null): { readonly brief: string; readonly full: string } | null {
  const { budget = null, params } = reply ?? {};
  if (budget === null) return null;
  const [low, high] = budget.seconds;
  const brief = `About ${rangeText(low, high)}, ${Number((budget.env_steps / 1e6).toPrecision(2))} M steps`;
  const plan = `${budget.iterations} iterations`;
  const ends = `a plan of ${plan}, which ends earlier or later with the evaluation`;
  return { brief, full: `${brief}; ${params?.['automatic'] === true ? ends : `exactly ${plan}`}` };
}

/** Formats a range of durations in one unit, such as `3 to 8 min`. @param low shortest duration, s @param high longest
 *  duration, s */
function rangeText(low: number, high: number): string {
  const [unit, size] = high < 90 ? (['s', 1] as const) : high < 5400 ? (['min', 60] as const) : (['h', 3600] as const);
  const rounded = (seconds: number) => {
    const value = seconds / size;
    return unit === 'h' && value < 10 ? value.toFixed(1) : String(Math.max(1, Math.round(value)));
  };
  return rounded(low) === rounded(high) ? `${rounded(high)} ${unit}` : `${rounded(low)} to ${rounded(high)} ${unit}`;
}

/** Formats a request as a shell command. @param origin origin of the service's URL */
export function shellLine(body: LaunchBody, origin: string): string {
  const json = JSON.stringify(body).replaceAll("'", "'\\''");
  return `curl ${origin}/api/train/launch --json '${json}'`;
}

/** Joins the words of a command with shell quoting. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
