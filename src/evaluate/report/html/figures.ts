import { escapeHtml } from '../../../core/escape-html.ts';
import { EVALUATION_METRICS, type EvaluationMetric } from '../../../protocol/evaluation-metrics.ts';

/** Success from which a condition is marked as good. */
export const MASTERED = 0.9;

/** Formats a number with U+2212 as minus sign. Returns a dash for a missing or not finite value. */
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

/** Returns the unit of a metric as formatted by `metricText`. */
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

/** Returns the CSS class that colours a success: good, fair or bad. The number is always shown beside the colour. */
export function successClass(success: number): 'good' | 'fair' | 'bad' {
  if (success >= MASTERED) return 'good';
  return success >= 0.5 ? 'fair' : 'bad';
}

/** Returns a table cell that sorts by a number. @param html content, already escaped */
export function numberCell(value: number | null, html: string, attributes = ''): string {
  return `<td class="n" data-v="${value === null || !Number.isFinite(value) ? '' : value}"${attributes}>${html}</td>`;
}

/** Returns a table cell that sorts by its text. */
export function textCell(text: string): string {
  return `<td>${escapeHtml(text)}</td>`;
}

/** Returns a table cell that shows a share as a bar behind its number. */
export function barCell(share: number, text: string, kind: string): string {
  const width = Number((100 * Math.min(1, Math.max(0, share))).toFixed(1));
  return numberCell(share, `<span class="bar ${kind}"><i style="width:${width}%"></i><b>${text}</b></span>`);
}

/** Returns the header cell of a sortable column: a title, and the unit below it. */
export function heading(title: string, unit = '', numeric = true): string {
  const more = unit === '' ? '' : ` <small>${escapeHtml(unit)}</small>`;
  return `<th scope="col"${numeric ? ' class="n"' : ''}><button type="button">${escapeHtml(title)}${more}</button></th>`;
}

/** Returns a table whose columns can be sorted by a click. @param caption for screen readers @param head and rows
 *  already HTML */
export function sortable(caption: string, head: readonly string[], rows: readonly string[]): string {
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table class="sortable"><caption class="hidden">${escapeHtml(caption)}</caption><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}
