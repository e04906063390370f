import type { ParamValue } from '../../mdp/task-config.ts';

/** The shape of a task's configuration as a tree: what may be overridden, of what type, within what bounds. Checks, forms
 *  and the JSON Schema all walk it; nothing else decides what a knob is. */
export type KnobNode = Leaf | Group | Terms;

/** Whether lists hold numbers, whole numbers or texts. */
type ItemType = 'number' | 'integer' | 'string';

/** One value. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly type: 'number' | 'integer' | 'boolean' | 'string' | 'enum' | 'vector';
  readonly description: string;
  readonly unit?: string;
  /** bounds of a number, and of every number of a vector */
  readonly minimum?: number;
  readonly maximum?: number;
  /** the number must be greater than this */
  readonly above?: number;
  /** what an enum may be; of a vector of texts, what its items may be */
  readonly enum?: readonly string[];
  /** of a vector */
  readonly items?: ItemType;
  /** how many items a vector has; absent: any number of them */
  readonly length?: number;
  /** the most items that a vector of any length may have (1024) */
  readonly most?: number;
  /** a vector of two: lowest, highest */
  readonly ordered?: true;
  /** a vector that may also be given as one number, for all dimensions */
  readonly orNumber?: true;
  readonly nullable?: true;
  /** the value where the configuration does not hold the key */
  readonly absent?: ParamValue;
}

/** Values under fixed names. */
export interface Group {
  readonly kind: 'group';
  readonly description: string;
  readonly fields: Readonly<Record<string, KnobNode>>;
  /** null stands for "none"; an override then starts from this */
  readonly nullable?: { readonly start: JsonObject };
}

/** Entries that come and go: `null` removes one, naming a known one adds it. */
export interface Terms {
  readonly kind: 'terms';
  readonly description: string;
  /** what an entry is called in messages: `observation term` */
  readonly noun: string;
  /** names that may be added */
  readonly known: readonly string[];
  /** The entry that naming `name` begins with; null where it is not known. `func` is the override's own, if it has one. */
  create(name: string, func: string | null): JsonObject | null;
  /** What an entry is made of. */
  nodeOf(name: string, entry: JsonObject): Group;
}

/** Items of a vector for which nothing else is said. */
export const MOST_ITEMS = 1024;

/** Anything that JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own value under `key`; undefined if there is none. Ignores prototypes. */
export function own<T>(object: Readonly<Record<string, T>> | null | undefined, key: string): T | undefined {
  return object && Object.hasOwn(object, key) ? object[key] : undefined;
}
