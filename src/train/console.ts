import type { Metrics } from './metrics.ts';

const WIDTH = 80;
const LABEL = 40;

export interface IterationReport {
  readonly iteration: number;
  /** number of the last iteration + 1 */
  readonly end: number;
  readonly runName: string;
  /** environment steps so far */
  readonly envSteps: number;
  readonly stepsPerSecond: number;
  readonly collectionS: number;
  readonly learningS: number;
  readonly elapsedS: number;
  readonly etaS: number;
  readonly metrics: Metrics;
}

/** Metrics for which rsl_rl prints a special label. */
const LABELED: Readonly<Record<string, { readonly label: string; readonly digits: number }>> = {
  'Loss/value': { label: 'Mean value loss:', digits: 4 },
  'Loss/surrogate': { label: 'Mean surrogate loss:', digits: 4 },
  'Loss/entropy': { label: 'Mean entropy loss:', digits: 4 },
  'Train/mean_reward': { label: 'Mean reward:', digits: 2 },
  'Train/mean_episode_length': { label: 'Mean episode length:', digits: 2 },
  'Policy/mean_std': { label: 'Mean action std:', digits: 2 },
};
const HIDDEN = ['Perf/', 'Loss/learning_rate'];

/** Formats the block that rsl_rl prints after each iteration, so that programs that read its logs can read these. */
export function iterationBlock(report: IterationReport): string {
  const { metrics } = report;
  const head = ` Learning iteration ${report.iteration}/${report.end} `;
  const left = Math.floor((WIDTH - head.length) / 2);
  const lines = [
    '#'.repeat(WIDTH),
    `\u001b[1m${' '.repeat(left)}${head}${' '.repeat(Math.max(0, WIDTH - left - head.length))}\u001b[0m`,
    '',
    line('Run name:', report.runName),
    line('Total steps:', String(report.envSteps)),
    line('Steps per second:', String(Math.round(report.stepsPerSecond))),
    line('Collection time:', `${report.collectionS.toFixed(3)}s`),
    line('Learning time:', `${report.learningS.toFixed(3)}s`),
  ];
  for (const [tag, { label, digits }] of Object.entries(LABELED)) {
    const value = metrics.get(tag);
    if (value !== undefined) lines.push(line(label, number(value, digits)));
  }
  for (const [tag, value] of metrics) {
    if (tag in LABELED || HIDDEN.some((prefix) => tag.startsWith(prefix))) continue;
    lines.push(line(`${tag}:`, number(value, 4)));
  }
  lines.push(
    '-'.repeat(WIDTH),
    line('Iteration time:', `${(report.collectionS + report.learningS).toFixed(2)}s`),
    line('Time elapsed:', duration(report.elapsedS)),
    line('ETA:', duration(report.etaS)),
    '',
    '',
  );
  return lines.join('\n');
}

function line(label: string, value: string): string {
  return `${label.padStart(LABEL)} ${value}`;
}

/** Formats a number as Python does. */
function number(value: number, digits: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return value.toFixed(digits);
}

function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const part = (value: number) => String(value).padStart(2, '0');
  return `${part(Math.floor(whole / 3600))}:${part(Math.floor(whole / 60) % 60)}:${part(whole % 60)}`;
}
