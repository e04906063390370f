type Value = number | string | null;

/** How a table reads the value of a row in one column. */
export interface ValueOf<R> {
  readonly value: (row: R) => Value;
}

/** Returns for each column whether its values are numbers or missing. */
export function numericColumns<R>(rows: readonly R[], columns: readonly ValueOf<R>[]): readonly boolean[] {
  return columns.map(({ value }) => rows.every((row) => typeof value(row) !== 'string'));
}

/** Returns the rows ordered by a column. Missing values are last in both directions. */
export function orderedRows<R>(rows: readonly R[], { value }: ValueOf<R>, down: boolean): readonly R[] {
  return rows
    .map((row) => ({ row, value: value(row) }))
    .sort((a, b) => compare(a.value, b.value, down))
    .map(({ row }) => row);
}

const texts = new Intl.Collator(undefined, { numeric: true });

function compare(a: Value, b: Value, down: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const sign = down ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  return sign * texts.compare(String(a), String(b));
}
