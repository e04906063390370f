import { escapeHtml } from '../../../core/escape-html.ts';
import { EVALUATION_METRICS, METRIC_NAMES, metricOf } from '../../../protocol/evaluation-metrics.ts';
import type { Evaluation, GateResult, Summary } from '../../../protocol/schemas/evaluation.ts';
import { checkpointTitle } from '../report-data.ts';
import { barCell, heading, metricText, numberCell, sortable, successClass, textCell, unitText } from './figures.ts';
import { notFollowing } from './margins-part.ts';

/** Metrics that are shown above all tables. */
const KEY_METRICS = ['success', 'tracked_s', 'errors.body_pos', 'errors.joint_pos'] as const;

/** Returns the most important metrics of every checkpoint under the first condition, and what its joints say about
 *  it. */
export function keyFigures({ summary, protocol, joints }: Evaluation): string {
  const first = protocol.conditions[0]?.name;
  const cards = summary
    .filter(({ condition }) => condition === first)
    .map((row) => {
      const own = joints.filter(({ checkpoint, condition }) => checkpoint === row.checkpoint && condition === first);
      const figures = KEY_METRICS.map(
        (metric) =>
          `<div><dt>${EVALUATION_METRICS[metric].title}</dt><dd${metric === 'success' ? ` class="${successClass(row.success)}"` : ''}>${metricText(metric, metricOf(row, metric))} <small>${unitText(metric)}</small></dd></div>`,
      );
      return `<article class="card"><h3>${escapeHtml(checkpointTitle(row.checkpoint))} <small>${escapeHtml(row.condition)}, ${row.episodes} episodes</small></h3><dl>${figures.join('')}</dl>${notFollowing(own, row)}</article>`;
    });
  return `<div class="cards">${cards.join('')}</div>`;
}

/** Returns the table of all checkpoints and conditions. */
export function summaryTable({ summary }: Evaluation): string {
  return sortable(
    'Summary',
    [heading('Checkpoint', '', false), heading('Condition', '', false), heading('Episodes'), ...metricHeadings()],
    summary.map(
      (row) =>
        `<tr>${textCell(checkpointTitle(row.checkpoint))}${textCell(row.condition)}${numberCell(row.episodes, String(row.episodes))}${metricCells(row)}</tr>`,
    ),
  );
}

export function metricHeadings(): string[] {
  return METRIC_NAMES.map((metric) => heading(EVALUATION_METRICS[metric].title, unitText(metric)));
}

export function metricCells(row: Summary): string {
  return METRIC_NAMES.map((metric) => {
    const value = metricOf(row, metric);
    const text = metricText(metric, value);
    return metric === 'success' ? barCell(value, text, successClass(value)) : numberCell(value, text);
  }).join('');
}

/** Returns the list of gates with their results. */
export function gatePart(gate: readonly GateResult[] | null): string {
  if (gate === null || gate.length === 0) return '';
  const items = gate.map(({ checkpoint, metric, min, max, value, ok }) => {
    const bounds = [
      ...(min === undefined ? [] : [`at least ${min}`]),
      ...(max === undefined ? [] : [`at most ${max}`]),
    ];
    return `<li class="${ok ? 'good' : 'bad'}"><b>${ok ? '✓ passed' : '▲ missed'}</b> <code>${escapeHtml(metric)}</code> is ${Number(value.toPrecision(4))}, ${bounds.join(' and ')} <small>${escapeHtml(checkpointTitle(checkpoint))}</small></li>`;
  });
  return `<section><h2>Gates</h2><ul class="gates">${items.join('')}</ul></section>`;
}
