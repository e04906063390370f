import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { escapeHtml } from '../../src/core/escape-html.ts';
import { EXAMPLES } from '../../src/gateway/documents/examples/all-examples.ts';
import { type OpenApiDocument, openApiDocument } from '../../src/gateway/documents/openapi.ts';
import { ROUTES } from '../../src/protocol/route-table.ts';
import { CONTENTS, type Entry, HOME } from './contents.ts';
import { renderHttpApi } from './http-api.ts';
import { type Rendered, renderDocument } from './render.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Files of the site's own pages: path in the repository by address. */
const ASSETS: Readonly<Record<string, string>> = {
  'site.css': 'scripts/docs-site/site.css',
  'search.js': 'scripts/docs-site/search.js',
  'motion_studio.py': 'clients/python/motion_studio.py',
};
/** The reference is also served as `/api/docs`, so its links start one folder above the site. */
const HTTP_API = { name: 'HTTP API', url: 'http-api.html', up: '../docs/' };

interface Page extends Rendered {
  readonly url: string;
  readonly name: string;
  /** address of the site relative to the page */
  readonly up: string;
}

/** Returns every file of the documentation site by its address relative to `/docs/`.
 *  @throws if a page shows a picture that does not exist */
export function siteFiles(): Map<string, string | Uint8Array> {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const files = new Map<string, string | Uint8Array>();
  const entries = [HOME, ...CONTENTS.flatMap((section) => section.entries)];
  const urls = new Map(entries.map(({ file }) => [file, urlOf(file)]));
  /** Adds the pictures and scripts that pages name. */
  const addressOf = (file: string) => {
    const page = urls.get(file);
    if (page !== undefined || !isCopied(file)) return page ?? null;
    const url = file.replace(/^docs\//, '');
    files.set(url, readFileSync(path.join(ROOT, file)));
    return url;
  };
  const pages = [
    ...entries.map((entry) => pageOf(entry, addressOf)),
    { ...renderHttpApi(defaultDocument(version), HTTP_API.url), ...HTTP_API },
  ];
  for (const page of pages) files.set(page.url, html(page, { pages, version }));
  for (const [url, file] of Object.entries(ASSETS)) files.set(url, readFileSync(path.join(ROOT, file)));
  files.set('search.json', JSON.stringify(pages.flatMap((page) => page.search)));
  return files;
}

/** `operation/service.html` of `docs/operation/service.md`. */
function urlOf(file: string): string {
  return `${file
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .toLowerCase()}.html`;
}

/** Files of the repository that the site copies. */
const COPIED = /^(docs\/.+\.(png|jpg|webp|svg)|examples\/[\w/-]+\.(sh|py|mjs|yml))$/;

function isCopied(file: string): boolean {
  return COPIED.test(file) && existsSync(path.join(ROOT, file));
}

/** Returns the text of a script of the examples; null for other files. @throws ENOENT for a missing script */
function scriptOf(file: string): string | null {
  return file.startsWith('examples/') && COPIED.test(file) ? readFileSync(path.join(ROOT, file), 'utf8') : null;
}

function pageOf(entry: Entry, addressOf: (file: string) => string | null): Page {
  const { file } = entry;
  const url = urlOf(file);
  const markdown = readFileSync(path.join(ROOT, file), 'utf8');
  const rendered = renderDocument({ file, url, markdown, addressOf, scriptOf });
  return { ...rendered, url, name: entry.name ?? rendered.title, up: '../'.repeat(url.split('/').length - 1) };
}

/** Returns the API description of a service with the default settings. */
function defaultDocument(version: string): OpenApiDocument {
  const limits = { jsonBytes: 2 ** 20, uploadBytes: 4 * 2 ** 30 };
  return openApiDocument({ version, routes: ROUTES, examples: EXAMPLES, hasToken: true, limits });
}

interface PageContext {
  readonly pages: readonly Page[];
  readonly version: string;
}

function html(page: Page, { pages, version }: PageContext): string {
  const { up } = page;
  const link = (to: string) => {
    const { name } = pages.find(({ url }) => url === to)!;
    return `<li><a href="${up}${to}"${to === page.url ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`;
  };
  const [guides, ...others] = CONTENTS.map(
    ({ title, entries }) =>
      `<h2>${escapeHtml(title)}</h2><ul>${entries.map(({ file }) => link(urlOf(file))).join('')}</ul>`,
  );
  const api = `<h2>API</h2><ul>${link(HTTP_API.url)}<li><a href="${up}../api/openapi.json">OpenAPI document</a></li><li><a href="${up}motion_studio.py" download>Python client</a></li></ul>`;
  const below = page.headings.filter(({ depth }) => depth === 2 || depth === 3);
  const inside = below.map(
    ({ id, text, depth }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  const title = page.url === 'index.html' ? 'motion-studio' : `${page.title} – motion-studio`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><link rel="icon" href="${up}../favicon.svg"><link rel="stylesheet" href="${up}site.css"><script type="module" src="${up}search.js" data-site="${up}"></script></head>
<body><a class="skip" href="#text">Skip to the text</a>
<header><a class="home" href="${up}index.html">motion-studio <span>${escapeHtml(version)}</span></a><div class="search" role="search" hidden><input type="search" placeholder="Search (press /)" aria-label="Search the documentation" autocomplete="off" spellcheck="false"><div class="results" role="region" aria-label="Results" aria-live="polite" hidden></div></div><a href="${up}../">Open the studio</a></header>
<div class="layout"><nav class="pages" aria-label="Pages"><details open><summary>Pages</summary>${[guides, api, ...others].join('')}</details></nav>
<main id="text">${page.html}</main>${inside.length > 1 ? `<nav class="inside" aria-label="On this page"><h2>On this page</h2><ul>${inside.join('')}</ul></nav>` : ''}</div></body></html>
`;
}
