/** Warnings of the same kind: their text differs only in names, files and numbers. */
export interface WarningGroup {
  readonly texts: readonly string[];
}

/** Parts of a text that differ among warnings of one kind: quoted texts, names with `_ . /` and numbers. */
const PARTICULAR = /"[^"]*"|'[^']*'|\S*[_./]\S*\w|\d+(?:\.\d+)?/g;
/** From this number on, warnings of one kind are shown as one. */
const MANY = 3;

/** Groups warnings by kind, in the order of their first warning. Up to two of a kind stay apart. */
export function groupWarnings(warnings: readonly string[]): readonly WarningGroup[] {
  const kinds = new Map<string, string[]>();
  for (const text of warnings) {
    const kind = text.replace(PARTICULAR, '…');
    kinds.set(kind, [...(kinds.get(kind) ?? []), text]);
  }
  return [...kinds.values()].flatMap((texts) =>
    texts.length < MANY ? texts.map((text) => ({ texts: [text] })) : [{ texts }],
  );
}
