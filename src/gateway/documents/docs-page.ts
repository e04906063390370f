import { escapeHtml } from '../../core/escape-html.ts';
import type { OpenApiDocument, Operation, Parameter } from './openapi.ts';
import { type FieldLine, fieldLines, nameOfRef, type Resolve, type SchemaNode, typeText } from './schema-text.ts';

const STYLE = `
:root{color-scheme:light dark;--bg:light-dark(#fff,#14161a);--text:light-dark(#1c2026,#e6e8ec);--soft:light-dark(#5b6470,#9aa3b0);--line:light-dark(#dfe3e8,#2b3038);--panel:light-dark(#f5f6f8,#1b1e24);--accent:light-dark(#0b62c4,#6cb0ff)}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.layout{display:grid;grid-template-columns:240px minmax(0,860px);gap:40px;max-width:1200px;margin:0 auto;padding:24px}
nav{position:sticky;top:24px;align-self:start;max-height:calc(100vh - 48px);overflow:auto;font-size:12px}
nav ul{list-style:none;margin:0 0 12px;padding:0}
nav a{color:var(--soft);text-decoration:none;display:block;padding:1px 0;overflow-wrap:anywhere}
nav a:hover,nav a:focus-visible{color:var(--accent)}
nav strong{display:block;margin-top:8px}
h1{font-size:28px;margin:0 0 8px}h2{font-size:20px;margin:40px 0 8px;border-bottom:1px solid var(--line);padding-bottom:4px}
h3{font-size:14px;margin:28px 0 4px;overflow-wrap:anywhere}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12px}
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:8px 12px;overflow-x:auto}
.method{display:inline-block;min-width:56px;color:var(--accent)}
table{border-collapse:collapse;width:100%;margin:8px 0;font-size:12px}
th,td{text-align:left;vertical-align:top;padding:4px 12px 4px 0;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:500}
caption{text-align:left;color:var(--soft);padding-top:4px}
p{margin:4px 0}
a{color:var(--accent)}
@media (max-width:800px){.layout{grid-template-columns:minmax(0,1fr)}main{overflow-wrap:anywhere}nav{position:static;max-height:none}}
`;

interface Entry {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The API documentation as an HTML page without scripts, with a curl command for each route. */
export function docsPage(document: OpenApiDocument): string {
  return new DocsPage(document).html();
}

class DocsPage {
  readonly #document: OpenApiDocument;
  readonly #resolve: Resolve;

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#resolve = (ref) => document.components.schemas[nameOfRef(ref)] ?? {};
  }

