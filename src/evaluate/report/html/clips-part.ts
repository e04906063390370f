import { escapeHtml } from '../../../core/escape-html.ts';
import type { Row } from '../../../protocol/schemas/evaluation.ts';
import type { EpisodeResult } from '../../episode-result.ts';
import type { EpisodeGroup, ReportData } from '../report-data.ts';
import { clockText, fixed, heading, numberCell, sortable, textCell } from './figures.ts';
import { metricCells, metricHeadings } from './summary-part.ts';

/** Height of the lane of an episode in the failure map, px. */
const LANE = 6;

/** Returns the failure map: a time line for every clip, with a horizontal lane for every episode. A lane begins at the
 *  start of its episode; a mark shows its failure. */
export function failureMap({ evaluation, clips }: ReportData, group: EpisodeGroup, rows: readonly Row[]): string {
  const { control_hz: hz } = evaluation.protocol;
  const byClip = new Map<string, EpisodeResult[]>();
  for (const episode of group.episodes) {
    const name = clips[episode.clip] ?? '';
    byClip.set(name, [...(byClip.get(name) ?? []), episode]);
  }
  const longest = Math.max(1, ...group.episodes.map(({ start, possible }) => start + possible));
  const lines = rows.flatMap(({ clip, success }) => {
    const episodes = byClip.get(clip);
    if (episodes === undefined) return [];
    const end = Math.max(...episodes.map(({ start, possible }) => start + possible));
    const failures = episodes.filter(({ failure }) => failure !== null).length;
    const label = `${clip}: ${failures} of ${episodes.length} episodes fail`;
    return `<div class="map-row"><span class="map-name" title="${escapeHtml(clip)}">${escapeHtml(clip)}</span><svg role="img" aria-label="${escapeHtml(label)}" width="100%" height="${LANE * episodes.length + 2}" viewBox="0 0 1000 ${LANE * episodes.length + 2}" preserveAspectRatio="none"><rect class="map-clip" width="${(1000 * end) / longest}" height="${LANE * episodes.length + 2}"/>${episodes.map((episode, lane) => laneMarks(episode, lane, { longest, hz })).join('')}</svg><span class="map-figure">${fixed(100 * success, 0)} %</span></div>`;
  });
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => `<span>${clockText((share * longest) / hz)}</span>`);
  return `<div class="map">${lines.join('')}<div class="map-row map-axis"><span></span><div>${ticks.join('')}</div><span></span></div></div>`;
}

function laneMarks(
  { start, steps, possible, failure }: EpisodeResult,
  lane: number,
  { longest, hz }: { readonly longest: number; readonly hz: number },
): string {
  const x = (frame: number) => Number(((1000 * frame) / longest).toFixed(2));
  const y = lane * LANE + 2;
  const tracked = `<rect class="map-tracked" x="${x(start)}" y="${y}" width="${Math.max(1, x(steps))}" height="${LANE - 2}"/>`;
  if (failure === null) return tracked;
  const why = failure.subject === null ? failure.term : `${failure.term}, ${failure.subject}`;
  const missed = `<rect class="map-missed" x="${x(start + steps)}" y="${y}" width="${Math.max(0, x(possible - steps))}" height="${LANE - 2}"/>`;
  const title = `from ${clockText(start / hz)}: fails at ${clockText(failure.frame / hz)}: ${why}`;
  return `${tracked}${missed}<rect class="map-failure" x="${Math.max(0, x(failure.frame) - 2)}" y="${y - 1}" width="5" height="${LANE}"><title>${escapeHtml(title)}</title></rect>`;
}

/** Returns the table of clips with the worst episode of each. */
export function clipsTable({ evaluation }: ReportData, rows: readonly Row[]): string {
  const { control_hz: hz } = evaluation.protocol;
  return sortable(
    'Clips',
    [
      heading('Clip', '', false),
      heading('Worst start'),
      heading('Fails at'),
      heading('Cause', '', false),
      heading('Diverged first', '', false),
      ...metricHeadings(),
    ],
    rows.map((row) => {
      const { start, failed, term, subject, value, limit, unit } = row.worst;
      const of = unit == null ? '' : ` ${escapeHtml(unit)}`;
      const measured =
        value === null ? '' : `${fixed(value, 2)}${of}${limit === null ? '' : `, limit ${fixed(limit, 2)}${of}`}`;
      return `<tr><th scope="row">${escapeHtml(row.clip)}</th>${numberCell(start, clockText(start / hz))}${numberCell(failed, failed === null ? '–' : clockText(failed / hz))}${textCell(term ?? '–')}<td>${subject === null ? '–' : `${escapeHtml(subject)}<small>${measured}</small>`}</td>${metricCells(row)}</tr>`;
    }),
  );
}
