/** Writes the position of an environment, m: cell `index` of a grid of `total` cells around the origin. Rows follow
 *  each other along −x; the cells of a row follow each other along +y. A grid of n cells has ceil(n / floor(√n)) rows.
 *  Source: env origins of mjlab.
 *  @param out (2,) from `at` */
export function gridOrigin(index: number, total: number, spacing: number, out: Float64Array, at: number): void {
  const rows = Math.ceil(total / Math.max(1, Math.floor(Math.sqrt(total))));
  const columns = Math.ceil(total / rows);
  out[at] = ((rows - 1) / 2 - Math.floor(index / columns)) * spacing;
  out[at + 1] = ((index % columns) - (columns - 1) / 2) * spacing;
}
