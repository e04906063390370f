import type { Knob } from '../../../../src/protocol/schemas/presets.ts';
import { integerIn } from '../../ui/number-field.ts';
import type { Json } from './shared/edits.ts';

const MINUS = '−';

/** Formats a value for fields and badges: `0.3 … 1.6`, `64, 64`, `−0.05`. Returns an empty text for null. */
export function valueText(value: unknown, ordered = false): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((item) => valueText(item)).join(ordered ? ' … ' : ', ');
  if (typeof value === 'number') return String(value).replaceAll('-', MINUS);
  if (typeof value === 'object') return 'as in the library';
  return String(value);
}

/** Formats a value like `valueText`, but writes null and booleans as words. */
export function badgeText(value: unknown, ordered = false): string {
  const text = valueText(value, ordered);
  if (value === true) return 'on';
  if (value === false) return 'off';
  return text === '' ? 'none' : text;
}

export type Parsed = { readonly value: Json } | { readonly problem: string };

/** Parses a text that the user typed as a value of `knob`. */
export function parseText(knob: Knob, text: string): Parsed {
  const trimmed = text.trim();
  if (trimmed === '' && knob.nullable === true) return { value: null };
  if (knob.type === 'string' || knob.type === 'enum') return checked(knob, trimmed);
  if (knob.type === 'vector' || knob.or_number === true) return parseList(knob, trimmed);
  return checked(knob, (knob.type === 'integer' ? integerOf(trimmed) : numberOf(trimmed)) ?? trimmed);
}

function parseList(knob: Knob, text: string): Parsed {
  const parts = text
    .split(knob.items === 'string' ? /[,\s]+/ : /\s*(?:…|\.{3}|[,;\s])\s*/)
    .filter((part) => part !== '');
  if (knob.items === 'string') return checked(knob, parts);
  const numbers = parts.map((part) => numberOf(part) ?? part);
  const [only] = numbers;
  return checked(knob, knob.or_number === true && numbers.length === 1 && only !== undefined ? only : numbers);
}

function integerOf(text: string): number | null {
  const value = integerIn(text.replaceAll(MINUS, '-'));
  return Number.isNaN(value) ? null : value;
}

function numberOf(text: string): number | null {
  const plain = text.replaceAll(MINUS, '-');
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : null;
}

function checked(knob: Knob, value: Json): Parsed {
  const problem = knobProblem(knob, value);
  return problem === null ? { value } : { problem };
}

/** Returns why a value is invalid for a knob, in the words of the service; null for a valid value. */
function knobProblem(knob: Knob, value: Json): string | null {
  if (value === null) return knob.nullable === true ? null : `must be ${phrase(knob)}`;
  if (knob.type === 'boolean') return typeof value === 'boolean' ? null : 'must be true or false';
  if (knob.type === 'string') return typeof value === 'string' ? null : 'must be a text';
  if (knob.type === 'enum')
    return typeof value === 'string' && knob.enum?.includes(value) === true ? null : `must be ${phrase(knob)}`;
  if (typeof value === 'number' && (knob.type !== 'vector' || knob.or_number === true))
    return isNumber(knob, value, knob.type === 'integer') ? null : `must be ${phrase(knob)}`;
  if (!Array.isArray(value) || (knob.type !== 'vector' && knob.or_number !== true)) return `must be ${phrase(knob)}`;
  const list = value as readonly Json[];
  if (knob.length !== undefined && list.length !== knob.length) return `must be ${phrase(knob)}`;
  const isGood = (item: Json) =>
    knob.items === 'string'
      ? typeof item === 'string' && (knob.enum?.includes(item) ?? true)
      : typeof item === 'number' && isNumber(knob, item, knob.items === 'integer');
  const bad = list.find((item) => !isGood(item));
  if (bad !== undefined) return `must be ${phrase(knob)}; ${JSON.stringify(bad)} does not fit`;
  if (knob.ordered === true && Number(list[0]) > Number(list[1])) return 'must begin with the lower number';
  return null;
}

function isNumber({ minimum, maximum, above }: Knob, value: number, whole: boolean): boolean {
  return (
    Number.isFinite(value) &&
    (!whole || Number.isSafeInteger(value)) &&
    value >= (minimum ?? Number.NEGATIVE_INFINITY) &&
    value <= (maximum ?? Number.POSITIVE_INFINITY) &&
    (above === undefined || value > above)
  );
}

function phrase(knob: Knob): string {
  const empty = knob.nullable === true ? ', or empty' : '';
  switch (knob.type) {
    case 'enum':
      return `one of ${(knob.enum ?? []).join(', ')}`;
    case 'integer':
      return `an integer${bounds(knob)}${empty}`;
    case 'vector': {
      const count = knob.length === undefined ? '' : `${knob.length} `;
      const items = knob.items === 'string' ? 'names' : knob.items === 'integer' ? 'integers' : 'numbers';
      return `${knob.or_number === true ? 'a number or ' : ''}${count}${items}${bounds(knob)}${empty}`;
    }
    case 'boolean':
      return 'true or false';
    case 'string':
      return 'a text';
    default:
      return `a number${bounds(knob)}${empty}`;
  }
}

function bounds({ minimum, maximum, above }: Knob): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${valueText(minimum)} to ${valueText(maximum)}`;
  const low = above !== undefined ? ` > ${valueText(above)}` : minimum !== undefined ? ` ≥ ${valueText(minimum)}` : '';
  return low + (maximum === undefined ? '' : `${low === '' ? '' : ' and'} ≤ ${valueText(maximum)}`);
}
