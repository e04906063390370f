import { badInput } from '../../core/errors.ts';

/** Decodes a text of protocol 0, with escapes such as `\u00e4` and `\U0001f600`. @throws bad_input */
export function decodeRawUnicode(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|.|$)/gs, (whole, short?: string, long?: string) => {
    if (short !== undefined) return String.fromCharCode(Number.parseInt(short, 16));
    const code = long === undefined ? Number.NaN : Number.parseInt(long, 16);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    if (/^\\[uU]/.test(whole)) throw badInput('the pickle contains a text with an invalid escape: it is damaged');
    return whole;
  });
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '',
};

/** Decodes a quoted text of Python 2, one character per byte. @throws bad_input */
export function decodeQuoted(text: string): string {
  const line = text.trimEnd();
  const quote = line[0];
  if (line.length < 2 || (quote !== "'" && quote !== '"') || line.at(-1) !== quote)
    throw badInput('the pickle contains a text without quotes: it is damaged');
  return line.slice(1, -1).replace(/\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|(.))/gs, (whole, hex, octal, letter) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    return ESCAPES[letter] ?? whole;
  });
}
