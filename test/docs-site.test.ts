import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CONTENTS, HOME } from '../scripts/docs-site/contents.ts';
import { siteFiles } from '../scripts/docs-site/site.ts';
import { escapeHtml } from '../src/core/escape-html.ts';
import { allRoutes } from '../src/protocol/route-table.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Files of the service that pages link to, beside the site. */
const SERVICE = ['../', '../api/openapi.json', '../favicon.svg'];
const files = siteFiles();
const pages = [...files]
  .filter(([name]) => name.endsWith('.html'))
  .map(([name, html]) => [name, String(html)] as const);
const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!));

/** Returns why a link of a page leads nowhere; null for a good one. */
function problemOf(from: string, link: string): string | null {
  const [target = '', anchor] = link.split('#');
  const name = path.posix.normalize(
    path.posix.join(path.posix.dirname(from), target === '' ? path.posix.basename(from) : target),
  );
  if (SERVICE.includes(name)) return null;
  const found = files.get(name.replace('../docs/', ''));
  if (found === undefined) return `no file ${name}`;
  return anchor === undefined || idsOf(String(found)).has(decodeURIComponent(anchor)) ? null : `no heading #${anchor}`;
}

test.each(pages)('links and pictures of %s exist', (name, html) => {
  const links = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link]) => link!);
  const inside = links.filter((link) => !/^https?:/.test(link));
  expect(inside.length).toBeGreaterThan(5);
  expect(inside.map((link) => [link, problemOf(name, link)]).filter(([, problem]) => problem !== null)).toEqual([]);
});

test('every document is in the list of pages', () => {
  const listed = [HOME, ...CONTENTS.flatMap(({ entries }) => entries)].map(({ file }) => file);
  const documents = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.split(path.sep).join('/')}`);
  expect(documents.filter((file) => !listed.includes(file))).toEqual([]);
});

test.each(['examples/journey.sh', 'examples/journey.py'])('the guide shows %s exactly as the tests run it', (file) => {
  const script = readFileSync(path.join(ROOT, file), 'utf8');
  expect(files.get('guides/journey.html')).toContain(`<pre><code>${escapeHtml(script)}</code></pre>`);
  expect(String(files.get(file))).toBe(script);
});

test('every picture has a version for dark pages and at most 60 kB, all together have at most 600 kB', () => {
  const pictures = [...files].filter(([name]) => name.endsWith('.webp'));
  expect(pictures.length).toBeGreaterThan(0);
  for (const [name, bytes] of pictures) {
    expect([name, bytes.length]).toEqual([name, expect.toSatisfy((size: number) => size <= 60_000)]);
    expect(files.has(name.replace('-light.', '-dark.')), name).toBe(true);
    expect(files.has(name.replace('-dark.', '-light.')), name).toBe(true);
  }
  expect(pictures.reduce((sum, [, bytes]) => sum + bytes.length, 0)).toBeLessThanOrEqual(600_000);
});

test('documents name only documents that exist', () => {
  for (const { file } of CONTENTS.flatMap(({ entries }) => entries)) {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const named = [...text.matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([name]) => name);
    expect([file, named.filter((name) => !files.has(name.replace('docs/', '').replace('.md', '.html')))]).toEqual([
      file,
      [],
    ]);
  }
});

test('pages load nothing from other sites and run no inline script', () => {
  for (const [name, html] of pages) {
    expect([name, html.match(/<(?:script|img|link)[^>]*"https?:[^>]*>/g)]).toEqual([name, null]);
    expect([name, html.match(/<script(?![^>]*\bsrc=)|\son\w+="/g)]).toEqual([name, null]);
  }
});

test('the search finds sections of the documents and operations of the API', () => {
  const entries = JSON.parse(String(files.get('search.json'))) as { url: string; heading: string; text: string }[];
  expect(entries.find(({ url }) => url === 'deploy.html#self-test')?.text).toContain('within 2 %');
  expect(entries.find(({ heading }) => heading === 'POST /api/data/load')?.url).toBe('http-api.html#loadClip');
  expect(entries.filter(({ url }) => problemOf('index.html', url) !== null)).toEqual([]);
});

describe('the reference of the HTTP API', () => {
  const page = String(files.get('http-api.html'));

  test('the reference of the HTTP API has a command for every route', () => {
    expect(page.match(/<pre>curl /g)).toHaveLength(allRoutes().length);
  });

  test('the reference of the HTTP API lists routes by path, GET first', () => {
    const rows = [...page.matchAll(/<span class="method">(\w+)<\/span> ([^<]+)/g)].map(
      ([, method, at]) => `${method} ${at}`,
    );
    expect(rows.slice(0, 3)).toEqual(['GET /api/robot', 'POST /api/robot/joint', 'POST /api/robot/joint/options']);
    const presets = rows.filter((row) => row.endsWith('/api/presets/{name}'));
    expect(presets).toEqual(['GET', 'PUT', 'DELETE'].map((method) => `${method} /api/presets/{name}`));
  });

  test('the reference of the HTTP API shows fields with their meaning, and links the schemas', () => {
    expect(page).toContain('Position, rad (hinge) or m (slide), clamped to the range');
    expect(page).toContain('href="#schema-Job"');
  });
});
