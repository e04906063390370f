import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');

interface Recipe {
  readonly title: string;
  readonly example: string;
  /** paths in the numbered list, relative to the repository; folders end with a slash */
  readonly places: readonly string[];
}

function recipes(): Recipe[] {
  const text = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const section = text.slice(text.indexOf('## Recipes'), text.indexOf('## Commits'));
  return section
    .split('\n### ')
    .slice(1)
    .map((part) => ({
      title: part.split('\n', 1)[0]!,
      example: /^Example: `(.+)`$/m.exec(part)![1]!,
      places: [...part.matchAll(/^\d+\. `(.+?)`/gm)].map((match) => match[1]!),
    }));
}

const sources = ['src', 'web/src'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name))),
);

/** First line of the file that a build makes from the routes. */
const GENERATED = '// Made from the route table';

/** Source files that contain the example's name, or are named after it. */
function placesOf(example: string): string[] {
  const word = new RegExp(`\\b${example}\\b`);
  return sources.filter((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    return word.test(file) || (word.test(text) && !text.startsWith(GENERATED));
  });
}

test('CONTRIBUTING has a recipe for each kind of extension', () => {
  expect(recipes().map(({ title }) => title)).toEqual([
    'Route',
    'Reward term',
    'Clip format',
    'Check of a clip',
    'Launcher',
    'Page area',
    'Settings section',
  ]);
});

test.each(recipes())('$title: the recipe lists every place where its example is named', ({ example, places }) => {
  for (const place of places) expect(() => statSync(path.join(ROOT, place))).not.toThrow();
  const found = placesOf(example).map((file) => places.find((place) => file.startsWith(place)) ?? file);
  expect([...new Set(found)].sort()).toEqual([...places].sort());
});
