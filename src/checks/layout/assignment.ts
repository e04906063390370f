/** Assigns a column to every row so that the sum of costs is minimal (shortest augmenting paths of Jonker and
 *  Volgenant).
 *  @param cost (n)(n), finite  @returns column of each row */
export function assign(cost: readonly ArrayLike<number>[]): number[] {
  const n = cost.length;
  const rowPrice = new Float64Array(n + 1);
  const columnPrice = new Float64Array(n + 1);
  /** row of each column, both counted from 1; 0: not assigned */
  const rowOf = new Int32Array(n + 1);
  for (let row = 1; row <= n; row++) {
    const least = new Float64Array(n + 1).fill(Infinity);
    const from = new Int32Array(n + 1);
    const done = new Uint8Array(n + 1);
    let column = 0;
    rowOf[0] = row;
    do {
      done[column] = 1;
      const current = rowOf[column]!;
      let step = Infinity;
      let next = 0;
      for (let other = 1; other <= n; other++) {
        if (done[other]) continue;
        const reduced = cost[current - 1]![other - 1]! - rowPrice[current]! - columnPrice[other]!;
        if (reduced < least[other]!) {
          least[other] = reduced;
          from[other] = column;
        }
        if (least[other]! < step) {
          step = least[other]!;
          next = other;
        }
      }
      for (let other = 0; other <= n; other++) {
        if (done[other]) {
          rowPrice[rowOf[other]!] = rowPrice[rowOf[other]!]! + step;
          columnPrice[other] = columnPrice[other]! - step;
        } else least[other] = least[other]! - step;
      }
      column = next;
    } while (rowOf[column] !== 0);
    for (; column !== 0; column = from[column]!) rowOf[column] = rowOf[from[column]!]!;
  }
  const out = new Array<number>(n).fill(0);
  for (let column = 1; column <= n; column++) out[rowOf[column]! - 1] = column - 1;
  return out;
}
