import { expect, test } from 'vitest';
import { allRoutes } from '../../src/protocol/route-table.ts';

test('every POST declares a body, so that its type, its size and its JSON are checked', () => {
  const posts = allRoutes().filter(({ method }) => method === 'POST');
  expect(posts.length).toBeGreaterThan(50);
  expect(posts.filter(({ body }) => body === undefined).map(({ path }) => path)).toEqual([]);
});