  html(): string {
    const { info, paths, tags, components } = this.#document;
    const rows = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]): Entry => ({ id: operation.operationId, method: method.toUpperCase(), path, operation }),
      ),
    );
    // Sort by path, then reading before writing.
    const order = ['GET', 'PUT', 'POST', 'DELETE'];
    rows.sort((a, b) => compare(a.path, b.path) || order.indexOf(a.method) - order.indexOf(b.method));
    const groups = tags.map((tag) => ({ tag, rows: rows.filter((row) => row.operation.tags[0] === tag.name) }));
    const schemas = Object.entries(components.schemas);
    const nav = [
      ...groups.map(({ tag, rows: own }) =>
        navGroup(
          tag.name,
          own.map((row) => [row.id, `${row.method} ${row.path}`]),
        ),
      ),
      navGroup(
        'Schemas',
        schemas.map(([name]) => [schemaId(name), name]),
      ),
    ].join('');
    const sections = groups
      .map(
        ({ tag, rows: own }) =>
          `<section><h2>${escapeHtml(tag.name)}</h2><p>${prose(tag.description)}.</p>${own.map((row) => this.#article(row)).join('')}</section>`,
      )
      .join('');
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>motion-studio: HTTP API</title><link rel="icon" href="../favicon.svg"><style>${STYLE}</style></head>
<body><div class="layout"><nav aria-label="Routes">${nav}</nav><main>
<h1>motion-studio ${escapeHtml(info.version)}: HTTP API</h1>
<p>${prose(info.description)}</p>
<p>For programs: <a href="openapi.json">OpenAPI 3.1 document</a>. In the examples <code>B</code> is the address of this service, such as <code>B=http://127.0.0.1:8765</code>.</p>
${sections}<section><h2>Schemas</h2>${schemas.map(([name, schema]) => this.#schema(name, schema)).join('')}</section></main></div></body></html>
`;
  }

  #article({ id, method, path, operation }: Entry): string {
    const body = operation.requestBody?.content['application/json']?.schema;
    const reply = replyOf(operation);
    return `<article id="${id}"><h3><code><span class="method">${method}</span> ${escapeHtml(path)}</code></h3>
<p>${prose(operation.summary)}</p>${parameterTable(operation.parameters ?? [])}${body ? this.#fields('Body', body) : ''}
<pre>${escapeHtml(curl(method, path, operation))}</pre>${reply ? this.#reply(reply) : replyText(operation)}${conflictText(operation)}</article>`;
  }

  #reply({ schema, examples }: Reply): string {
    const shown = examples
      .map(
        ([name, value]) =>
          `${name === '' ? '' : `<p>${escapeHtml(name)}</p>`}<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`,
      )
      .join('');
    return `<details><summary>Reply <code>${typeHtml(schema)}</code></summary>${this.#fields('', schema)}${shown}</details>`;
  }

  #schema(name: string, schema: SchemaNode): string {
    const { description } = schema;
    const text = description === undefined ? '' : `<p>${prose(description)}</p>`;
    return `<article id="${schemaId(name)}"><h3><code>${name}</code></h3>${text}${this.#fields('', schema)}</article>`;
  }

  #fields(caption: string, schema: SchemaNode): string {
    // A choice of objects: one table for each.
    if (schema.oneOf) return schema.oneOf.map((one) => this.#fields(typeText(one), one)).join('');
    const lines = fieldLines(schema, this.#resolve);
    return lines.length === 0 ? `<p><code>${typeHtml(schema)}</code></p>` : fieldTable(caption, lines);
  }
}

interface Reply {
  readonly schema: SchemaNode;
  /** by name; '' for a single example */
  readonly examples: readonly (readonly [string, unknown])[];
}

function replyOf(operation: Operation): Reply | null {
  const media = operation.responses['200']?.content?.['application/json'];
  if (!media?.schema) return null;
  const several = Object.entries(media.examples ?? {}).map(([name, { value }]) => [name, value] as const);
  const one = media.example === undefined ? [] : [['', media.example] as const];
  return { schema: media.schema, examples: several.length > 0 ? several : one };
}

/** Compares code units: the order does not depend on the locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function navGroup(title: string, links: readonly (readonly [string, string])[]): string {
  const items = links.map(([id, text]) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`).join('');
  return `<strong>${escapeHtml(title)}</strong><ul>${items}</ul>`;
}

function schemaId(name: string): string {
  return `schema-${name}`;
}

function replyText(operation: Operation): string {
  const { description } = Object.values(operation.responses)[0] ?? {};
  return description === undefined ? '' : `<p>${prose(`Reply: ${description}`)}</p>`;
}

function conflictText(operation: Operation): string {
  const { description } = operation.responses['409'] ?? {};
  return description === undefined ? '' : `<p>409: ${prose(description)}.</p>`;
}

function parameterTable(parameters: readonly Parameter[]): string {
  return fieldTable(
    'Parameters',
    parameters.map(({ name, in: place, required, description = '', schema }) => {
      const usual = schema.default === undefined ? '' : `default \`${JSON.stringify(schema.default)}\``;
      const text = [description, usual].filter(Boolean).join('; ');
      return {
        name,
        type: typeText(schema),
        required,
        description: place === 'query' ? text : `In the ${place}${text === '' ? '' : `: ${text}`}`,
        depth: 0,
      };
    }),
  );
}

function fieldTable(caption: string, lines: readonly FieldLine[]): string {
  if (lines.length === 0) return '';
  const rows = lines
    .map(
      ({ name, type, required, description, depth }) =>
        `<tr><td><code>${'&nbsp;'.repeat(3 * depth)}${escapeHtml(name)}${required ? '' : '?'}</code></td><td><code>${linked(type)}</code></td><td>${prose(description)}</td></tr>`,
    )
    .join('');
  const head = caption === '' ? '' : `<caption>${caption}</caption>`;
  return `<table>${head}<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function typeHtml(schema: SchemaNode): string {
  return linked(typeText(schema));
}

/** Formats a type with links to its named schemas. Outside of quotes, only named schemas start with a capital
 *  letter. */
function linked(type: string): string {
  return type
    .split(/("[^"]*")/)
    .map((part) =>
      part.startsWith('"')
        ? escapeHtml(part)
        : escapeHtml(part).replaceAll(/\b[A-Z]\w+/g, (name) => `<a href="#${schemaId(name)}">${name}</a>`),
    )
    .join('');
}

/** Returns a curl command with the values of the example. */
function curl(method: string, path: string, { parameters = [], requestBody }: Operation): string {
  const exampleOf = (name: string) => parameters.find((parameter) => parameter.name === name)?.example;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(exampleOf(name) ?? name)
      .split('/')
      .map(encodeURIComponent)
      .join('/'),
  );
  const query = parameters
    .filter(({ in: place, example }) => place === 'query' && example !== undefined)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
    .join('&');
  const words = [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    `"$B${filled}${query === '' ? '' : `?${query}`}"`,
  ];
  const media = requestBody?.content['application/json'];
  if (media) {
    const body = media.example ?? Object.values(media.examples ?? {})[0]?.value;
    words.push(`-H 'content-type: application/json' -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`);
  } else if (requestBody) words.push('--data-binary @file');
  return words.join(' ');
}

/** Escapes a text and formats parts in backquotes as code. */
function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
