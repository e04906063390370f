import type { ClipFilters } from './dataset-browser.ts';

export type Sort = NonNullable<ClipFilters['sort']>;
export type Order = NonNullable<ClipFilters['order']>;

/** Orders of the clip table that the menu offers; the first is the default. */
export const SORTS: readonly (readonly [text: string, sort: Sort, order: Order])[] = [
  ['Name', 'name', 'asc'],
  ['Longest first', 'duration', 'desc'],
  ['Shortest first', 'duration', 'asc'],
  ['Worst findings first', 'worst', 'desc'],
  ['Best score first', 'score', 'desc'],
  ['Worst score first', 'score', 'asc'],
  ['Newest first', 'modified', 'desc'],
];

/** Returns the filters with another order of the table. */
export function sortedBy({ sort: _sort, order: _order, ...only }: ClipFilters, sort: Sort, order: Order): ClipFilters {
  return sort === 'name' && order === 'asc' ? only : { ...only, sort, order };
}

/** Returns the filters without the order and the status, which have their own controls. */
export function onlyFilters({ sort: _sort, order: _order, status: _status, ...only }: ClipFilters) {
  return only;
}
