import type { OpenApiDocument, Operation, Parameter } from './openapi.ts';
import { exampleOf, type FieldLine, fieldLines, type SchemaNode, typeText } from './schema-text.ts';

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
@media (max-width:800px){.layout{grid-template-columns:1fr}nav{position:static;max-height:none}}
`;

interface Row {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The interface as a page that a person reads, with a command to try for each row. Needs no script. */
export function docsPage(document: OpenApiDocument): string {
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Row => ({ id: operation.operationId, method: method.toUpperCase(), path, operation }),
    ),
  );
  const groups = document.tags.map((tag) => ({ tag, rows: rows.filter((row) => row.operation.tags[0] === tag.name) }));
  const nav = groups
    .map(
      ({ tag, rows: own }) =>
        `<strong>${escapeHtml(tag.description)}</strong><ul>${own.map((row) => `<li><a href="#${row.id}">${row.method} ${escapeHtml(row.path)}</a></li>`).join('')}</ul>`,
    )
    .join('');
  const sections = groups
    .map(
      ({ tag, rows: own }) => `<section><h2>${escapeHtml(tag.description)}</h2>${own.map(article).join('')}</section>`,
    )
    .join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>motion-studio: HTTP API</title><link rel="icon" href="../favicon.svg"><style>${STYLE}</style></head>
<body><div class="layout"><nav aria-label="Rows">${nav}</nav><main>
<h1>motion-studio ${escapeHtml(document.info.version)}: HTTP API</h1>
<p>${prose(document.info.description)}</p>
<p>For programs: <a href="openapi.json">OpenAPI 3.1 document</a>. The examples use <code>B=http://127.0.0.1:8765</code>.</p>
${sections}</main></div></body></html>
`;
}

function article({ id, method, path, operation }: Row): string {
  const body = operation.requestBody?.content['application/json']?.schema as SchemaNode | undefined;
  const reply = replySchema(operation);
  return `<article id="${id}"><h3><code><span class="method">${method}</span> ${escapeHtml(path)}</code></h3>
<p>${prose(operation.summary)}</p>${parameterTable(operation.parameters ?? [])}${body ? fieldTable('Body', fieldLines(body)) : ''}
<pre>${escapeHtml(curl(method, path, operation))}</pre>${reply ? `<details><summary>Reply</summary>${fieldTable('', fieldLines(reply))}</details>` : replyText(operation)}</article>`;
}

function replySchema(operation: Operation): SchemaNode | undefined {
  const done = operation.responses['200'] as { content?: Record<string, { schema?: SchemaNode }> } | undefined;
  return done?.content?.['application/json']?.schema;
}

function replyText(operation: Operation): string {
  const done = operation.responses['200'] as { description?: string; content?: object } | undefined;
  return done?.description === undefined ? '' : `<p>${prose(`Reply: ${done.description}`)}</p>`;
}

function parameterTable(parameters: readonly Parameter[]): string {
  return fieldTable(
    'Parameters',
    parameters.map(({ name, in: place, required, description = '', schema }) => ({
      name,
      type: typeText(schema),
      required,
      description: place === 'query' ? description : `${place}${description ? `: ${description}` : ''}`,
      depth: 0,
    })),
  );
}

function fieldTable(caption: string, lines: readonly FieldLine[]): string {
  if (lines.length === 0) return '';
  const rows = lines
    .map(
      ({ name, type, required, description, depth }) =>
        `<tr><td><code>${'&nbsp;'.repeat(3 * depth)}${escapeHtml(name)}${required ? '' : '?'}</code></td><td><code>${escapeHtml(type)}</code></td><td>${prose(description)}</td></tr>`,
    )
    .join('');
  const head = caption === '' ? '' : `<caption>${caption}</caption>`;
  return `<table>${head}<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** A command that calls the row: with what must be given, and nothing else. */
function curl(method: string, path: string, { parameters = [], requestBody }: Operation): string {
  const query = parameters
    .filter(({ in: place, required }) => place === 'query' && required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(exampleOf(schema as SchemaNode, name)))}`)
    .join('&');
  const url = `"$B${path}${query === '' ? '' : `?${query}`}"`;
  const words = ['curl', ...(method === 'GET' ? [] : [`-X ${method}`]), url];
  const body = requestBody?.content['application/json']?.schema as SchemaNode | undefined;
  if (body) {
    words.push(`-H 'content-type: application/json' -d '${JSON.stringify(exampleOf(body)).replaceAll("'", "'\\''")}'`);
  } else if (requestBody) words.push('--data-binary @file');
  return words.join(' ');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Text with `code` in backquotes. */
function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
