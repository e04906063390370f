import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A column of a table. Clicking its header sorts the table by it. */
export interface Column<R> {
  readonly title: string;
  readonly unit?: string;
  readonly value: (row: R) => number | string | null;
  readonly show: (row: R) => ComponentChildren;
}

export interface SortedTableProps<R> {
  readonly label: string;
  readonly rows: readonly R[];
  readonly columns: readonly Column<R>[];
  readonly keyOf: (row: R) => string;
}

interface Order {
  readonly column: number;
  readonly down: boolean;
}

/** A table that is sorted by clicking a column header. The first cell of a row is its row header. Missing values are
 *  sorted last. */
export function SortedTable<R>({ label, rows, columns, keyOf }: SortedTableProps<R>) {
  const [order, setOrder] = useState<Order | null>(null);
  const by = columns[order?.column ?? -1];
  const sorted =
    order === null || by === undefined ? rows : rows.toSorted((a, b) => compare(by.value(a), by.value(b), order.down));
  const isNumeric = (column: Column<R>) => rows.every((row) => typeof column.value(row) !== 'string');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
    <section class="evaluate-scroll" tabIndex={0} aria-label={label}>
      <table class="evaluate-table">
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th
                key={column.title}
                scope="col"
                class={isNumeric(column) ? 'right' : ''}
                {...(order?.column === at ? { 'aria-sort': order.down ? 'descending' : 'ascending' } : {})}
              >
                <button
                  type="button"
                  onClick={() => setOrder({ column: at, down: order?.column === at && !order.down })}
                >
                  {column.title}
                  {column.unit !== undefined && <span class="faint"> {column.unit}</span>}
                  {order?.column === at && <span aria-hidden="true">{order.down ? ' ↓' : ' ↑'}</span>}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, at) =>
                at === 0 ? (
                  <th key={column.title} scope="row">
                    {column.show(row)}
                  </th>
                ) : (
                  <td key={column.title} class={isNumeric(column) ? 'num right' : ''}>
                    {column.show(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function compare(a: number | string | null, b: number | string | null, down: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const sign = down ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  return sign * String(a).localeCompare(String(b), undefined, { numeric: true });
}
