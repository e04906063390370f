/** Matches a key of a block mapping at the start of a line. Quoted keys, merges and tags need the full parser. */
const KEY = /^([A-Za-z_]\w*):(?=\s|$)(.*)$/;

interface Block {
  readonly line: string;
  readonly below: string[];
  /** keys to keep inside the block; null: all keys */
  readonly inner: readonly string[] | null;
}

/** Extracts the lines of some keys from the text of a block mapping, so that a large parameters file need not be parsed
 *  for a few of its values. In a valid file, all lines between two keys of the same indentation belong to the first of
 *  them. Damage in other lines is not noticed, so this does not replace reading the whole file. @param paths keys
 *  joined by dots, such as `commands.motion` @returns a text with only these keys; null if the text has another
 *  structure */
export function cutYaml(text: string, paths: readonly string[]): string | null {
  return cutLines(text.split('\n'), paths)?.join('\n') ?? null;
}

function cutLines(lines: readonly string[], paths: readonly string[]): string[] | null {
  const first = lines.find((line) => !isBlank(line));
  if (first === undefined) return [];
  const indent = indentOf(first);
  const blocks = new Map<string, Block>();
  let block: Block | null = null;
  let begun = false;
  for (const line of lines) {
    const content = isBlank(line) ? null : line.slice(indent);
    if (content !== null && indentOf(line) < indent) return null;
    if (content === null || (begun && (content.startsWith(' ') || content.startsWith('- ')))) {
      block?.below.push(line);
      continue;
    }
    const [, key, value] = KEY.exec(content) ?? [];
    if (key === undefined || blocks.has(key)) return null;
    begun = true;
    const wanted = paths.filter((path) => path === key || path.startsWith(`${key}.`));
    block = wanted.length === 0 ? null : { line, below: [], inner: innerOf(wanted, key, value ?? '') };
    if (block) blocks.set(key, block);
  }
  return joined([...blocks.values()]);
}

/** Returns the paths to keep inside a block; null if all of it is kept or its value begins in the line of the key. */
function innerOf(wanted: readonly string[], key: string, value: string): readonly string[] | null {
  return value.trim() !== '' || wanted.includes(key) ? null : wanted.map((path) => path.slice(key.length + 1));
}

function joined(blocks: readonly Block[]): string[] | null {
  const out: string[] = [];
  for (const { line, below, inner } of blocks) {
    const lines = inner === null ? below : cutLines(below, inner);
    if (lines === null) return null;
    out.push(line, ...lines);
  }
  return out;
}

function isBlank(line: string): boolean {
  const content = line.trimStart();
  return content === '' || content.startsWith('#');
}

function indentOf(line: string): number {
  return line.length - line.replace(/^ +/, '').length;
}
