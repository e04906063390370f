import { badInput } from '../../core/errors.ts';

/** A value of a pickle. Lists are arrays, tuples are frozen arrays, dicts are maps, and integers beyond 2^53 are
 *  bigints. A pickle can contain itself, so code that walks a value must limit the depth. */
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

/** An object that a dialect creates for its own classes, such as a numpy array or a tensor. @see PickleDialect */
export class PickledObject {
  /** name for messages, such as `a tensor` */
  readonly what: string;
  constructor(what: string) {
    this.what = what;
  }
}

/** The globals and objects that pickles of one kind may contain in addition to plain values. */
export interface PickleDialect {
  /** Returns a global. @throws bad_input naming a global that is not allowed */
  find(module: string, name: string): PickleGlobal;
  /** Resolves a persistent id, which refers to an object outside the pickle. @throws bad_input if the dialect does not
   *  allow persistent ids */
  outside(id: PickleValue): PickleValue;
  /** Whether dicts may have attributes. They are ignored. */
  readonly dictAttributes: boolean;
}

/** A byte string of a file whose content was skipped. */
export class UnreadBytes {
  readonly length: number;
  constructor(length: number) {
    this.length = length;
  }
}

/** A class or function that a pickle may name. `call` is implemented in this service, so no Python code runs. */
export class PickleGlobal {
  /** full Python name, such as `numpy.dtype` */
  readonly name: string;
  readonly call: PickleCall | null;
  constructor(name: string, call: PickleCall | null) {
    this.name = name;
    this.call = call;
  }
}
export type PickleCall = (args: readonly PickleValue[], budget: PickleBudget) => PickleValue;

/** Limit of memory for the values of a pickle, in addition to the file itself. A few bytes of a pickle can request a
 *  lot. */
const MAX_BYTES = 256 << 20;

export class PickleBudget {
  #left: number;
  constructor(bytes = MAX_BYTES) {
    this.#left = bytes;
  }
  /** @throws bad_input when the budget is exhausted */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0)
      throw badInput('the pickle contains too many objects for a clip. Save the numbers as numpy arrays.');
  }
}

/** Memory cost of values, bytes: V8's own cost rounded up, doubled for arrays that grow. */
export const COST = { slot: 16, number: 24, text: 32, list: 64, bytes: 256, map: 256, entry: 64 } as const;

export function isTuple(value: PickleValue): value is PickleList {
  return Array.isArray(value) && Object.isFrozen(value);
}

export function isList(value: PickleValue): value is PickleValue[] {
  return Array.isArray(value) && !Object.isFrozen(value);
}

/** Names the kind of a value for messages, such as `a dict`. */
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
