import { expect, test } from 'vitest';
import { assign } from '../../../src/checks/layout/assignment.ts';
import { randomFrom } from '../../support/random.ts';

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}

test('the assignment has the minimum sum of costs', () => {
  const random = randomFrom(2);
  for (let round = 0; round < 30; round++) {
    const n = 1 + (round % 6);
    const cost = Array.from({ length: n }, () => Float64Array.from({ length: n }, () => Math.round(20 * random())));
    const sum = (columns: readonly number[]) => columns.reduce((all, column, row) => all + cost[row]![column]!, 0);
    const found = assign(cost);
    expect(new Set(found).size).toBe(n);
    expect(sum(found)).toBe(Math.min(...permutations([...found].sort()).map(sum)));
  }
});
