import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CONTENTS, HOME } from '../scripts/docs-site/contents.ts';
import { siteFiles } from '../scripts/docs-site/site.ts';
import { ROUTES } from '../src/protocol/route-table.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Files of the service that pages link to, beside the site. */
const SERVICE = ['../', '../api/docs', '../api/openapi.json', '../favicon.svg'];
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
  if (SERVICE.includes(name)) return anchor === undefined || anchor in ROUTES ? null : `no operation ${anchor}`;
  const found = files.get(name);
  if (found === undefined) return `no file ${name}`;
  return anchor === undefined || idsOf(String(found)).has(decodeURIComponent(anchor)) ? null : `no heading #${anchor}`;
}

test.each(pages)('links and pictures of %s lead somewhere', (name, html) => {
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

test('pages load nothing from elsewhere and run no inline script', () => {
  for (const [name, html] of pages) {
    expect([name, html.match(/<(?:script|img|link)[^>]*"https?:[^>]*>/g)]).toEqual([name, null]);
    expect([name, html.match(/<script(?![^>]*\bsrc=)|\son\w+="/g)]).toEqual([name, null]);
  }
});

test('the search finds sections of the documents and operations of the API', () => {
  const entries = JSON.parse(String(files.get('search.json'))) as { url: string; heading: string; text: string }[];
  expect(entries.find(({ url }) => url === 'deploy.html#self-test')?.text).toContain('within 2 %');
  expect(entries.find(({ heading }) => heading === 'POST /api/data/load')?.url).toBe('../api/docs#loadClip');
  expect(entries.filter(({ url }) => problemOf('index.html', url) !== null)).toEqual([]);
});
