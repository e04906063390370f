import type { Clip, ClipScore, Preview } from '../../protocol/schemas/data.ts';
import { type ClipMarks, isIgnored } from '../marks/clip-marks.ts';
import type { ClipQuality } from './clip-quality.ts';

type Summary = NonNullable<Clip['qa']>;
type Severity = Exclude<Summary['worst'], 'ok'>;

/** Number of issues with the same kind, severity and body (or null). */
type Group = readonly [kind: string, severity: Severity, body: string | null, count: number];

/** What the checks found in a clip, in the form stored by the index. It is small, because a hundred thousand of them
 *  are kept in memory. */
export interface ClipFindings {
  /** {@link Group}s as JSON */
  readonly found: string;
  readonly score: ClipScore | null;
}

/** Returns the check results of a clip as the preview shows them. Ignored issues come last. */
export function previewQa({ issues }: ClipQuality, marks: ClipMarks): NonNullable<Preview['qa']> {
  const shown = issues.map(({ body = null, ...issue }) => ({
    ...issue,
    body,
    ignored: isIgnored(marks, issue.kind, body),
  }));
  return {
    ok: shown.every(({ severity, ignored }) => ignored || severity === 'info'),
    issues: shown.sort((a, b) => Number(a.ignored) - Number(b.ignored)),
  };
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];
const NOTHING: Summary = { worst: 'ok', issues: 0 };

/** Returns the findings to store; null for a file that cannot be checked. */
export function findingsOf({ issues, score, error }: ClipQuality): ClipFindings | null {
  if (error !== null) return null;
  const groups = new Map<string, [string, Severity, string | null, number]>();
  for (const { kind, severity, body = null } of issues) {
    const key = JSON.stringify([kind, severity, body]);
    const group = groups.get(key) ?? [kind, severity, body, 0];
    group[3] += 1;
    groups.set(key, group);
  }
  return { found: JSON.stringify([...groups.values()]), score };
}

/** Returns the check results as a listing shows them, without ignored issues. */
export function summaryOf({ found }: ClipFindings, marks: ClipMarks): Summary {
  const counted = countedIn(found, marks);
  if (counted.length === 0) return NOTHING;
  return {
    worst: SEVERITIES.find((severity) => counted.some((group) => group[1] === severity)) ?? 'info',
    issues: counted.reduce((sum, group) => sum + group[3], 0),
  };
}

/** Returns true if the clip has an issue of this kind or severity that is not ignored. */
export function hasFinding({ found }: ClipFindings, marks: ClipMarks, kindOrSeverity: string): boolean {
  // This test of the text decides most clips without parsing the JSON.
  if (!found.includes(`"${kindOrSeverity}"`)) return false;
  return countedIn(found, marks).some(([kind, severity]) => kind === kindOrSeverity || severity === kindOrSeverity);
}

function countedIn(found: string, marks: ClipMarks): readonly Group[] {
  if (found === '[]') return [];
  const groups = JSON.parse(found) as Group[];
  return marks.ignore.length === 0 ? groups : groups.filter(([kind, , body]) => !isIgnored(marks, kind, body));
}
