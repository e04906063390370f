import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { escapeHtml } from '../../src/core/escape-html.ts';
import type { SchemaNode } from '../../src/gateway/documents/schema-text.ts';
import type { RouteSpec } from '../../src/protocol/route.ts';
import { ROUTES } from '../../src/protocol/route-table.ts';
import { CONTENTS, type Entry, HOME } from './contents.ts';
import { type Rendered, renderDocument, type SearchEntry } from './render.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Files that are served as they are: path in the repository by address. */
const COPIED: Readonly<Record<string, string>> = {
  'site.css': 'scripts/docs-site/site.css',
  'search.js': 'scripts/docs-site/search.js',
  'motion_studio.py': 'clients/python/motion_studio.py',
};

interface Page extends Rendered {
  readonly url: string;
  readonly name: string;
}

/** Returns every file of the documentation site by its address relative to `/docs/`.
 *  @throws if a page shows a picture that does not exist */
export function siteFiles(): Map<string, string | Uint8Array> {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const entries = [HOME, ...CONTENTS.flatMap((section) => section.entries)];
  const urls = new Map(entries.map(({ file }) => [file, urlOf(file)]));
  const addressOf = (file: string) => urls.get(file) ?? (isPicture(file) ? pictureUrl(file) : null);
  const pages = new Map(entries.map((entry) => [entry.file, pageOf(entry, addressOf)]));
  const files = new Map<string, string | Uint8Array>();
  for (const page of pages.values()) {
    files.set(page.url, html(page, { pages, version }));
    for (const shown of page.shown) files.set(pictureUrl(shown), readFileSync(path.join(ROOT, shown)));
  }
  for (const [url, file] of Object.entries(COPIED)) files.set(url, readFileSync(path.join(ROOT, file)));
  const search = [...[...pages.values()].flatMap((page) => page.search), ...apiEntries()];
  files.set('search.json', JSON.stringify(search));
  return files;
}

/** `operation/service.html` of `docs/operation/service.md`. */
function urlOf(file: string): string {
  return `${file
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .toLowerCase()}.html`;
}

function isPicture(file: string): boolean {
  return /^docs\/.+\.(png|jpg|webp|svg)$/.test(file) && existsSync(path.join(ROOT, file));
}

function pictureUrl(file: string): string {
  return file.replace(/^docs\//, '');
}

function pageOf(entry: Entry, addressOf: (file: string) => string | null): Page {
  const { file } = entry;
  const url = urlOf(file);
  const markdown = readFileSync(path.join(ROOT, file), 'utf8');
  const rendered = renderDocument({ file, url, markdown, addressOf });
  return { ...rendered, url, name: entry.name ?? rendered.title };
}

/** Search entries of the operations of the HTTP API, which has its own page. */
function apiEntries(): SearchEntry[] {
  return Object.entries<RouteSpec>(ROUTES)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { method, path: route, summary, query, body }]) => {
      const fields = [query, body].flatMap((schema) =>
        Object.entries((schema as SchemaNode | undefined)?.properties ?? {}),
      );
      const text = fields.map(([name, { description = '' }]) => `${name}: ${description}`);
      return {
        url: `../api/docs#${id}`,
        page: 'HTTP API',
        heading: `${method} ${route}`,
        text: [summary, ...text].join('. '),
      };
    });
}

interface PageContext {
  readonly pages: ReadonlyMap<string, Page>;
  readonly version: string;
}

function html(page: Page, { pages, version }: PageContext): string {
  const up = '../'.repeat(page.url.split('/').length - 1);
  const link = ({ url, name }: Page) =>
    `<li><a href="${up}${url}"${url === page.url ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`;
  const sections = CONTENTS.map(
    ({ title, entries }) =>
      `<h2>${escapeHtml(title)}</h2><ul>${entries.map(({ file }) => link(pages.get(file)!)).join('')}</ul>`,
  );
  const below = page.headings.filter(({ depth }) => depth === 2 || depth === 3);
  const inside = below.map(
    ({ id, text, depth }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  const title = page.url === 'index.html' ? 'motion-studio' : `${page.title} – motion-studio`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><link rel="icon" href="${up}../favicon.svg"><link rel="stylesheet" href="${up}site.css"><script type="module" src="${up}search.js" data-site="${up}"></script></head>
<body><a class="skip" href="#text">Skip to the text</a>
<header><a class="home" href="${up}index.html">motion-studio <span>${escapeHtml(version)}</span></a><div class="search" role="search" hidden><input type="search" placeholder="Search (press /)" aria-label="Search the documentation" autocomplete="off" spellcheck="false"><div class="results" role="region" aria-label="Results" aria-live="polite" hidden></div></div><a href="${up}../">Open the studio</a></header>
<div class="layout"><nav class="pages" aria-label="Pages"><details open><summary>Pages</summary>${sections.join('')}<h2>API</h2><ul><li><a href="${up}../api/docs">HTTP API</a></li><li><a href="${up}../api/openapi.json">OpenAPI document</a></li><li><a href="${up}motion_studio.py" download>Python client</a></li></ul></details></nav>
<main id="text">${page.html}</main>${inside.length > 1 ? `<nav class="inside" aria-label="On this page"><h2>On this page</h2><ul>${inside.join('')}</ul></nav>` : ''}</div></body></html>
`;
}
