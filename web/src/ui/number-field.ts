export interface NumberEntry {
  /** null where the text is empty or invalid */
  readonly value: number | null;
  readonly error: string | null;
}

/** Parses a typed number; an empty text gives neither a number nor an error. Accepts a decimal comma. */
export function numberIn(text: string, least: number, most: number, integer = false): NumberEntry {
  const typed = text.trim().replace(',', '.');
  if (typed === '') return { value: null, error: null };
  const value = Number(typed);
  if (!Number.isFinite(value) || value < least || value > most || (integer && !Number.isInteger(value))) {
    return { value: null, error: `must be ${integer ? 'an integer' : 'a number'} from ${least} to ${most}` };
  }
  return { value, error: null };
}
