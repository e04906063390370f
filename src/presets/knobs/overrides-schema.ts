import type { Group, Json, JsonObject, KnobNode, Leaf, Terms } from './knob-tree.ts';
import { isObject, MOST_ITEMS, own } from './knob-tree.ts';

/** Returns the JSON Schema (2020-12) of `overrides` on top of `config`, for editors and external checks. It accepts the
 *  same values as `mergeOverrides`, with two exceptions: it does not check the order of a range's two numbers, and it
 *  rejects terms with custom names that `config` does not contain. */
export function overridesSchema(tree: Group, config: JsonObject, title: string): JsonObject {
  const definitions = new Map<string, JsonObject>();
  const schema = nodeSchema(tree, config, definitions);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...(schema as JsonObject),
    $defs: Object.fromEntries(definitions),
  };
}

function nodeSchema(node: KnobNode, value: Json | undefined, definitions: Map<string, JsonObject>): JsonObject {
  if (node.kind === 'leaf') return leafSchema(node, value);
  if (node.kind === 'terms') return termsSchema(node, value, definitions);
  const held = isObject(value) ? (value as JsonObject) : (node.nullable?.start ?? {});
  const fields = Object.entries(node.fields).map(([key, child]): [string, Json] => [
    key,
    nodeSchema(child, own(held, key), definitions),
  ]);
  return {
    type: node.nullable ? ['object', 'null'] : 'object',
    description: node.description,
    properties: Object.fromEntries(fields),
    additionalProperties: false,
  };
}

function termsSchema(node: Terms, value: Json | undefined, definitions: Map<string, JsonObject>): JsonObject {
  const held = isObject(value) ? (value as JsonObject) : {};
  const properties = [...new Set([...Object.keys(held), ...node.known])].map((name): [string, Json] => {
    const present = own(held, name) as JsonObject | undefined;
    const entry = present ?? node.create(name, null) ?? {};
    const key = `${node.noun} ${name}`.replaceAll(' ', '_');
    // Terms that the configuration lacks are shared definitions: all groups of observations refer to the same ones.
    if (present) return [name, { anyOf: [nodeSchema(node.nodeOf(name, entry), entry, definitions), { type: 'null' }] }];
    if (!definitions.has(key)) definitions.set(key, nodeSchema(node.nodeOf(name, entry), entry, definitions));
    return [name, { anyOf: [{ $ref: `#/$defs/${key}` }, { type: 'null' }] }];
  });
  return {
    type: 'object',
    description: node.description,
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

function leafSchema(leaf: Leaf, value: Json | undefined): JsonObject {
  const description = leaf.unit === undefined ? leaf.description : `${leaf.description} (${leaf.unit})`;
  const shown = value === undefined ? leaf.absent : value;
  const about = { description, ...(shown === undefined ? {} : { default: shown }) };
  const scalar = scalarSchema(leaf, leaf.type);
  if (leaf.type !== 'vector') {
    if (!leaf.nullable) return { ...about, ...scalar };
    return { ...about, anyOf: [scalar, { type: 'null' }] };
  }
  const list = {
    type: 'array',
    items: scalarSchema(leaf, leaf.items === 'string' && leaf.enum ? 'enum' : (leaf.items ?? 'number')),
    ...(leaf.length === undefined
      ? { maxItems: leaf.most ?? MOST_ITEMS }
      : { minItems: leaf.length, maxItems: leaf.length }),
  };
  const choices: Json[] = [list];
  if (leaf.orNumber) choices.push(scalarSchema(leaf, 'number'));
  if (leaf.nullable) choices.push({ type: 'null' });
  return choices.length === 1 ? { ...about, ...list } : { ...about, anyOf: choices };
}

function scalarSchema({ minimum, maximum, above, enum: values }: Leaf, type: Leaf['type']): JsonObject {
  if (type === 'enum') return { type: 'string', enum: values ?? [] };
  if (type !== 'number' && type !== 'integer') return { type };
  return {
    type,
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(above === undefined ? {} : { exclusiveMinimum: above }),
  };
}
