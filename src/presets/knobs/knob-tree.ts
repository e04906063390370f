import type { ParamValue } from '../../mdp/task-config.ts';

/** The shape of a task's configuration as a tree: which values may be overridden, their types and their bounds. Checks,
 *  forms and the JSON Schema all walk this tree; it alone defines the knobs. */
export type KnobNode = Leaf | Group | Terms;

/** Type of the items of a list. */
type ItemType = 'number' | 'integer' | 'string';

/** One value. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly type: 'number' | 'integer' | 'boolean' | 'string' | 'enum' | 'vector';
  readonly description: string;
  readonly unit?: string;
  /** bounds of a number, or of every number in a vector */
  readonly minimum?: number;
  readonly maximum?: number;
  /** the number must be greater than this */
  readonly above?: number;
  /** allowed values of an enum, or of the items of a vector of texts */
  readonly enum?: readonly string[];
  /** type of the items of a vector */
  readonly items?: ItemType;
  /** exact number of items of a vector; absent: any number up to `most` */
  readonly length?: number;
  /** maximum number of items of a vector without `length`; absent: 1024 */
  readonly most?: number;
  /** a vector of two numbers: lowest, highest */
  readonly ordered?: true;
  /** a vector that may also be given as one number, for all dimensions */
  readonly orNumber?: true;
  readonly nullable?: true;
  /** the value of a key that the configuration omits */
  readonly absent?: ParamValue;
}

/** Values under fixed names. */
export interface Group {
  readonly kind: 'group';
  readonly description: string;
  readonly fields: Readonly<Record<string, KnobNode>>;
  /** null means "none"; an override of null starts from `start` */
  readonly nullable?: { readonly start: JsonObject };
}

/** Entries that can be added and removed: null removes an entry, and naming a known entry adds it. */
export interface Terms {
  readonly kind: 'terms';
  readonly description: string;
  /** name of an entry in messages: `observation term` */
  readonly noun: string;
  /** names that may be added */
  readonly known: readonly string[];
  /** Returns the initial entry for `name`; null for an unknown name. @param func given by the override, or null */
  create(name: string, func: string | null): JsonObject | null;
  /** Returns the fields of an entry. */
  nodeOf(name: string, entry: JsonObject): Group;
}

/** Maximum number of items of a vector whose leaf sets no other limit. */
export const MOST_ITEMS = 1024;

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the own property `key`; undefined if there is none. Ignores prototypes. */
export function own<T>(object: Readonly<Record<string, T>> | null | undefined, key: string): T | undefined {
  return object && Object.hasOwn(object, key) ? object[key] : undefined;
}
