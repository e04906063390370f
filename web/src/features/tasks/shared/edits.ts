/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Flattened overrides: values by path, such as `rewards.survival.weight`. Null at the path of a term removes the term;
 *  an empty object there adds it with the values of the library. */
export type Edits = Readonly<Record<string, Json>>;

function isObject(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Flattens nested overrides to values by path. */
export function flatten(overrides: Readonly<Record<string, unknown>>): Edits {
  const edits: [string, Json][] = [];
  const walk = (value: Json, path: string): void => {
    if (!isObject(value) || Object.keys(value).length === 0) {
      if (path !== '') edits.push([path, value]);
      return;
    }
    for (const [key, inner] of Object.entries(value)) walk(inner, path === '' ? key : `${path}.${key}`);
  };
  walk(overrides as Json, '');
  return Object.fromEntries(edits);
}

/** Converts values by path to nested overrides; the inverse of `flatten`. */
export function nest(edits: Edits): Readonly<Record<string, Json>> {
  const root = new Map<string, unknown>();
  for (const [path, value] of Object.entries(edits)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    let at = root;
    for (const key of keys) {
      const inner = at.get(key);
      const next = inner instanceof Map ? (inner as Map<string, unknown>) : new Map<string, unknown>();
      at.set(key, next);
      at = next;
    }
    const isEmpty = isObject(value) && Object.keys(value).length === 0;
    if (isEmpty && at.get(last) instanceof Map) continue; // deeper edits take precedence
    at.set(last, isEmpty ? new Map() : value);
  }
  return toObject(root);
}

function toObject(map: ReadonlyMap<string, unknown>): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    [...map].map(([key, value]) => [key, value instanceof Map ? toObject(value) : (value as Json)]),
  );
}

/** Returns the edits without those at `path` and below it. */
export function without(edits: Edits, path: string): Edits {
  return Object.fromEntries(Object.entries(edits).filter(([key]) => key !== path && !key.startsWith(`${path}.`)));
}

export function equal(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
