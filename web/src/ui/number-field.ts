export interface NumberEntry {
  /** null if the text is empty or invalid */
  readonly value: number | null;
  readonly error: string | null;
}

/** Thousands in groups, all with the same separator: `10,000`, `10.000`, `10 000` */
const GROUPED = /^[1-9]\d{0,2}([.,'’\s])\d{3}(?:\1\d{3})*$/;

/** Parses a typed number. Accepts a decimal comma, in an integer separators of thousands instead. An empty text gives
 *  neither a number nor an error. */
export function numberIn(text: string, least: number, most: number, integer = false): NumberEntry {
  const typed = text.trim();
  if (typed === '') return { value: null, error: null };
  const value = integer ? integerIn(typed) : Number(typed.replace(',', '.'));
  if (!Number.isFinite(value) || value < least || value > most) {
    return { value: null, error: `must be ${integer ? 'an integer' : 'a number'} from ${least} to ${most}` };
  }
  return { value, error: null };
}

/** Returns the integer that a text without outer spaces states; NaN if it states none. Refuses `10.00`: it may be a
 *  mistyped `10.000`. */
export function integerIn(typed: string): number {
  if (GROUPED.test(typed)) return Number(typed.replace(/\D/g, ''));
  return /^[-+]?\d+(e\d+)?$/i.test(typed) ? Number(typed) : Number.NaN;
}
