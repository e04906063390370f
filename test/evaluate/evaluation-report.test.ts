import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { evaluationReport } from '../../src/evaluate/report/evaluation-report.ts';
import { METRIC_NAMES } from '../../src/protocol/evaluation-metrics.ts';
import { reportData } from '../support/report-data.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"\'&';

/** Reads CSV with quoted cells (RFC 4180). */
function parseCsv(text: string): Record<string, string>[] {
  const rows = text
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
      ),
    );
  const [header = [], ...lines] = rows;
  return lines.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ''])));
}

describe('the HTML report', () => {
  const html = evaluationReport(reportData(), 'html');

  test('the HTML report loads nothing and runs only its own script', () => {
    expect(html).not.toMatch(/\b(?:src|href)=|@import|url\(/);
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(html) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(html).toContain(`script-src &#39;sha256-${hash}&#39;`);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/ on\w+=/);
  });

  test('the HTML report shows gates, robustness with the value at which it breaks, and a lane for every episode', () => {
    expect(html).toContain('▲ missed');
    expect(html).toMatch(/<code>friction<\/code>.*▲ 0\.6/);
    // Settings that are no numbers are listed, too: success of the first checkpoint under `integrator=euler`.
    expect(html).toContain('<code>integrator</code>');
    expect(html.match(/class="map-tracked"/g)).toHaveLength(2 * 4 * 3 * 4);
    const failures = reportData().groups.flatMap(({ episodes }) => episodes.filter(({ failure }) => failure !== null));
    expect(html.match(/class="map-failure"/g)).toHaveLength(failures.length);
    expect(html).toContain('fails at 0:00.80: ee_body_pos, left_ankle');
    expect(html).toContain('Does not follow its reference: left_ankle_pitch (0.10)');
  });

  test('names the failure of a clip right after the clip, with units', () => {
    const data = reportData();
    const [row] = data.evaluation.clips;
    Object.assign(row!.worst, { failed: 40, term: 'ee_body_pos', subject: 'left_knee', value: 1.636, limit: 0.6 });
    Object.assign(row!.worst, { unit: 'rad' });
    const own = evaluationReport(data, 'html');
    expect(own).toContain('left_knee<small>1.64 rad, limit 0.60 rad</small>');
    const [, heads = ''] = /<caption class="hidden">Clips<\/caption><thead>(.*?)<\/thead>/.exec(own) ?? [];
    expect(heads.indexOf('Diverged first')).toBeLessThan(heads.indexOf('Success'));
  });

  test('joints without a limit have a dash, no share of 0 %', () => {
    const data = reportData();
    for (const joint of data.evaluation.joints) Object.assign(joint, { speed_peak: 0 });
    const own = evaluationReport(data, 'html');
    const rows = /<caption class="hidden">Margins of the joints<\/caption>.*?<\/table>/.exec(own)?.[0] ?? '';
    expect(rows.match(/<td class="n" data-v="">–<\/td><td class="n" data-v="120">/g)).toHaveLength(1);
  });

  test('a switch that a condition turns on reads as on', () => {
    const data = reportData();
    // The second condition, a value of friction, is taken for pushes.
    const conditions = data.evaluation.protocol.conditions.map((condition, at) =>
      at === 1 ? { name: condition.name, pushes: true } : condition,
    );
    Object.assign(data.evaluation.protocol, { conditions });
    expect(evaluationReport(data, 'html')).toMatch(/<code>pushes<\/code>.*<small>on<\/small>/);
  });

  test('a name with markup is shown as text in the HTML report', () => {
    const hostile = evaluationReport(reportData({ clips: [HOSTILE], run: HOSTILE }), 'html');
    expect(hostile).not.toContain('<img');
    expect(hostile).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
  });

  test('the HTML report of an evaluation without results says so and is a valid document', () => {
    const { evaluation } = reportData();
    const empty = {
      ...evaluation,
      status: 'stopped' as const,
      summary: [],
      clips: [],
      joints: [],
      robustness: [],
      gate: null,
    };
    const text = evaluationReport({ evaluation: empty, clips: [], groups: [] }, 'html');
    expect(text).toContain('The evaluation is stopped, so results are missing.');
    expect(text).toMatch(/<\/html>\n$/);
  });
});

describe('the CSV report', () => {
  const data = reportData();
  const lines = parseCsv(evaluationReport(data, 'csv'));
  const kind = (name: string) => lines.filter((line) => line['kind'] === name);

  test('the CSV report has a line for every summary, clip, episode, joint, robustness value and gate', () => {
    const { evaluation, groups } = data;
    expect(kind('summary')).toHaveLength(evaluation.summary.length);
    expect(kind('clip')).toHaveLength(evaluation.clips.length);
    expect(kind('episode')).toHaveLength(groups.flatMap(({ episodes }) => episodes).length);
    expect(kind('joint')).toHaveLength(evaluation.joints.length);
    expect(kind('robustness')).toHaveLength(2);
    expect(kind('gate').map(({ ok }) => ok)).toEqual(['true', 'false']);
    expect(lines).toHaveLength(8 + 24 + 96 + 24 + 2 + 2);
  });

  test('the CSV report has every metric with full precision', () => {
    const [first] = kind('summary');
    for (const metric of METRIC_NAMES) expect(first?.[metric], metric).toMatch(/^\d/);
    expect(Number(first?.['errors.body_pos'])).toBe(data.evaluation.summary[0]!.errors.body_pos);
    const failed = kind('episode').find(({ success }) => success === '0');
    expect(failed).toMatchObject({ term: 'ee_body_pos', subject: 'left_ankle', value: '0.31', limit: '0.3' });
    expect(Number(failed?.['failed_s'])).toBe(Number(failed?.['failed']) / 50);
  });

  test('the CSV report quotes separators, and a name that begins like a formula does not become one', () => {
    const odd = parseCsv(evaluationReport(reportData({ clips: ['a,"b"', '=1+1', '@x'] }), 'csv'));
    expect(new Set(odd.filter((line) => line['kind'] === 'clip').map(({ clip }) => clip))).toEqual(
      new Set(['a,"b"', "'=1+1", "'@x"]),
    );
  });
});

test('the JSON report is the evaluation with its episodes', () => {
  const data = reportData();
  const read = JSON.parse(evaluationReport(data, 'json')) as Record<string, unknown>;
  expect(read).toMatchObject({ ...data.evaluation, clip_names: data.clips });
  expect(read['episodes']).toEqual(data.groups);
});
