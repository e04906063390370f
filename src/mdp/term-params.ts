import { badInput } from '../core/errors.ts';
import type { Params } from './task-config.ts';
import type { ParamSchema, TermContext } from './term.ts';

/** The schema of a term without parameters. */
export const NO_PARAMS: Readonly<Record<string, ParamSchema>> = {};

/** Parameter: the keybodies to include, by name; null: all. */
export const BODY_NAMES: ParamSchema = {
  type: 'names',
  default: null,
  description: 'key bodies to include, by name; null: all of the motion command',
};

/** Reads the parameters of one term. A missing parameter gets the default of the schema.
 *  @throws StudioError bad_input for a parameter of the wrong type */
export class TermParams {
  private readonly schema: Readonly<Record<string, ParamSchema>>;
  private readonly given: Params;

  constructor(schema: Readonly<Record<string, ParamSchema>>, given: Params) {
    this.schema = schema;
    this.given = given;
  }

  private value(name: string): unknown {
    const given = Object.hasOwn(this.given, name) ? this.given[name] : undefined;
    return given === undefined ? this.schema[name]!.default : given;
  }

  number(name: string): number {
    const value = this.value(name);
    if (typeof value !== 'number' || Number.isNaN(value)) throw wrong(name, 'a number', value);
    return value;
  }

  numberOrNull(name: string): number | null {
    return this.value(name) === null ? null : this.number(name);
  }

  boolean(name: string): boolean {
    const value = this.value(name);
    if (typeof value !== 'boolean') throw wrong(name, 'true or false', value);
    return value;
  }

  string(name: string): string {
    const value = this.value(name);
    if (typeof value !== 'string') throw wrong(name, 'a text', value);
    const allowed = this.schema[name]!.enum;
    if (allowed && !allowed.includes(value)) throw wrong(name, `one of ${allowed.join(', ')}`, value);
    return value;
  }

  /** @param length expected number of values */
  vector(name: string, length: number): readonly number[] {
    const value = this.value(name);
    if (!Array.isArray(value) || value.length !== length || !value.every((x) => Number.isFinite(x)))
      throw wrong(name, `${length} numbers`, value);
    return value as readonly number[];
  }

  namesOrNull(name: string): readonly string[] | null {
    const value = this.value(name);
    if (value === null) return null;
    if (!Array.isArray(value) || !value.every((x) => typeof x === 'string'))
      throw wrong(name, 'a list of names', value);
    return value as readonly string[];
  }

  /** Returns the indices of the bodies of parameter `body_names` among the keybodies, in the order of the names. */
  keybodies(context: TermContext): Int32Array {
    const names = this.namesOrNull('body_names');
    return names === null
      ? Int32Array.from(context.indices.keybodies.keys())
      : Int32Array.from(names, (name) => context.keybody(name));
  }
}

/** Returns the indices of the named joints, or of all joints for null.
 *  @throws StudioError bad_input for an unknown joint */
export function jointsNamed({ facts }: TermContext, names: readonly string[] | null): Int32Array {
  if (names === null) return Int32Array.from(facts.joints.keys());
  return Int32Array.from(names, (name) => {
    const at = facts.joints.findIndex((joint) => joint.name === name);
    if (at < 0) throw badInput(`joint_names: ${facts.name} has no joint ${name}`);
    return at;
  });
}

/** Returns the index of a body, not counting the world.
 *  @throws StudioError bad_input for an unknown body */
export function bodyNamed({ facts }: TermContext, name: string): number {
  const at = facts.bodies.findIndex((body) => body.name === name);
  if (at < 0) throw badInput(`body_name: ${facts.name} has no body ${name}`);
  return at;
}

function wrong(name: string, wanted: string, value: unknown): Error {
  return badInput(`params.${name}: must be ${wanted}, not ${JSON.stringify(value) ?? String(value)}`);
}
