import { StudioError } from '../../core/errors.ts';
import { placeOf } from '../../core/validation.ts';
import { leafProblem } from './check-leaf.ts';
import { type Group, isObject, type Json, type JsonObject, type KnobNode, own, type Terms } from './knob-tree.ts';
import { unknownKnob } from './unknown-knob.ts';

/** An unknown knob or an invalid value: `rewards.action_rate_l1.weight: must be a number`. */
export class KnobError extends StudioError {
  readonly path: readonly string[];
  readonly problem: string;

  constructor(path: readonly string[], problem: string) {
    super('bad_input', `${placeOf(path, 'overrides')}: ${problem}`);
    this.name = 'KnobError';
    this.path = path;
    this.problem = problem;
  }
}

/** Returns the configuration with `overrides` applied; neither argument is changed. Only keys of the tree are read, so
 *  that prototypes have no effect.
 *  @param config of the shape of `tree`  @param overrides untrusted input
 *  @throws KnobError for the first override that does not fit */
export function mergeOverrides<C extends object>(tree: Group, config: C, overrides: unknown): C {
  // The tree describes C, so a value that fits the tree is a C.
  return new Merge(tree, config as unknown as JsonObject).run(overrides) as unknown as C;
}

class Merge {
  readonly #tree: Group;
  readonly #config: JsonObject;

  constructor(tree: Group, config: JsonObject) {
    this.#tree = tree;
    this.#config = config;
  }

  run(overrides: unknown): Json {
    return this.#node(this.#tree, this.#config, overrides, []);
  }

  #node(node: KnobNode, value: Json | undefined, override: unknown, path: readonly string[]): Json {
    if (node.kind === 'leaf') {
      const problem = leafProblem(node, override);
      if (problem !== null) throw new KnobError(path, problem);
      return override as Json;
    }
    if (node.kind === 'group' && node.nullable && override === null) return null;
    if (!isObject(override)) throw new KnobError(path, notAnObject(node));
    return node.kind === 'group' ? this.#group(node, value, override, path) : this.#terms(node, value, override, path);
  }

  #group(node: Group, value: Json | undefined, override: Readonly<Record<string, unknown>>, path: readonly string[]) {
    const merged: Record<string, Json> = { ...(isObject(value) ? (value as JsonObject) : node.nullable?.start) };
    for (const key of Object.keys(override)) {
      const child = own(node.fields, key);
      if (!child) throw this.#unknown(Object.keys(node.fields), key, path);
      merged[key] = this.#node(child, own(merged, key), override[key], [...path, key]);
    }
    return merged;
  }

  #terms(node: Terms, value: Json | undefined, override: Readonly<Record<string, unknown>>, path: readonly string[]) {
    const merged = new Map<string, Json>(Object.entries(isObject(value) ? (value as JsonObject) : {}));
    for (const key of Object.keys(override)) {
      const change = override[key];
      const place = [...path, key];
      const before = merged.get(key) as JsonObject | undefined;
      if (change === null) {
        // A term that a module has removed may be removed again.
        if (!merged.delete(key) && !node.known.includes(key)) throw this.#unknown(this.#keys(node, merged), key, path);
        continue;
      }
      const func = isObject(change) && typeof own(change, 'func') === 'string' ? (change['func'] as string) : null;
      const entry = before ?? node.create(key, func);
      if (!entry) throw this.#unknown(this.#keys(node, merged), key, path, func);
      merged.set(key, this.#node(node.nodeOf(key, entry), entry, change, place));
    }
    return Object.fromEntries(merged);
  }

  #keys(node: Terms, merged: ReadonlyMap<string, Json>): string[] {
    return [...new Set([...merged.keys(), ...node.known])];
  }

  #unknown(siblings: readonly string[], key: string, path: readonly string[], func: string | null = null): KnobError {
    if (func !== null)
      return new KnobError([...path, key, 'func'], unknownKnob(this.#tree, this.#config, siblings, func, path));
    return new KnobError([...path, key], unknownKnob(this.#tree, this.#config, siblings, key, path));
  }
}

function notAnObject(node: Group | Terms): string {
  const keys = node.kind === 'group' ? Object.keys(node.fields) : [];
  if (node.kind === 'group' && node.nullable) return `must be an object with ${keys.join(', ')}, or null`;
  if (node.kind === 'group' && keys.length > 0 && keys.length <= 12) return `must be an object with ${keys.join(', ')}`;
  return 'must be an object';
}
