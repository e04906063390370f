import { Slices } from '../../core/slices.ts';
import { problemOf } from '../../core/validation.ts';
import { type ClipMarks, type MarkTable, marksFrom, StoredMarks } from './clip-marks.ts';

const HEAD = 'clips:\n';
/** Matches a line such as `  "walk": {"exclude": true}`. */
const LINE = /^ {2}("(?:[^"\\]|\\.)*"): (\{.*\})$/;

/** A `dataset.yaml` without its section `clips`, and the marks of that section. */
export interface SplitFile {
  readonly before: string;
  readonly after: string;
  /** number of lines in the section */
  readonly lines: number;
  readonly marks: MarkTable;
}

/** Reads the section `clips` if it is in the layout of {@link formatMarks}. Parses the lines as JSON, which is a
 *  subset of YAML: a tenth of a second for a hundred thousand clips, whereas the YAML parser takes seconds.
 *  @returns null if the section is absent or has another layout, and must be read by the YAML parser */
export async function splitMarks(text: string): Promise<SplitFile | null> {
  const start = text.startsWith(HEAD) ? 0 : text.indexOf(`\n${HEAD}`) + 1;
  if (start === 0 && !text.startsWith(HEAD)) return null;
  const marks = new Map<string, ClipMarks>();
  const slices = new Slices();
  let at = start + HEAD.length;
  let lines = 1;
  while (at < text.length && text[at] === ' ') {
    if (slices.due()) await slices.rest();
    const end = text.indexOf('\n', at);
    const entry = readLine(text.slice(at, end < 0 ? text.length : end));
    if (!entry || marks.has(entry.name)) return null;
    marks.set(entry.name, entry.marks);
    at = end < 0 ? text.length : end + 1;
    lines += 1;
  }
  return { before: text.slice(0, start), after: text.slice(at), lines, marks };
}

/** Formats the section `clips` of `dataset.yaml`: one clip per line, each in JSON. Returns an empty text without
 *  marks. */
export async function formatMarks(marks: MarkTable): Promise<string> {
  if (marks.size === 0) return '';
  const slices = new Slices();
  const parts = [HEAD];
  for (const [name, of] of marks) {
    if (slices.due()) await slices.rest();
    parts.push(`  ${JSON.stringify(name)}: {${fieldsOf(of).join(', ')}}\n`);
  }
  return parts.join('');
}

function fieldsOf({ exclude, weight, tags, ignore }: ClipMarks): string[] {
  return [
    ...(exclude ? ['"exclude": true'] : []),
    ...(weight === 1 ? [] : [`"weight": ${weight}`]),
    ...(tags.length === 0 ? [] : [`"tags": ${JSON.stringify(tags)}`]),
    ...(ignore.length === 0 ? [] : [`"ignore": ${JSON.stringify(ignore)}`]),
  ];
}

function readLine(line: string): { readonly name: string; readonly marks: ClipMarks } | null {
  const [, key, value] = LINE.exec(line) ?? [];
  if (key === undefined || value === undefined) return null;
  try {
    const stored: unknown = JSON.parse(value);
    return problemOf(StoredMarks, stored) === null
      ? { name: JSON.parse(key) as string, marks: marksFrom(stored as StoredMarks) }
      : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null; // valid YAML that this program did not write: it is read in full instead
    throw error;
  }
}
