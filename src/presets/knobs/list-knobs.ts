import type { ParamSchema } from '../../mdp/term.ts';
import type { Knob } from '../../protocol/schemas/presets.ts';
import type { Group, Json, JsonObject, KnobNode, Leaf } from './knob-tree.ts';
import { isObject, own } from './knob-tree.ts';
import { paramLeaf } from './leaves.ts';
import { walkKnobs } from './walk-knobs.ts';

/** Lists every knob of `config`.
 *  @param base configuration of the base task, which gives the defaults; for a term that the base task lacks, the
 *  defaults are those of adding the term */
export function listKnobs(tree: Group, base: JsonObject, config: JsonObject): Knob[] {
  const rows: Knob[] = [];
  walkKnobs(tree, config, ({ path, leaf, value }) => {
    // `func` has only one allowed value, so there is nothing to choose.
    if (path.at(-1) === 'func') return;
    rows.push(row(path.join('.'), leaf, defaultAt(tree, base, path) ?? null, value));
  });
  return rows;
}

/** Lists every term of `config` in order, with its function and the description of that function. */
export function listTerms(tree: Group, config: JsonObject): { path: string; func: string; description: string }[] {
  const rows: { path: string; func: string; description: string }[] = [];
  const walk = (node: KnobNode, value: Json | undefined, path: readonly string[]): void => {
    if (node.kind === 'leaf' || !isObject(value)) return;
    const held = value as JsonObject;
    if (node.kind === 'group') {
      for (const [key, child] of Object.entries(node.fields)) walk(child, own(held, key), [...path, key]);
      return;
    }
    for (const [name, entry] of Object.entries(held)) {
      const func = isObject(entry) ? own(entry as JsonObject, 'func') : undefined;
      if (typeof func !== 'string') continue;
      const { description } = node.nodeOf(name, entry as JsonObject);
      rows.push({ path: [...path, name].join('.'), func, description });
    }
  };
  walk(tree, config, []);
  return rows;
}

/** Lists the parameters of a term of the library. */
export function paramKnobs(params: Readonly<Record<string, ParamSchema>>): Knob[] {
  return Object.entries(params).map(([name, schema]) =>
    row(`params.${name}`, paramLeaf(schema), schema.default, schema.default),
  );
}

function row(path: string, leaf: Leaf, byDefault: unknown, value: unknown): Knob {
  return {
    path,
    // A vector given as one number for all dimensions is edited as a number.
    type: leaf.orNumber && !Array.isArray(value) ? 'number' : leaf.type,
    default: byDefault,
    value,
    ...(leaf.minimum === undefined ? {} : { minimum: leaf.minimum }),
    ...(leaf.maximum === undefined ? {} : { maximum: leaf.maximum }),
    ...(leaf.above === undefined ? {} : { above: leaf.above }),
    ...(leaf.enum === undefined ? {} : { enum: [...leaf.enum] }),
    ...(leaf.unit === undefined ? {} : { unit: leaf.unit }),
    ...(leaf.items === undefined ? {} : { items: leaf.items }),
    ...(leaf.length === undefined ? {} : { length: leaf.length }),
    ...(leaf.ordered === undefined ? {} : { ordered: true }),
    ...(leaf.orNumber === undefined ? {} : { or_number: true }),
    ...(leaf.nullable === undefined ? {} : { nullable: true }),
    description: leaf.description,
  };
}

function defaultAt(tree: Group, base: JsonObject, path: readonly string[]): Json | undefined {
  let node: KnobNode = tree;
  let value: Json | undefined = base;
  for (const key of path) {
    if (node.kind === 'leaf') return undefined;
    const held: JsonObject = isObject(value) ? (value as JsonObject) : {};
    if (node.kind === 'group') {
      value = own(isObject(value) ? held : (node.nullable?.start ?? {}), key);
      node = node.fields[key]!;
    } else {
      const entry = (own(held, key) ?? node.create(key, null) ?? {}) as JsonObject;
      value = entry;
      node = node.nodeOf(key, entry);
    }
  }
  return value === undefined && node.kind === 'leaf' ? node.absent : value;
}
