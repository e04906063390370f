import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../core/escape-html.ts';
import type { Evaluation } from '../../../protocol/schemas/evaluation.ts';
import { checkpointTitle, type EpisodeGroup, type ReportData } from '../report-data.ts';
import { clipsTable, failureMap } from './clips-part.ts';
import { marginsTable, notFollowing } from './margins-part.ts';
import { protocolPart } from './protocol-part.ts';
import { robustnessPart } from './robustness-part.ts';
import { REPORT_SCRIPT } from './script.ts';
import { REPORT_STYLE } from './style.ts';
import { gatePart, keyFigures, summaryTable } from './summary-part.ts';

/** Number of rows of clips in a report from which all groups but the first list only clips with failures. */
const MANY_ROWS = 10_000;

/** Content security policy of the report: only its own script may run, even if a name contains markup, and nothing may
 *  be loaded. */
export const REPORT_POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(REPORT_SCRIPT).digest('base64')}'`;

/** Formats an evaluation as one HTML document that loads nothing: sortable tables, failure map, robustness, margins and
 *  protocol. It can be opened from a file and printed, and uses the light or dark theme of the reader's system. */
export function reportHtml(data: ReportData): string {
  const { evaluation } = data;
  const { name, run, created, protocol } = evaluation;
  const facts = `${run} · ${protocol.clips} clips × ${protocol.starts} starts × ${protocol.conditions.length} conditions · ${created.slice(0, 16).replace('T', ' ')} UTC`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${escapeHtml(REPORT_POLICY)}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>Evaluation ${escapeHtml(name)}</title><style>${REPORT_STYLE}</style></head>
<body><main><header><h1>Evaluation ${escapeHtml(name)}</h1><p>${escapeHtml(facts)}</p>${unfinished(evaluation)}</header>
${keyFigures(evaluation)}
${gatePart(evaluation.gate)}
<section><h2>Summary</h2>${summaryTable(evaluation)}</section>
${robustnessPart(evaluation)}
${groupsPart(data)}
${protocolPart(evaluation)}
</main><script>${REPORT_SCRIPT}</script></body></html>
`;
}

function unfinished({ status }: Evaluation): string {
  return status === 'done' ? '' : `<p class="bad">▲ The evaluation is ${status}, so results are missing.</p>`;
}

/** Returns the failure map, clips and margins of every checkpoint and condition. The page shows one of these groups at
 *  a time. */
function groupsPart(data: ReportData): string {
  const { groups, evaluation } = data;
  if (groups.length === 0) return '';
  const { protocol } = evaluation;
  const whole = groups.length * protocol.clips <= MANY_ROWS;
  const key = ({ checkpoint, condition }: Omit<EpisodeGroup, 'episodes'>) =>
    `${protocol.checkpoints.indexOf(checkpoint)} ${protocol.conditions.findIndex(({ name }) => name === condition)}`;
  const parts = groups.map((group, at) => {
    const { checkpoint, condition } = group;
    const isOwn = (row: { readonly checkpoint: string; readonly condition: string }) =>
      row.checkpoint === checkpoint && row.condition === condition;
    const rows = evaluation.clips.filter((row) => isOwn(row) && (whole || at === 0 || row.success < 1));
    const note =
      whole || at === 0
        ? ''
        : '<p>Only clips with failures are listed. The CSV and JSON reports contain all clips.</p>';
    return `<div data-group="${key(group)}"${at === 0 ? '' : ' hidden'}>${note}<section><h2>Failures over time</h2>${failureMap(data, group, rows)}${LEGEND}</section><section><h2>Clips</h2>${clipsTable(data, rows)}</section><section><h2>Margins of the joints</h2>${notFollowing(evaluation.joints.filter(isOwn), evaluation.summary.find(isOwn))}${marginsTable(evaluation.joints.filter(isOwn))}</section></div>`;
  });
  return `<div class="groups">${picker(evaluation)}${parts.join('')}</div>`;
}

const LEGEND =
  '<div class="legend"><span><i style="background:var(--accent);opacity:.55"></i>tracked</span><span><i style="background:var(--bad)"></i>failure</span><span><i style="background:var(--bad);opacity:.22"></i>not played after the failure</span></div>';

/** Returns selection lists for checkpoint and condition; nothing if there is only one of each. */
function picker({ protocol: { checkpoints, conditions } }: Evaluation): string {
  if (checkpoints.length * conditions.length < 2) return '';
  const options = (names: readonly string[]) =>
    names.map((name, at) => `<option value="${at}">${escapeHtml(name)}</option>`).join('');
  return `<div class="pick"><label for="checkpoint">Checkpoint</label><select id="checkpoint">${options(checkpoints.map(checkpointTitle))}</select><label for="condition">Condition</label><select id="condition">${options(conditions.map(({ name }) => name))}</select></div>`;
}
