import type { Group, Json, JsonObject, KnobNode, Leaf } from './knob-tree.ts';
import { isObject, own } from './knob-tree.ts';

/** One knob of a configuration. */
export interface KnobPlace {
  readonly path: readonly string[];
  readonly leaf: Leaf;
  readonly value: Json;
}

/** Visits every knob of a configuration in order. Knobs of an optional group that is null have the values that an
 *  override would start from. */
export function walkKnobs(tree: Group, config: JsonObject, visit: (knob: KnobPlace) => void): void {
  const walk = (node: KnobNode, value: Json | undefined, path: readonly string[]): void => {
    switch (node.kind) {
      case 'leaf':
        visit({ path, leaf: node, value: value === undefined ? (node.absent ?? null) : value });
        break;
      case 'group': {
        const held = isObject(value) ? (value as JsonObject) : (node.nullable?.start ?? {});
        for (const [key, child] of Object.entries(node.fields)) walk(child, own(held, key), [...path, key]);
        break;
      }
      case 'terms':
        for (const [name, entry] of Object.entries(isObject(value) ? (value as JsonObject) : {}))
          walk(node.nodeOf(name, entry as JsonObject), entry, [...path, name]);
    }
  };
  walk(tree, config, []);
}
