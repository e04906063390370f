/** The part of JSON Schema that the contracts of routes and the OpenAPI document use. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly default?: unknown;
  readonly oneOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  readonly additionalProperties?: boolean | SchemaNode;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly SchemaNode[];
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly description?: string;
}

/** Formats a type as short text: `integer ≥ 1`, `"all" | "missing"`, `number[7]`, `Job`. */
export function typeText(schema: SchemaNode): string {
  if (schema.$ref) return nameOfRef(schema.$ref);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeText))].join(' | ');
  if (schema.allOf) return [...new Set(schema.allOf.map(typeText))].join(' & ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (typeof schema.type === 'object') return schema.type.map((type) => typeText({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'array': {
      const { minItems, maxItems } = schema;
      const item = typeText(schema.items ?? {});
      return `${item.includes(' ') ? `(${item})` : item}[${minItems !== undefined && minItems === maxItems ? minItems : ''}]`;
    }
    case 'object': {
      const { additionalProperties } = schema;
      return typeof additionalProperties === 'object' ? `{ …: ${typeText(additionalProperties)} }` : 'object';
    }
    case 'integer':
    case 'number':
      return schema.type + range(schema);
    default:
      return schema.type ?? 'any';
  }
}

export function nameOfRef(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function range({ minimum, maximum, exclusiveMinimum }: SchemaNode): string {
  if (minimum !== undefined && maximum !== undefined) return ` ${minimum}..${maximum}`;
  const low = minimum !== undefined ? ` ≥ ${minimum}` : exclusiveMinimum !== undefined ? ` > ${exclusiveMinimum}` : '';
  return low + (maximum !== undefined ? ` ≤ ${maximum}` : '');
}

/** A line of a field table. */
export interface FieldLine {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly depth: number;
}

/** Returns the schema to which a `$ref` refers. */
export type Resolve = (ref: string) => SchemaNode;

/** Returns the fields of an object. The fields of an unnamed inner object follow the line of that object. */
export function fieldLines(schema: SchemaNode, resolve: Resolve, depth = 0): FieldLine[] {
  const root = schema.$ref ? resolve(schema.$ref) : schema;
  const parts = root.allOf ?? root.oneOf;
  if (parts) return parts.flatMap((part) => fieldLines(part, resolve, depth));
  const { properties = {}, required = [] } = root;
  return Object.entries(properties).flatMap(([name, field]) => {
    const inner = unnamedIn(field);
    const { description = '', default: usual } = field;
    const otherwise = usual === undefined ? '' : `default \`${JSON.stringify(usual)}\``;
    return [
      {
        name,
        type: typeText(field),
        required: required.includes(name),
        description: [description, otherwise].filter(Boolean).join('; '),
        depth,
      },
      ...(inner ? fieldLines(inner, resolve, depth + 1) : []),
    ];
  });
}

/** Returns the unnamed object schema that a field contains: directly, as a list item, as a record value or as one of a
 *  choice. */
function unnamedIn(schema: SchemaNode): SchemaNode | null {
  if (schema.$ref) return null;
  if (schema.properties) return schema;
  if (schema.items) return unnamedIn(schema.items);
  if (typeof schema.additionalProperties === 'object') return unnamedIn(schema.additionalProperties);
  for (const choice of schema.oneOf ?? []) {
    const found = unnamedIn(choice);
    if (found) return found;
  }
  return null;
}
