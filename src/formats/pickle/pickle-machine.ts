import { badInput } from '../../core/errors.ts';
import { JOBLIB_ARRAY, JoblibArray } from './joblib-array.ts';
import { checkKey } from './pickle-globals.ts';
import type { PickleInput } from './pickle-input.ts';
import {
  COST,
  isList,
  isTuple,
  kindOf,
  PickleBudget,
  type PickleDialect,
  PickleGlobal,
  type PickleValue,
} from './pickle-values.ts';
import { PickledArray, PickledType } from './pickled-array.ts';

/** The stack machine that executes a pickle. It only stores and moves values and never runs code that the file
 *  names. Nested values use the stack array instead of the call stack, so deep nesting cannot overflow the call
 *  stack. */
export class PickleMachine {
  readonly input: PickleInput;
  readonly dialect: PickleDialect;
  readonly budget = new PickleBudget();
  #stack: PickleValue[] = [];
  /** stack height at each mark */
  readonly #marks: number[] = [];
  readonly #memo = new Map<number, PickleValue>();
  #result: { readonly value: PickleValue } | null = null;

  constructor(input: PickleInput, dialect: PickleDialect) {
    this.input = input;
    this.dialect = dialect;
  }

  /** The value at the opcode STOP; null before STOP. */
  get result(): { readonly value: PickleValue } | null {
    return this.#result;
  }

  push(value: PickleValue, cost: number = COST.slot): void {
    this.budget.take(cost);
    this.#stack.push(value);
  }

  pop(): PickleValue {
    if (this.#stack.length <= (this.#marks.at(-1) ?? 0)) throw damaged('pops from an empty stack');
    return this.#stack.pop()!;
  }

  top(): PickleValue {
    if (this.#stack.length <= (this.#marks.at(-1) ?? 0)) throw damaged('pops from an empty stack');
    return this.#stack.at(-1)!;
  }

  mark(): void {
    this.budget.take(COST.slot);
    this.#marks.push(this.#stack.length);
  }

  /** Pops the last mark and returns all values above it. */
  popToMark(): PickleValue[] {
    const height = this.#marks.pop();
    if (height === undefined) throw damaged('uses a mark that was not set');
    return this.#stack.splice(height);
  }

  /** Executes POP, which removes the last mark if there is no value above it. */
  drop(): void {
    if (this.#marks.length > 0 && this.#stack.length === this.#marks.at(-1)) this.#marks.pop();
    else this.pop();
  }

  stop(): void {
    const value = this.pop();
    if (this.#stack.length > 0 || this.#marks.length > 0) throw damaged('ends with values left on the stack');
    this.#result = { value };
  }

  put(key: number): void {
    if (!this.#memo.has(key)) this.budget.take(2 * COST.entry);
    this.#memo.set(key, this.top());
  }

  memoize(): void {
    this.put(this.#memo.size);
  }

  get(key: number): void {
    const value = this.#memo.get(key);
    if (value === undefined) throw damaged('refers to a value that does not exist');
    this.push(value);
  }

  tuple(items: PickleValue[]): void {
    this.push(Object.freeze(items), COST.list + COST.slot * items.length);
  }

  list(items: PickleValue[]): void {
    this.push(items, COST.list + COST.slot * items.length);
  }

  append(items: readonly PickleValue[]): void {
    const list = this.top();
    if (!isList(list)) throw damaged(`appends to ${kindOf(list)} instead of a list`);
    this.budget.take(COST.slot * items.length);
    for (const item of items) list.push(item);
  }

  dict(items: readonly PickleValue[]): void {
    this.push(new Map(), COST.map);
    this.setItems(items);
  }

  /** Adds entries to the dict on top of the stack. @param items key, value, key, value, … */
  setItems(items: readonly PickleValue[]): void {
    const dict = this.top();
    if (!(dict instanceof Map)) throw damaged(`adds entries to ${kindOf(dict)} instead of a dict`);
    if (items.length % 2 !== 0) throw damaged('adds a key without a value to a dict');
    this.budget.take((COST.entry * items.length) / 2);
    for (let at = 0; at < items.length; at += 2) dict.set(checkKey(items[at]!), items[at + 1]!);
  }

  set(items: readonly PickleValue[]): void {
    this.push(new Set(), COST.map);
    this.addItems(items);
  }

  addItems(items: readonly PickleValue[]): void {
    const set = this.top();
    if (!(set instanceof Set)) throw damaged(`adds to ${kindOf(set)} instead of a set`);
    this.budget.take(COST.entry * items.length);
    for (const item of items) set.add(checkKey(item));
  }

  /** Executes REDUCE: calls one of the allowed globals. */
  reduce(): void {
    const args = this.pop();
    const callee = this.pop();
    if (!(callee instanceof PickleGlobal) || callee.call === null || !isTuple(args))
      throw badInput(`the pickle calls ${kindOf(callee)}, which is not allowed`);
    this.push(callee.call(args, this.budget));
  }

  /** Executes NEWOBJ: creates the placeholder of an array of joblib. Refuses objects of other classes. */
  newObject(): void {
    const args = this.pop();
    const type = this.pop();
    if (type !== JOBLIB_ARRAY || !isTuple(args) || args.length > 0)
      throw badInput(
        'the pickle creates an object of a class, which is not allowed. Only numpy arrays and plain values are supported.',
      );
    this.push(new JoblibArray(), COST.map);
  }

  /** Executes BUILD: sets the state of an array or of an element type. */
  build(): void {
    const state = this.pop();
    const target = this.top();
    if (target instanceof JoblibArray) {
      this.pop();
      this.push(target.read(state, this.input), COST.map);
      return;
    }
    if (target instanceof Map && this.dialect.dictAttributes) return;
    if (!(target instanceof PickledArray || target instanceof PickledType) || !isTuple(state))
      throw badInput(
        `the pickle sets the state of ${kindOf(target)}, which is supported only for numpy arrays. Save plain numbers, texts, lists and dicts.`,
      );
    target.build(state);
  }
}

/** Returns the error for a damaged pickle. @param what predicate that describes the fault, without a subject */
export function damaged(what: string): Error {
  return badInput(`not a pickle, or a damaged one: it ${what}`);
}
