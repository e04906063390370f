export interface NumberEntry {
  /** null if the text is empty or invalid */
  readonly value: number | null;
  readonly error: string | null;
}

/** Parses a typed number. Accepts a decimal comma. An empty text gives neither a number nor an error. */
export function numberIn(text: string, least: number, most: number, integer = false): NumberEntry {
  const typed = text.trim().replace(',', '.');
  if (typed === '') return { value: null, error: null };
  const value = Number(typed);
  if (!Number.isFinite(value) || value < least || value > most || (integer && !Number.isInteger(value))) {
    return { value: null, error: `must be ${integer ? 'an integer' : 'a number'} from ${least} to ${most}` };
  }
  return { value, error: null };
}
