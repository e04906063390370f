import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importsOf } from '../support/imports.ts';

/** What each part of the page may import besides itself and `protocol`; parts in MATH may also import `core/math`. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  ui: [],
  net: ['ui'],
  scene: [],
  viewport: ['ui', 'net', 'scene'],
  features: ['ui', 'net', 'scene', 'viewport'],
  shell: ['ui', 'net', 'scene', 'viewport', 'features'],
};
const MATH = ['scene', 'viewport', 'features'];

const SRC = path.resolve(import.meta.dirname, '../../web/src');

interface Import {
  readonly from: string;
  /** path below `web/src`; other files of the repository begin with `src/` */
  readonly to: string;
}

/** The table of areas loads the parts of its rows, so it is above all features. */
const isTable = (file: string) => file === 'features/areas.ts';
const isEntry = (file: string) => !file.includes('/');
const partOf = (file: string) => file.split('/')[0]!;
const featureOf = (file: string) => (partOf(file) === 'features' && !isTable(file) ? file.split('/')[1]! : null);
/** Other features may import a feature's stores and its folder `shared`. */
const isShared = (file: string) => /-store\.ts$/.test(file) || file.split('/')[2] === 'shared';

const imports: readonly Import[] = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .flatMap((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return importsOf(readFileSync(file, 'utf8'))
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => {
        const to = path.relative(SRC, path.resolve(path.dirname(file), specifier));
        return { from: path.relative(SRC, file), to: to.replace(/^(\.\.\/)+/, '') };
      });
  });

function isAllowed({ from, to }: Import): boolean {
  if (isEntry(from)) return true;
  const own = partOf(from);
  if (to.startsWith('src/protocol/')) return true;
  if (to.startsWith('src/core/math/')) return MATH.includes(own);
  if (isTable(from)) return true;
  const feature = featureOf(from);
  if (isTable(to)) return own === 'shell';
  if (feature !== null && featureOf(to) !== null) return feature === featureOf(to) || isShared(to);
  return partOf(to) === own || PARTS[own]?.includes(partOf(to)) === true;
}

const written = ({ from, to }: Import) => `${from} → ${to}`;

test('every folder of the page is in the table of parts', () => {
  const folders = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map((entry) => entry.name).filter((name) => !(name in PARTS))).toEqual([]);
});

test('a part of the page imports only what its row allows; a feature imports only stores and shared parts of others', () => {
  expect(imports.filter((one) => !isAllowed(one)).map(written)).toEqual([]);
});

test('features of the page do not import each other in a circle, including types', () => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [a, b] = [featureOf(from), featureOf(to)];
    if (a === null || b === null || a === b) continue;
    edges.set(a, (edges.get(a) ?? new Set()).add(b));
  }
  expect(cyclesOf(edges)).toEqual([]);
});

/** Pairs of features that import each other, directly or indirectly: `a ↔ b`, sorted. */
function cyclesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const reached = new Map<string, Set<string>>();
  for (const start of edges.keys()) {
    const found = new Set<string>();
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const next of edges.get(at) ?? []) if (!found.has(next)) open.push(found.add(next) && next);
    reached.set(start, found);
  }
  const names = [...reached.keys()].sort();
  return names.flatMap((a) =>
    names.filter((b) => a < b && reached.get(a)?.has(b) && reached.get(b)?.has(a)).map((b) => `${a} ↔ ${b}`),
  );
}

test('the ids, keys and titles of areas are unique, and every area named in the code is in the table', () => {
  const table = readFileSync(path.join(SRC, 'features/areas.ts'), 'utf8');
  const column = (name: string) => [...table.matchAll(new RegExp(`^    ${name}: '([^']+)'`, 'gm'))].map((m) => m[1]!);
  for (const name of ['id', 'title', 'key']) expect(new Set(column(name)).size, name).toBe(column(name).length);
  const ids = new Set(column('id'));
  const named = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) =>
      [
        ...readFileSync(path.join(SRC, file), 'utf8').matchAll(
          /\bgoTo\('([^']+)'\)|\barea\.(?:value|peek\(\)) [!=]== '([^']+)'/g,
        ),
      ].map((match) => ({ file, id: (match[1] ?? match[2])! })),
    );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ id }) => !ids.has(id))).toEqual([]);
});
