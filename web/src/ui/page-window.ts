/** The visible rows of a long list, with a margin above and below. */
export interface RowWindow {
  readonly first: number;
  /** one past the last */
  readonly end: number;
}

/** @param scrollTop px  @param height height of the list's box, px  @param row height of a row, px
 *  @param margin number of extra rows beyond each edge */
export function rowWindow(scrollTop: number, height: number, row: number, total: number, margin = 8): RowWindow {
  const first = Math.max(0, Math.min(total, Math.floor(scrollTop / row) - margin));
  const end = Math.max(first, Math.min(total, Math.ceil((scrollTop + height) / row) + margin));
  return { first, end };
}

/** Returns the numbers (from 1) of the pages that contain the rows of a window. */
export function pagesOf(window: RowWindow, size: number): readonly number[] {
  if (window.end <= window.first) return [];
  const from = Math.floor(window.first / size);
  const to = Math.floor((window.end - 1) / size);
  return Array.from({ length: to - from + 1 }, (_, k) => from + k + 1);
}

/** Returns the scroll position that brings a row into view with the least movement. */
export function scrollTo(index: number, scrollTop: number, height: number, row: number): number {
  const top = index * row;
  if (top < scrollTop) return top;
  if (top + row > scrollTop + height) return top + row - height;
  return scrollTop;
}
