import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';

/** Decodes percent-encoded UTF-8. @param name of the parameter, for the error message
 *  @throws bad_input for a `%` without two hexadecimal digits, and for bytes that are not UTF-8 */
export function percentDecode(name: string, raw: string): string {
  if (!raw.includes('%')) return raw;
  if (/%(?![0-9a-f]{2})/i.test(raw))
    throw badInput(`${name}: ${quoteName(raw)} is not valid percent-encoding. Write a percent sign as %25.`);
  try {
    return decodeURIComponent(raw);
  } catch {
    throw badInput(`${name}: ${quoteName(raw)} is percent-encoded, but not as UTF-8`);
  }
}
