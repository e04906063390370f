import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import { badInput } from './errors.ts';
import { didYouMean } from './nearest.ts';

/** A validation problem of a value, with its place. */
export interface Problem {
  /** keys and indices from the root to the place */
  readonly path: readonly string[];
  /** problem text without the place, such as `must be a number ≥ 0` */
  readonly text: string;
  /** true if the key itself is unknown at this place; false if its value is wrong */
  readonly unknownKey: boolean;
}

/** Schemas are compiled at their first use, because most are never needed. Validation stops at the first problem, so
 *  that a huge invalid value costs as little as a small one. */
const ajv = new Ajv2020({ strict: true, verbose: true, validateFormats: false });
const compiled = new WeakMap<TSchema, ValidateFunction>();

/** Returns the first problem of `value` under `schema`, or null. Numbers that are not finite are refused. */
export function problemOf(schema: TSchema, value: unknown): Problem | null {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  if (validate(value)) return null;
  return explain(decisive(validate.errors ?? []));
}

/** Returns `value` with its type if it is valid. @param root name of the value in messages, such as `body`
 *  @throws bad_input `joints.left_knee_joint.stiffness: must be a number ≥ 0` */
export function check<S extends TSchema>(schema: S, value: unknown, root: string): Static<S> {
  const problem = problemOf(schema, value);
  if (problem) throw badInput(`${placeOf(problem.path, root)}: ${problem.text}`);
  return value as Static<S>;
}

/** Formats a path as `joints.knee.stiffness` or `clips[2]`. Returns `root` for the empty path. */
export function placeOf(path: readonly string[], root: string): string {
  const place = path.reduce((text, key) => (/^\d+$/.test(key) ? `${text}[${key}]` : `${text}.${key}`), '');
  return place === '' ? root : place.replace(/^\./, '');
}

/** Converts the texts of a query string to the numbers, booleans and lists of `schema`, an object. A list may be given
 *  as `a,b`, by repeating the parameter, or both. Skips parameters that `schema` does not have. Keeps a text that
 *  cannot be converted, so that `check` reports it. @throws bad_input for a repeated parameter that is not a list */
export function fromQuery(schema: TSchema, query: ReadonlyMap<string, readonly string[]>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, { type, items }] of Object.entries((schema as SchemaNode).properties ?? {})) {
    const texts = query.get(key);
    if (texts === undefined) continue;
    if (type === 'array') values[key] = listOf(texts).map((text) => fromText(items, text));
    else if (texts.length > 1) throw badInput(`${key}: is given ${texts.length} times, expected once`);
    else values[key] = fromText({ type }, texts[0] ?? '');
  }
  return values;
}

function listOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(',')).filter((text) => text !== '');
}

function fromText({ type }: Pick<SchemaNode, 'type'> = {}, text: string): unknown {
  if ((type === 'number' || type === 'integer') && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false|1|0)$/.test(text)) return text === 'true' || text === '1';
  return text;
}

/** The part of JSON Schema that the messages describe. */
interface SchemaNode {
  readonly type?: string | undefined;
  readonly items?: SchemaNode;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly description?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Returns the error deepest in the value, because validation gets furthest in the branch of a union that was intended.
 *  If every branch fails at the value itself, returns the error of the union, which comes last. */
function decisive(errors: readonly ErrorObject[]): ErrorObject {
  // These errors are about a field of the value at their place. An unknown field says more than a missing one.
  const deeper: Readonly<Record<string, number>> = { additionalProperties: 1, required: 0.5 };
  const depth = (error: ErrorObject) => error.instancePath.split('/').length + (deeper[error.keyword] ?? 0);
  return errors.reduce((best, error) => (depth(error) >= depth(best) ? error : best));
}

function explain(error: ErrorObject): Problem {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const schema = error.parentSchema as SchemaNode;
  const stray = error.keyword === 'required' ? strayKey(schema, error.data) : null;
  // If a field is missing and another is unknown, the unknown one is probably the missing one misspelt, so report it.
  if (stray !== null) {
    return { path: [...path, stray], text: unknownKey(stray, Object.keys(schema.properties ?? {})), unknownKey: true };
  }
  if (error.keyword === 'required') {
    const key = String(error.params['missingProperty']);
    return { path: [...path, key], text: 'is missing', unknownKey: false };
  }
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params['additionalProperty']);
    return { path: [...path, key], text: unknownKey(key, Object.keys(schema.properties ?? {})), unknownKey: true };
  }
  if (typeof error.data === 'number' && !Number.isFinite(error.data)) {
    return { path, text: 'must be a finite number', unknownKey: false };
  }
  // A pattern means nothing to a person; the description of its field says what it allows.
  const allowed = error.keyword === 'pattern' && schema.description ? `. Allowed: ${schema.description}` : '';
  return { path, text: `must be ${phrase(schema)}${allowed}`, unknownKey: false };
}

/** Returns a key of `value` that is unknown to a schema without additional properties, or null. */
function strayKey({ properties = {}, additionalProperties }: SchemaNode, value: unknown): string | null {
  if (additionalProperties !== false || typeof value !== 'object' || value === null) return null;
  return Object.keys(value).find((key) => !Object.hasOwn(properties, key)) ?? null;
}

/** Returns `is not a known field; did you mean "stiffness"? Known are damping, stiffness`. */
export function unknownKey(key: string, known: readonly string[], what = 'field'): string {
  if (known.length === 0) return `is not a known ${what}: no ${what} is allowed here`;
  const near = didYouMean(key, known);
  const list = `nown are ${known.join(', ')}`;
  return near === null ? `is not a known ${what}; k${list}` : `is not a known ${what}; ${near} K${list}`;
}

/** Describes the requirement of `schema` as the end of "must be …". */
function phrase(schema: SchemaNode): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(phrase))].join(' or ');
  if (schema.enum?.length === 1) return JSON.stringify(schema.enum[0]);
  if (schema.enum) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  switch (schema.type) {
    case 'integer':
      return `an integer${range(schema)}`;
    case 'number':
      return `a number${range(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'string':
      return schema.minLength === 1
        ? `a text that is not empty${atMost(schema.maxLength, 'characters')}`
        : `a text${atMost(schema.maxLength, 'characters')}`;
    case 'array':
      return `a list${items(schema)}`;
    case 'object':
      return 'an object';
    case 'null':
      return 'null';
    default:
      return 'another value';
  }
}

function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaNode): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  const low = minimum !== undefined ? `≥ ${minimum}` : exclusiveMinimum !== undefined ? `> ${exclusiveMinimum}` : '';
  const high = maximum !== undefined ? `≤ ${maximum}` : exclusiveMaximum !== undefined ? `< ${exclusiveMaximum}` : '';
  return [low, high]
    .filter(Boolean)
    .map((bound, i) => (i === 0 ? ` ${bound}` : ` and ${bound}`))
    .join('');
}

function items({ minItems, maxItems }: SchemaNode): string {
  if (minItems === undefined || minItems === 0) return atMost(maxItems, 'items');
  if (minItems === maxItems) return ` of ${minItems} items`;
  return maxItems === undefined
    ? ` of at least ${minItems} item${minItems === 1 ? '' : 's'}`
    : ` of ${minItems} to ${maxItems} items`;
}

function atMost(count: number | undefined, unit: string): string {
  return count === undefined ? '' : ` of at most ${count} ${unit}`;
}
