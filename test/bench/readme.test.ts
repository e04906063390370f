import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const BENCH = path.resolve(import.meta.dirname, '../../bench');

test('bench/README.md has exactly one row for every bench', () => {
  const rows = [...readFileSync(path.join(BENCH, 'README.md'), 'utf8').matchAll(/^\| `([\w-]+)` \|/gm)].map(
    ([, name]) => name,
  );
  const benches = readdirSync(BENCH).flatMap((file) =>
    file.endsWith('.bench.ts') ? file.slice(0, -'.bench.ts'.length) : [],
  );
  expect(rows.toSorted()).toEqual(benches.toSorted());
});
