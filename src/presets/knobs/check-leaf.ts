import { type Leaf, MOST_ITEMS } from './knob-tree.ts';

/** Returns why `value` is not valid for `leaf`, as the end of a sentence: `must be a number ≥ 0`; null for a valid
 *  value. Numbers that are not finite are never valid. */
export function leafProblem(leaf: Leaf, value: unknown): string | null {
  if (value === null) return leaf.nullable ? null : `must be ${phrase(leaf)}`;
  if (leaf.type !== 'vector') return isScalar(leaf, leaf.type, value) ? null : misfit(leaf, value);
  if (leaf.orNumber && isScalar(leaf, 'number', value)) return null;
  if (!Array.isArray(value)) return misfit(leaf, value);
  const list = value as readonly unknown[];
  if (leaf.length !== undefined && list.length !== leaf.length) return `must be ${phrase(leaf)}, not of ${list.length}`;
  const most = leaf.most ?? MOST_ITEMS;
  if (list.length > most) return `must have at most ${most} items, not ${list.length}`;
  for (const [index, item] of list.entries()) {
    if (!isScalar(leaf, leaf.items ?? 'number', item)) return `item ${index} must be ${itemPhrase(leaf)}${given(item)}`;
  }
  if (leaf.ordered && (list[0] as number) > (list[1] as number)) return 'must begin with the lower of its two numbers';
  return null;
}

/** Describes the valid values of `leaf`, as the end of "must be …". */
function phrase(leaf: Leaf): string {
  const orNull = leaf.nullable ? ' or null' : '';
  if (leaf.type !== 'vector') return scalarPhrase(leaf, leaf.type) + orNull;
  const count = leaf.length === undefined ? '' : ` of ${leaf.length}`;
  const what = leaf.items === 'string' ? 'texts' : leaf.items === 'integer' ? 'integers' : 'numbers';
  const items = leaf.enum ? `names from ${named(leaf.enum)}` : `${what}${bounds(leaf)}`;
  return `${leaf.orNumber ? 'a number or ' : ''}a list of${count === '' ? '' : ` ${leaf.length}`} ${items}${orNull}`;
}

function isScalar(leaf: Leaf, type: Leaf['type'], value: unknown): boolean {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
    case 'enum':
      return typeof value === 'string' && (leaf.enum?.includes(value) ?? true);
    default:
      return (
        typeof value === 'number' &&
        Number.isFinite(value) &&
        (type !== 'integer' || Number.isSafeInteger(value)) &&
        value >= (leaf.minimum ?? -Infinity) &&
        value <= (leaf.maximum ?? Infinity) &&
        (leaf.above === undefined || value > leaf.above)
      );
  }
}

function misfit(leaf: Leaf, value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must be a finite number';
  return `must be ${phrase(leaf)}${given(value)}`;
}

/** Quotes a short text, so that the message shows the value that was refused. */
function given(value: unknown): string {
  return typeof value === 'string' && value.length <= 40 ? `, not ${JSON.stringify(value)}` : '';
}

function itemPhrase(leaf: Leaf): string {
  return scalarPhrase(leaf, leaf.items === 'string' && leaf.enum ? 'enum' : (leaf.items ?? 'number'));
}

function scalarPhrase(leaf: Leaf, type: Leaf['type']): string {
  switch (type) {
    case 'boolean':
      return 'true or false';
    case 'string':
      return 'a text';
    case 'enum':
      return `one of ${named(leaf.enum ?? [])}`;
    case 'integer':
      return `an integer${bounds(leaf)}`;
    default:
      return `a number${bounds(leaf)}`;
  }
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, 12).join(', ');
  return names.length > 12 ? `${shown} … (${names.length} in all)` : shown;
}

function bounds({ minimum, maximum, above }: Leaf): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  const low = above !== undefined ? ` > ${above}` : minimum !== undefined ? ` ≥ ${minimum}` : '';
  const high = maximum === undefined ? '' : `${low === '' ? '' : ' and'} ≤ ${maximum}`;
  return low + high;
}
