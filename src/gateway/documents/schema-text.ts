/** The part of JSON Schema that contracts use. */
export interface SchemaNode {
  readonly type?: string;
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

/** A type in few words: `integer ≥ 1`, `"all" | "missing"`, `number[7]`. */
export function typeText(schema: SchemaNode): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(' | ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  switch (schema.type) {
    case 'array': {
      const { minItems, maxItems } = schema;
      const item = typeText(schema.items ?? {});
      return `${item.includes(' ') ? `(${item})` : item}[${minItems !== undefined && minItems === maxItems ? minItems : ''}]`;
    }
    case 'object': {
      const [values] = Object.values(schema.patternProperties ?? {});
      return values ? `{ …: ${typeText(values)} }` : 'object';
    }
    case 'integer':
    case 'number':
      return schema.type + range(schema);
    default:
      return schema.type ?? 'any';
  }
}

function range({ minimum, maximum, exclusiveMinimum }: SchemaNode): string {
  const low = minimum !== undefined ? ` ≥ ${minimum}` : exclusiveMinimum !== undefined ? ` > ${exclusiveMinimum}` : '';
  return low + (maximum !== undefined ? ` ≤ ${maximum}` : '');
}

/** A value that fits: of an object the fields that must be there, or the first where none must. */
export function exampleOf(schema: SchemaNode, name = ''): unknown {
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, name);
  if (schema.enum) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  switch (schema.type) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
      return Object.fromEntries(names.map((key) => [key, exampleOf(properties[key] ?? {}, key)]));
    }
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => exampleOf(schema.items ?? {}));
    case 'integer':
      return Math.max(1, Math.ceil(schema.minimum ?? 1));
    case 'number':
      return Math.max(0.5, schema.minimum ?? 0.5);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return name;
  }
}

/** One line for each field of an object, inner objects after their own line. */
export interface FieldLine {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly depth: number;
}

export function fieldLines(schema: SchemaNode, depth = 0): FieldLine[] {
  const { properties = {}, required = [] } = objectIn(schema) ?? {};
  return Object.entries(properties).flatMap(([name, field]) => [
    {
      name,
      type: typeText(field),
      required: required.includes(name),
      description: field.description ?? '',
      depth,
    },
    ...fieldLines(field, depth + 1),
  ]);
}

/** The object that a field holds: itself, as a list's item, or as the only object of a choice. */
function objectIn(schema: SchemaNode): SchemaNode | null {
  if (schema.properties) return schema;
  if (schema.items) return objectIn(schema.items);
  for (const choice of schema.anyOf ?? []) {
    const found = objectIn(choice);
    if (found) return found;
  }
  return null;
}
