import type { Static, TSchema } from 'typebox';
import { isMap, isNode, isPair, isSeq, LineCounter, type Node, parseDocument, stringify } from 'yaml';
import { badInput, StudioError } from './errors.ts';
import { readSmallFile } from './files/bounded-file.ts';
import { placeOf, problemOf } from './validation.ts';

const MAX_BYTES = 1 << 20;
const MAX_BRACKETS = 100;
const MAX_INDENT = 200;
const MAX_DASHES = 20;
/** Default limit of aliases in a file. Files written by people contain few. */
const MAX_ALIASES = 100;

/** A YAML text with the line of every key, for messages. */
export class YamlText {
  /** The parsed value: plain objects, lists, strings, numbers, booleans or null. Null also for an empty text. */
  readonly value: unknown;
  readonly #file: string;
  readonly #root: Node | null;
  readonly #lines: LineCounter;

  /** @param file name of the file in messages, such as `studio.yaml`
   *  @param maxAliases most values that aliases may expand to, including nested ones  @param maxBytes limit of the text
   *  @throws bad_input naming the line  @throws too_large */
  constructor(text: string, file: string, maxAliases = MAX_ALIASES, maxBytes = MAX_BYTES) {
    this.#file = file;
    refuseDeep(text, file, maxBytes);
    this.#lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, logLevel: 'error' });
    const error = document.errors[0];
    if (error) throw badInput(`${file}:${this.#lines.linePos(error.pos[0]).line}: ${error.message}`);
    this.#root = document.contents;
    try {
      this.value = document.toJS({ maxAliasCount: maxAliases }) as unknown;
    } catch (cause) {
      // The cause is an unknown alias, or aliases that expand without limit.
      throw new StudioError('bad_input', `${file}: ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause,
      });
    }
  }

  /** Returns the value if it is valid under `schema`. An empty text is read as `{}`.
   *  @throws bad_input `studio.yaml:7: stream.fps: must be a number > 0` */
  check<S extends TSchema>(schema: S): Static<S> {
    const value = this.value ?? {};
    const problem = problemOf(schema, value);
    if (problem) throw this.problemAt(problem.path, problem.text);
    return value as Static<S>;
  }

  /** Makes the error for a problem at `path`. */
  problemAt(path: readonly string[], text: string): StudioError {
    return badInput(`${this.#file}:${this.lineOf(path)}: ${path.length > 0 ? `${placeOf(path, '')}: ` : ''}${text}`);
  }

  /** Returns the line, from 1, of the key at `path`, or of the deepest part of `path` that exists. */
  lineOf(path: readonly string[]): number {
    let node: unknown = this.#root;
    let at = this.#root?.range?.[0] ?? 0;
    for (const part of path) {
      if (isMap(node)) {
        const pair = node.items.find((item) => isPair(item) && keyText(item.key) === part);
        if (!pair) break;
        if (isNode(pair.key)) at = pair.key.range?.[0] ?? at;
        node = pair.value;
      } else if (isSeq(node)) {
        const item = node.items[Number(part)];
        if (!isNode(item)) break;
        at = item.range?.[0] ?? at;
        node = item;
      } else break;
    }
    return this.#lines.linePos(at).line || 1;
  }
}

/** Reads a YAML file from an untrusted source.
 *  @throws bad_input, too_large; ENOENT for a missing file, as the system reports it */
export async function readYaml(path: string, file: string, maxAliases?: number): Promise<YamlText> {
  return new YamlText(await readUtf8(path, MAX_BYTES, file), file, maxAliases);
}

/** Reads a text file from an untrusted source. @throws as {@link readYaml} */
export async function readUtf8(path: string, maxBytes: number, file: string): Promise<string> {
  const bytes = await readSmallFile(path, maxBytes, file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new StudioError('bad_input', `${file}: is not UTF-8 text`, { cause });
  }
}

/** Sets one value in a YAML text. Keeps its comments and all other values.
 *  @param text valid YAML with a map at its root, or empty  @param path keys to the value; maps are created as needed
 *  @throws bad_input as `YamlText` */
export function changeYaml(text: string, file: string, path: readonly string[], value: unknown): string {
  new YamlText(text, file); // The constructor refuses deep nesting, which would overflow the stack of the parser.
  const document = parseDocument(text);
  document.setIn(path, document.createNode(value));
  return document.toString({ lineWidth: 120 });
}

export function formatYaml(value: unknown): string {
  return stringify(value, { lineWidth: 120 });
}

function keyText(key: unknown): string | null {
  const value = isNode(key) ? (key as { value?: unknown }).value : key;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Refuses deep nesting before parsing, by counting brackets and indentation in the text. The parser recurses, so deep
 *  nesting overflows its stack, and repeated overflows abort the whole process, which a handler cannot catch. Quotes
 *  are ignored here; this makes the limit too strict only for files that people do not write. */
function refuseDeep(text: string, file: string, maxBytes: number): void {
  if (text.length > maxBytes) throw tooLarge(file, maxBytes);
  let brackets = 0;
  let line = 1;
  for (const row of text.split('\n')) {
    const indent = row.length - row.trimStart().length;
    const dashes = /^(?:\s*[-?]\s)+/.exec(row)?.[0].replaceAll(/\s/g, '').length ?? 0;
    for (const letter of row) {
      if (letter === '[' || letter === '{') brackets += 1;
      else if (letter === ']' || letter === '}') brackets = Math.max(0, brackets - 1);
      if (brackets > MAX_BRACKETS) break;
    }
    if (brackets > MAX_BRACKETS || indent > MAX_INDENT || dashes > MAX_DASHES)
      throw badInput(`${file}:${line}: is nested too deeply`);
    line += 1;
  }
}

function tooLarge(file: string, maxBytes: number): StudioError {
  return new StudioError('too_large', `${file}: is larger than ${maxBytes >> 20} MiB`);
}
