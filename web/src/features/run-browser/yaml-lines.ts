/** Reads the settings in a YAML text in block style, as trainers write it: `algorithm.gamma` → `0.99`. Values stay
 *  text, list items are numbered, tags and anchors of Python objects are left out. */
export function yamlLines(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const open: { readonly indent: number; readonly path: string; items: number }[] = [];
  for (const line of text.split('\n')) {
    const found = /^( *)((?:- )*)(?:([\w.$/-]+|"[^"]*"|'[^']*'):(?: +|$))?(.*)$/.exec(line);
    if (!found || line.trim() === '' || line.trim().startsWith('#')) continue;
    const [, spaces = '', dashes = '', key, rest = ''] = found;
    const indent = spaces.length;
    // The items of a list may stand at the indentation of its key.
    while (open.length > 0 && !isInside(open.at(-1)!.indent, indent, dashes !== '')) open.pop();
    let path = open.at(-1)?.path ?? '';
    if (dashes !== '') {
      const list = open.at(-1);
      path = join(path, String(list ? list.items++ : 0));
      open.push({ indent: indent + 0.5, path, items: 0 });
    }
    if (key !== undefined) path = join(path, key.replace(/^["']|["']$/g, ''));
    const value = rest.replace(/^(?:[!&]\S+ *)+/, '').trim();
    if (value !== '' && value !== '|' && value !== '>') values.set(path, value);
    if (key !== undefined) open.push({ indent: indent + dashes.length, path, items: 0 });
  }
  return values;
}

function isInside(outer: number, indent: number, isItem: boolean): boolean {
  return isItem ? indent >= outer && Number.isInteger(outer) : indent > outer;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Compares settings by name and returns those that differ: the values in the order of the texts, null for a text
 *  without the setting. */
export function differences(
  texts: readonly ReadonlyMap<string, string>[],
): readonly { readonly name: string; readonly values: readonly (string | null)[] }[] {
  const names = new Set(texts.flatMap((text) => [...text.keys()]));
  return [...names]
    .sort()
    .map((name) => ({ name, values: texts.map((text) => text.get(name) ?? null) }))
    .filter(({ values }) => values.some((value) => value !== values[0]));
}
