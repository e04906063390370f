import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/controls.tsx';
import { whole } from '../../ui/format.ts';
import { numericColumns, orderedRows, type ValueOf } from './table-order.ts';

/** Number of rows that are rendered first, and that each click on the button below adds. */
const ROWS = 500;

/** A column of a table. Clicking its header sorts the table by it. */
export interface Column<R> extends ValueOf<R> {
  readonly title: string;
  readonly unit?: string;
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
  const [most, setMost] = useState(ROWS);
  const by = columns[order?.column ?? -1];
  const sorted = order === null || by === undefined ? rows : orderedRows(rows, by, order.down);
  const numeric = numericColumns(rows, columns);
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
                class={numeric[at] ? 'right' : ''}
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
          {sorted.slice(0, most).map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, at) =>
                at === 0 ? (
                  <th key={column.title} scope="row">
                    {column.show(row)}
                  </th>
                ) : (
                  <td key={column.title} class={numeric[at] ? 'num right' : ''}>
                    {column.show(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > most && (
        <p class="evaluate-more dim num">
          {whole(most)} of {whole(sorted.length)}
          <Button small kind="outline" onClick={() => setMost(most + ROWS)}>
            Show more
          </Button>
        </p>
      )}
    </section>
  );
}
