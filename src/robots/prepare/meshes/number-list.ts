import { badInput } from '../../../core/errors.ts';
import type { XmlElement } from '../text/xml.ts';

/** Reads the numbers of an element's text. Allocates memory by the length of the text; the count that the file declares
 *  may be wrong.
 *  @throws StudioError bad_input naming the line of the element and the word that is not a number */
export function numbersIn(element: XmlElement, file: string): Float64Array {
  const text = element.text ?? '';
  const out = new Float64Array(wordsIn(text));
  let count = 0;
  for (let at = 0; at < text.length; ) {
    if (isSpace(text.charCodeAt(at))) {
      at++;
      continue;
    }
    let end = at + 1;
    while (end < text.length && !isSpace(text.charCodeAt(end))) end++;
    const value = Number(text.slice(at, end));
    if (!Number.isFinite(value)) {
      const word = text.slice(at, Math.min(end, at + 40));
      throw badInput(`${file} line ${element.line}: <${element.name}>: "${word}" is not a number`);
    }
    out[count++] = value;
    at = end;
  }
  return out;
}

function wordsIn(text: string): number {
  let words = 0;
  let inside = false;
  for (let at = 0; at < text.length; at++) {
    const space = isSpace(text.charCodeAt(at));
    if (!space && !inside) words++;
    inside = !space;
  }
  return words;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}
