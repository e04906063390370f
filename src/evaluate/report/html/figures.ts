import { escapeHtml } from '../../../core/escape-html.ts';
import { EVALUATION_METRICS, type EvaluationMetric } from '../../../protocol/evaluation-metrics.ts';

/** Success from which on a condition counts as mastered. */
export const MASTERED = 0.9;

/** Formats a number with U+2212 for minus. Values that are not finite, or missing, give a dash. */
export function fixed(value: number | null, decimals: number): string {
  if (value === null || !Number.isFinite(value)) return '–';
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : text.replace('-', '\u2212');
}

/** Formats a metric without its unit; shares in percent. */
export function metricText(metric: EvaluationMetric, value: number): string {
  const { unit, decimals } = EVALUATION_METRICS[metric];
  return fixed(unit === 'share' ? 100 * value : value, decimals);
}

/** The unit of a metric as in `metricText`. */
export function unitText(metric: EvaluationMetric): string {
  const { unit } = EVALUATION_METRICS[metric];
  return unit === 'share' ? '%' : unit;
}

/** Formats a time in a clip: `0:07.24`. @param seconds ≥ 0 */
export function clockText(seconds: number): string {
  const hundredths = Math.round(100 * seconds);
  const rest = (hundredths % 6000) / 100;
  return `${Math.floor(hundredths / 6000)}:${rest.toFixed(2).padStart(5, '0')}`;
}

/** Returns the class that colours a success: good, fair or bad; the figure stands beside it. */
export function successClass(success: number): 'good' | 'fair' | 'bad' {
  if (success >= MASTERED) return 'good';
  return success >= 0.5 ? 'fair' : 'bad';
}

/** A table cell that sorts by a number. @param html already escaped */
export function numberCell(value: number | null, html: string, attributes = ''): string {
  return `<td class="n" data-v="${value === null || !Number.isFinite(value) ? '' : value}"${attributes}>${html}</td>`;
}

/** A table cell that sorts by its text. */
export function textCell(text: string): string {
  return `<td>${escapeHtml(text)}</td>`;
}

/** A share as a bar behind its figure. */
export function barCell(share: number, text: string, kind: string): string {
  const width = Number((100 * Math.min(1, Math.max(0, share))).toFixed(1));
  return numberCell(share, `<span class="bar ${kind}"><i style="width:${width}%"></i><b>${text}</b></span>`);
}

/** A column of a sortable table: a title, and the unit below it. */
export function heading(title: string, unit = '', numeric = true): string {
  const more = unit === '' ? '' : ` <small>${escapeHtml(unit)}</small>`;
  return `<th scope="col"${numeric ? ' class="n"' : ''}><button type="button">${escapeHtml(title)}${more}</button></th>`;
}

/** A table whose columns sort by a click. @param caption for screen readers  @param head and rows already HTML */
export function sortable(caption: string, head: readonly string[], rows: readonly string[]): string {
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table class="sortable"><caption class="hidden">${escapeHtml(caption)}</caption><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}
