import type { TSchema } from 'typebox';
import { withoutAbsent } from '../../core/absent-fields.ts';
import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { check, fromQuery, unknownKey } from '../../core/validation.ts';
import { percentDecode } from './percent.ts';

/** Returns all values of each parameter, in order. @throws bad_input for text that is not percent-encoded UTF-8 */
export function parseQuery(raw: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const key = decode(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? '' : decode(pair.slice(at + 1));
    const before = values.get(key);
    if (before) before.push(value);
    else values.set(key, [value]);
  }
  return values;
}

function decode(raw: string): string {
  return percentDecode('query', raw.replaceAll('+', ' '));
}

/** Reads a query string by its schema. Paths under `/api` refuse unknown parameters. Other paths, such as the page,
 *  ignore them: other sites add parameters to links.
 *  @param schema an object schema; undefined if the route has no parameters
 *  @throws bad_input naming the parameter */
export function readQuery(path: string, schema: TSchema | undefined, raw: string): Record<string, unknown> {
  if (raw === '' && schema === undefined) return {};
  const given = parseQuery(raw);
  if (path.startsWith('/api/')) {
    const known = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
    const stray = [...given.keys()].find((key) => !known.includes(key));
    if (stray !== undefined)
      throw badInput(
        `${/^\w{1,64}$/.test(stray) ? stray : quoteName(stray)}: ${unknownKey(stray, known, 'query parameter')}`,
      );
  }
  if (schema === undefined) return {};
  return check(schema, withoutAbsent(schema, fromQuery(schema, given)), 'query') as Record<string, unknown>;
}
