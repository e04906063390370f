import { METRIC_NAMES, metricOf } from '../../protocol/evaluation-metrics.ts';
import type { ReportData } from './report-data.ts';

type Cell = string | number | boolean | null;
type Line = Readonly<Record<string, Cell>>;

/** Columns of the table, with the kinds of lines that use them. */
const COLUMNS = [
  ...['kind', 'checkpoint', 'condition', 'clip', 'episodes', ...METRIC_NAMES],
  ...['start_s', 'end_s', 'failed', 'failed_s', 'term', 'subject', 'value', 'limit', 'unit'],
  ...[
    'joint',
    'torque_peak',
    'torque_rms',
    'saturated',
    'speed_peak',
    'power_peak',
    'follows',
    'exchanged_with',
    'heat',
  ],
  ...['field', 'field_value', 'breaks_at', 'metric', 'min', 'max', 'ok'],
];

/** Formats an evaluation as one CSV table (RFC 4180) with a header. `kind` states what a line describes: `summary`,
 *  `clip`, `episode`, `joint`, `robustness` or `gate`; cells that a kind does not have are empty. Times are seconds of
 *  the clip. Texts that a spreadsheet would run as formulas begin with an apostrophe. */
export function reportCsv(data: ReportData): string {
  const lines = [...summaryLines(data), ...episodeLines(data), ...otherLines(data)];
  const text = lines.map((line) => COLUMNS.map((column) => cellText(line[column] ?? null)).join(','));
  return `${[COLUMNS.join(','), ...text].join('\r\n')}\r\n`;
}

function summaryLines({ evaluation: { summary, clips, protocol } }: ReportData): Line[] {
  const metrics = (row: (typeof summary)[number]) => ({
    checkpoint: row.checkpoint,
    condition: row.condition,
    episodes: row.episodes,
    ...Object.fromEntries(METRIC_NAMES.map((name) => [name, metricOf(row, name)])),
  });
  return [
    ...summary.map((row) => ({ kind: 'summary', ...metrics(row) })),
    ...clips.map((row) => {
      const { start, failed, term, subject, value, limit, unit } = row.worst;
      const failedS = failed === null ? null : failed / protocol.control_hz;
      return {
        ...{ kind: 'clip', clip: row.clip, ...metrics(row), start_s: start / protocol.control_hz },
        ...{ failed, failed_s: failedS, term, subject, value, limit, unit },
      };
    }),
  ];
}

function episodeLines({ evaluation, clips, groups }: ReportData): Line[] {
  const { control_hz: hz } = evaluation.protocol;
  return groups.flatMap(({ checkpoint, condition, episodes }) =>
    episodes.map(({ clip, start, possible, steps, failure }) => ({
      ...{ kind: 'episode', checkpoint, condition, clip: clips[clip] ?? null, success: failure === null ? 1 : 0 },
      ...{
        tracked_s: steps / hz,
        tracked_share: steps / possible,
        start_s: start / hz,
        end_s: (start + possible) / hz,
      },
      ...(failure && { ...failure, failed: failure.frame, failed_s: failure.frame / hz }),
    })),
  );
}

function otherLines({ evaluation: { joints, robustness, gate } }: ReportData): Line[] {
  return [
    ...joints.map((joint) => ({ kind: 'joint', ...joint })),
    ...robustness.flatMap(({ field, values, success, breaks_at: breaksAt }) =>
      values.map((value, k) => ({
        ...{ kind: 'robustness', field, field_value: value, success: success[k] ?? null, breaks_at: breaksAt },
      })),
    ),
    ...(gate ?? []).map(({ value, ...result }) => ({ kind: 'gate', ...result, value })),
  ];
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
