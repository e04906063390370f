import { escapeHtml } from '../../../core/escape-html.ts';
import { settingUnit, variedSetting } from '../../../protocol/condition-words.ts';
import type { Evaluation } from '../../../protocol/schemas/evaluation.ts';
import { checkpointTitle } from '../report-data.ts';
import { fixed, MASTERED, successClass } from './figures.ts';

interface Varied {
  readonly value: string;
  readonly success: number;
}

/** Returns the table of conditions that vary a single setting: success of the first checkpoint at each value, and the
 *  value at which the success falls below 90 %. */
export function robustnessPart({ protocol, summary, robustness }: Evaluation): string {
  const checkpoint = protocol.checkpoints[0] ?? '';
  const success = new Map(
    summary.filter((row) => row.checkpoint === checkpoint).map((row) => [row.condition, row.success]),
  );
  const fields = new Map<string, Varied[]>();
  for (const condition of protocol.conditions) {
    const varied = variedSetting(condition);
    const reached = success.get(condition.name);
    if (varied === null || reached === undefined) continue;
    const list = fields.get(varied.field) ?? [];
    fields.set(varied.field, [...list, { value: varied.value, success: reached }]);
  }
  if (fields.size === 0) return '';
  const breaks = new Map(robustness.map(({ field, breaks_at: at }) => [field, at]));
  const rows = [...fields].map(([field, values]) => {
    const cells = values.map(
      ({ value, success: share }) =>
        `<span class="chip ${successClass(share)}"><small>${escapeHtml(value)}</small><b>${fixed(100 * share, 0)} %</b></span>`,
    );
    const first = values.find((one) => one.success < MASTERED)?.value ?? null;
    const at = breaks.get(field) ?? first;
    const verdict =
      at === null ? '<span class="good">✓ never</span>' : `<b class="bad">▲ ${escapeHtml(String(at))}</b>`;
    return `<tr><th scope="row"><code>${escapeHtml(field)}</code> <small>${settingUnit(field)}</small></th><td><div class="chips">${cells.join('')}</div></td><td>${verdict}</td></tr>`;
  });
  return `<section><h2>Robustness</h2><p>One setting varied at a time, for ${escapeHtml(checkpointTitle(checkpoint))}. Each field shows the value and the success. The last column names the first value with a success below 90 %.</p><div class="scroll" tabindex="0" role="region" aria-label="Robustness"><table><thead><tr><th scope="col">Setting</th><th scope="col">Success at each value</th><th scope="col">Falls below 90 % at</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`;
}
