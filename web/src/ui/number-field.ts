export interface NumberEntry {
  /** null: nothing was typed, or it is wrong */
  readonly value: number | null;
  readonly error: string | null;
}

/** Reads a number that a person typed; empty is no number and no error. A decimal comma is read as a point. */
export function numberIn(text: string, least: number, most: number, integer = false): NumberEntry {
  const typed = text.trim().replace(',', '.');
  if (typed === '') return { value: null, error: null };
  const value = Number(typed);
  if (!Number.isFinite(value) || value < least || value > most || (integer && !Number.isInteger(value))) {
    return { value: null, error: `must be ${integer ? 'an integer' : 'a number'} from ${least} to ${most}` };
  }
  return { value, error: null };
}
