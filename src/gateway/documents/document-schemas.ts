import type { TSchema } from 'typebox';
import type { SchemaNode } from './schema-text.ts';

/** Converts the schemas of the contracts to the form that client generators support best. */
export class DocumentSchemas {
  readonly #named: Readonly<Record<string, TSchema>>;
  readonly #nameOf: ReadonlyMap<string, string>;

  /** @param named schemas that become components and are referred to by `$ref` */
  constructor(named: Readonly<Record<string, TSchema>>) {
    this.#named = named;
    this.#nameOf = new Map(Object.entries(named).map(([name, schema]) => [JSON.stringify(schema), name]));
  }

  /** Returns every named schema, with references to other named schemas. */
  components(): Record<string, SchemaNode> {
    return Object.fromEntries(
      Object.entries(this.#named).map(([name, schema]) => [name, this.#written(schema as SchemaNode)]),
    );
  }

  /** Returns a reference if the schema has a name, else the converted schema. */
  refer(schema: TSchema | SchemaNode): SchemaNode {
    const name = this.#nameOf.get(JSON.stringify(schema));
    return name === undefined ? this.#written(schema as SchemaNode) : { $ref: `#/components/schemas/${name}` };
  }

  #written(schema: SchemaNode): SchemaNode {
    if (schema.anyOf) return this.#choice(schema);
    const { properties, items, allOf, patternProperties, ...rest } = schema;
    const [values] = Object.values(patternProperties ?? {});
    return {
      ...rest,
      ...(properties ? { properties: this.#each(properties) } : {}),
      ...(items ? { items: this.refer(items) } : {}),
      ...(allOf ? { allOf: allOf.map((part) => this.refer(part)) } : {}),
      // Any key is allowed: every generator supports `additionalProperties`.
      ...(values ? { additionalProperties: this.refer(values) } : {}),
    };
  }

  #each(properties: Readonly<Record<string, SchemaNode>>): Record<string, SchemaNode> {
    return Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, this.refer(field)]));
  }

  /** Converts a choice with null: `type: [number, "null"]` for a plain value, `oneOf` for all others. */
  #choice({ anyOf = [], ...annotations }: SchemaNode): SchemaNode {
    const choices = anyOf.flatMap(flatChoices);
    const others = choices.filter(({ type }) => type !== 'null');
    const [only] = others;
    const isNullable = others.length < choices.length;
    if (isNullable && others.length === 1 && only && isPlain(only)) {
      const { type, enum: values, ...rest } = this.#written(only);
      return {
        ...rest,
        ...annotations,
        type: [type as string, 'null'],
        ...(values ? { enum: [...values, null] } : {}),
      };
    }
    return { ...annotations, oneOf: choices.map((choice) => this.refer(choice)) };
  }
}

function flatChoices(schema: SchemaNode): readonly SchemaNode[] {
  return schema.anyOf && schema.description === undefined ? schema.anyOf.flatMap(flatChoices) : [schema];
}

function isPlain({ type, const: value }: SchemaNode): boolean {
  return value === undefined && (type === 'string' || type === 'number' || type === 'integer' || type === 'boolean');
}
