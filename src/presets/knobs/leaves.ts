import type { ParamValue } from '../../mdp/task-config.ts';
import type { ParamSchema } from '../../mdp/term.ts';
import type { Group, KnobNode, Leaf } from './knob-tree.ts';

/** Fields of a leaf other than type and description. */
export type Bounds = Omit<Leaf, 'kind' | 'type' | 'description'>;

export function leaf(type: Leaf['type'], description: string, more: Bounds = {}): Leaf {
  return { kind: 'leaf', type, description, ...more };
}

export function choice(values: readonly string[], description: string): Leaf {
  return leaf('enum', description, { enum: values });
}

/** Returns a leaf for two numbers, the lower one first. */
export function range(description: string, more: Bounds = {}): Leaf {
  return leaf('vector', description, { items: 'number', length: 2, ordered: true, ...more });
}

export function names(values: readonly string[], description: string): Leaf {
  return leaf('vector', description, { items: 'string', enum: values });
}

export function group<F extends Readonly<Record<string, KnobNode>>>(description: string, fields: F): Group {
  return { kind: 'group', description, fields };
}

/** Returns the leaf of a term's parameter. A default of null makes the leaf nullable. */
export function paramLeaf(schema: ParamSchema): Leaf {
  const { type, default: absent, description, minimum, maximum, unit } = schema;
  const more: Bounds = {
    absent,
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(unit === undefined ? {} : { unit }),
    ...(schema.enum === undefined ? {} : { enum: schema.enum }),
    ...(absent === null ? { nullable: true } : {}),
  };
  if (type === 'names') return leaf('vector', description, { ...more, items: 'string' });
  if (type !== 'vector') return leaf(type, description, more);
  return leaf('vector', description, {
    ...more,
    items: 'number',
    ...(typeof absent === 'number' ? { orNumber: true } : {}),
    ...(Array.isArray(absent) ? { length: absent.length } : {}),
  });
}

/** Returns a leaf for a value without a schema. The type, and for lists of numbers the length, are those of the
 *  value. */
export function inferredLeaf(value: ParamValue, description: string): Leaf {
  if (value === null) return leaf('number', description, { absent: null, nullable: true });
  if (typeof value === 'number') return leaf('number', description, { absent: value });
  if (typeof value === 'boolean') return leaf('boolean', description, { absent: value });
  if (typeof value === 'string') return leaf('string', description, { absent: value });
  const isText = typeof value[0] === 'string';
  return leaf('vector', description, {
    absent: value,
    items: isText ? 'string' : 'number',
    ...(isText ? {} : { length: value.length }),
  });
}
