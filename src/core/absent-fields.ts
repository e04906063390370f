import type { TSchema } from 'typebox';
import { problemOf } from './validation.ts';

/** The subset of JSON Schema that lists the fields of an object and which of them are optional. */
interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Removes the optional fields of `value`, at every depth, that contain `null`, or `""` where a text is expected: both
 *  mean the same as omitting the field. Keeps a `null` or `""` that the schema of the field accepts as a value of its
 *  own, such as `checkpoint: ""` for zero action. Also keeps required fields and values of any type (inside
 *  `overrides`). @returns `value` itself if nothing is removed, otherwise a copy; `value` is never changed */
export function withoutAbsent(schema: TSchema, value: unknown): unknown {
  return strip(schema as SchemaNode, value);
}

function strip(schema: SchemaNode, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (schema.anyOf) return strip(branchOf(schema.anyOf, value), value);
  if (schema.allOf) return schema.allOf.reduce((rest: unknown, part) => strip(part, rest), value);
  if (Array.isArray(value)) return stripItems(schema.items, value);
  return stripFields(schema, value as Fields);
}

function stripItems(items: SchemaNode | undefined, values: readonly unknown[]): readonly unknown[] {
  if (items === undefined || !hasFields(items)) return values;
  const stripped = values.map((value) => strip(items, value));
  return stripped.every((value, i) => value === values[i]) ? values : stripped;
}

function stripFields(schema: SchemaNode, value: Fields): Fields {
  const { properties = {}, required = [] } = schema;
  const [others] = Object.values(schema.patternProperties ?? {});
  const entries = Object.entries(value);
  const kept: [string, unknown][] = [];
  for (const [key, field] of entries) {
    const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (own !== undefined && !required.includes(key) && isAbsent(own, field)) continue;
    const fieldSchema = own ?? others;
    kept.push([key, fieldSchema === undefined ? field : strip(fieldSchema, field)]);
  }
  const same = kept.length === entries.length && kept.every(([key, field]) => field === value[key]);
  return same ? value : Object.fromEntries(kept);
}

function isAbsent(schema: SchemaNode, value: unknown): boolean {
  if (value !== null && !(value === '' && takesText(schema))) return false;
  return problemOf(schema as TSchema, value) !== null;
}

function takesText({ type, anyOf = [] }: SchemaNode): boolean {
  return type === 'string' || anyOf.some(takesText);
}

function hasFields({ properties, patternProperties, anyOf = [], allOf = [], items }: SchemaNode): boolean {
  if (properties !== undefined || patternProperties !== undefined) return true;
  return [...anyOf, ...allOf, ...(items ? [items] : [])].some(hasFields);
}

/** Returns the member of a union that fits `value`: the first one of its JSON type whose required fields are all
 *  present, else the first one of its JSON type. */
function branchOf(choices: readonly SchemaNode[], value: object): SchemaNode {
  const type = Array.isArray(value) ? 'array' : 'object';
  const fitting = choices.filter((choice) => choice.type === type);
  return fitting.find(({ required = [] }) => required.every((key) => Object.hasOwn(value, key))) ?? fitting[0] ?? {};
}
