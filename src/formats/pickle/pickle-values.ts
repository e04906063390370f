import { badInput } from '../../core/errors.ts';

/** What a pickle holds. Lists are arrays, tuples frozen arrays, dicts maps; whole numbers beyond 2^53 are bigints.
 *  A pickle can hold itself: who walks it needs a bound of his own. */
export type PickleValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | UnreadBytes
  | PickleList
  | PickleDict
  | PickleSet
  | PickleGlobal
  | PickledObject;
export interface PickleList extends ReadonlyArray<PickleValue> {}
export interface PickleDict extends ReadonlyMap<PickleValue, PickleValue> {}
interface PickleSet extends ReadonlySet<PickleValue> {}

/** An object that a dialect makes from its own classes, such as a numpy array or a tensor. @see PickleDialect */
export class PickledObject {
  /** what messages call it, such as `a tensor` */
  readonly what: string;
  constructor(what: string) {
    this.what = what;
  }
}

/** What pickles of one kind may hold beside plain values. */
export interface PickleDialect {
  /** @throws bad_input naming what must not be referred to */
  find(module: string, name: string): PickleGlobal;
  /** What an object outside of the pickle is. @throws bad_input where there are none */
  outside(id: PickleValue): PickleValue;
  /** Whether dicts may be given attributes, which are left out. */
  readonly dictAttributes: boolean;
}

/** Bytes of a file that nobody asked for. */
export class UnreadBytes {
  readonly length: number;
  constructor(length: number) {
    this.length = length;
  }
}

/** A class or function that a pickle may name. It is no code of Python: `call` is what we make of a call of it. */
export class PickleGlobal {
  /** as Python would import it, such as `numpy.dtype` */
  readonly name: string;
  readonly call: PickleCall | null;
  constructor(name: string, call: PickleCall | null) {
    this.name = name;
    this.call = call;
  }
}
export type PickleCall = (args: readonly PickleValue[], budget: PickleBudget) => PickleValue;

/** What reading a pickle may take of memory beyond the file: a few bytes can ask for a lot. */
const MAX_BYTES = 256 << 20;

export class PickleBudget {
  #left: number;
  constructor(bytes = MAX_BYTES) {
    this.#left = bytes;
  }
  /** @throws bad_input when it is used up */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0)
      throw badInput('the pickle holds too many objects to be a clip; save the numbers as numpy arrays');
  }
}

/** Memory that values take, in bytes: rounded up from what V8 uses, growing arrays twice at a time. */
export const COST = { slot: 16, number: 24, text: 32, list: 64, bytes: 256, map: 256, entry: 64 } as const;

export function isTuple(value: PickleValue): value is PickleList {
  return Array.isArray(value) && Object.isFrozen(value);
}

export function isList(value: PickleValue): value is PickleValue[] {
  return Array.isArray(value) && !Object.isFrozen(value);
}

/** What messages call a value, such as `a dict`. */
export function kindOf(value: PickleValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return 'a bool';
  if (typeof value === 'number' || typeof value === 'bigint') return 'a number';
  if (typeof value === 'string') return 'a text';
  if (value instanceof Uint8Array || value instanceof UnreadBytes) return 'bytes';
  if (value instanceof Map) return 'a dict';
  if (value instanceof Set) return 'a set';
  if (value instanceof PickleGlobal) return value.name;
  if (value instanceof PickledObject) return value.what;
  return Object.isFrozen(value) ? 'a tuple' : 'a list';
}
