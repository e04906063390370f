import type { ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';

export type Curves = ReplyOf<RouteByKey['GET /api/curves']>;
export type CurveTab = 'key' | 'train' | 'errors' | 'rewards' | 'sampling' | 'loss' | 'all';

/** Curves of one compared run. */
export interface RunCurves {
  readonly label: string;
  /** index into the line colours, 0..7 */
  readonly colour: number;
  readonly curves: Curves;
}

export interface CurveLine {
  readonly label: string;
  readonly colour: number;
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
  /** true for a reference to compare with, which is drawn dashed and not smoothed */
  readonly baseline: boolean;
}

export interface CurveChart {
  readonly tag: string;
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly CurveLine[];
}

/** Tags of the key metrics, most important first. */
const KEY_TAGS = [
  'Train/mean_episode_length',
  'Train/mean_reward',
  'Eval/tracking',
  'Eval/mean_episode_length',
  'Eval/full_episodes',
  'Metrics/motion/error_body_pos',
  'Policy/mean_std',
  'Perf/total_fps',
];

const TITLES: Readonly<Record<string, readonly [title: string, unit: string]>> = {
  'Train/mean_episode_length': ['Episode length', 'steps'],
  'Train/mean_reward': ['Mean reward', 'per episode'],
  'Eval/tracking': ['Tracking, evaluated', ''],
  'Eval/mean_episode_length': ['Episode length, evaluated', 'steps'],
  'Eval/full_episodes': ['Full episodes, evaluated', 'share'],
  'Eval/error_body_pos': ['Body error, evaluated', 'm'],
  'Eval/error_joint_pos': ['Joint error, evaluated', 'rad'],
  'Metrics/motion/error_body_pos': ['Body error', 'm'],
  'Metrics/motion/error_joint_pos': ['Joint error', 'rad'],
  'Policy/mean_std': ['Action std', ''],
  'Policy/mean_noise_std': ['Action std', ''],
  'Perf/total_fps': ['Speed', 'env steps/s'],
  'Perf/collection_time': ['Collection', 's'],
  'Perf/learning_time': ['Learning', 's'],
  'Loss/kl': ['KL divergence', ''],
};

/** Tags of curves that are drawn as a baseline in the chart of another tag. */
const BASELINE = /^Eval\/zero_action_(.+)$/;

/** Returns title and unit of a tag: from the table if the tag is listed, otherwise the title is made from the last part
 *  of the tag. */
function titleOf(tag: string, name: string): readonly [title: string, unit: string] {
  const known = TITLES[tag];
  if (known !== undefined) return known;
  const words = name.replaceAll('_', ' ');
  return [words.charAt(0).toUpperCase() + words.slice(1), ''];
}

/** Makes the charts of several runs: one chart per tag, one line per run. The curve of zero action is drawn in the
 *  chart of the metric to which it is compared. The tab `key` is ordered by importance, other tabs in the order of the
 *  tags in the runs. */
export function chartsOf(runs: readonly RunCurves[], tab: CurveTab): readonly CurveChart[] {
  const charts = new Map<string, { title: string; unit: string; lines: CurveLine[] }>();
  const compared = runs.length > 1;
  for (const { label, colour, curves } of runs) {
    const tags = new Set(curves.series.map(({ tag }) => tag));
    for (const { tag, name, x, y } of curves.series) {
      const of = BASELINE.exec(tag)?.[1];
      const host = of !== undefined && tags.has(`Eval/${of}`) ? `Eval/${of}` : tag;
      const baseline = host !== tag;
      if (tab === 'key' && !KEY_TAGS.includes(host)) continue;
      const [title, unit] = titleOf(host, baseline ? (of ?? name) : name);
      const chart = charts.get(host) ?? { title, unit, lines: [] };
      charts.set(host, chart);
      const text = baseline ? (compared ? `${label}, zero action` : 'Zero action') : label;
      chart.lines.push({ label: text, colour, x, y, baseline });
    }
  }
  const order = (tag: string) => (tab === 'key' ? KEY_TAGS.indexOf(tag) : 0);
  return [...charts].map(([tag, chart]) => ({ tag, ...chart })).sort((a, b) => order(a.tag) - order(b.tag));
}

/** Returns the last finite value of a curve; null if it has none. */
export function lastOf(y: readonly (number | null)[]): number | null {
  return y.findLast((value) => value !== null && Number.isFinite(value)) ?? null;
}

/** Formats a number with three or four significant digits: `488`, `33.2`, `0.036`, `1.2e-5`. */
export function figure(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e7)) return value.toExponential(1).replace('-', '\u2212');
  const text =
    size >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(size >= 100 ? 4 : 3)));
  return text.replace('-', '\u2212');
}
