/** Where an environment stands, m: cell `index` of a grid of `total` about the origin, rows along −x, each filled along
 *  +y; a grid of n has ceil(n / floor(√n)) rows. Source: env origins of mjlab. @param out (2,) from `at` */
export function gridOrigin(index: number, total: number, spacing: number, out: Float64Array, at: number): void {
  const rows = Math.ceil(total / Math.max(1, Math.floor(Math.sqrt(total))));
  const columns = Math.ceil(total / rows);
  out[at] = ((rows - 1) / 2 - Math.floor(index / columns)) * spacing;
  out[at + 1] = ((index % columns) - (columns - 1) / 2) * spacing;
}
