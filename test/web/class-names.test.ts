import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// The styles of all areas are in one page, and those of an area are loaded when it first opens. A class of two areas
// looks different after the second area was opened.
test('no two areas style the same class on its own', () => {
  const owners = new Map<string, Set<string>>();
  for (const file of styleFiles())
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^\.([a-z][\w-]*) \{/gm))
      owners.set(name, (owners.get(name) ?? new Set()).add(path.basename(path.dirname(file))));
  expect(owners.size).toBeGreaterThan(50);
  const shared = [...owners].filter(([, areas]) => areas.size > 1).map(([name, areas]) => [name, ...areas]);
  expect(shared).toEqual([]);
});

function styleFiles(): string[] {
  const features = path.resolve('web/src/features');
  return readdirSync(features, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .map((file) => path.join(features, file));
}
