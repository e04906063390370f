import { escapeHtml } from '../../src/core/escape-html.ts';
import type { OpenApiDocument, Operation, Parameter } from '../../src/gateway/documents/openapi.ts';
import {
  type FieldLine,
  fieldLines,
  nameOfRef,
  type Resolve,
  type SchemaNode,
  typeText,
} from '../../src/gateway/documents/schema-text.ts';
import type { Heading, Rendered, SearchEntry } from './render.ts';

const TITLE = 'HTTP API';

interface Entry {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Renders the reference of the HTTP API, with a curl command for each operation.
 *  @param url address of the page relative to the site */
export function renderHttpApi(document: OpenApiDocument, url: string): Rendered {
  return new HttpApiRenderer(document, url).rendered();
}

class HttpApiRenderer {
  readonly #document: OpenApiDocument;
  readonly #url: string;
  readonly #resolve: Resolve;

  constructor(document: OpenApiDocument, url: string) {
    this.#document = document;
    this.#url = url;
    this.#resolve = (ref) => document.components.schemas[nameOfRef(ref)] ?? {};
  }

  rendered(): Rendered {
    const { info, paths, tags, components } = this.#document;
    const rows = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]): Entry => ({ id: operation.operationId, method: method.toUpperCase(), path, operation }),
      ),
    );
    // Sort by path, then by method, reading methods first.
    const order = ['GET', 'PUT', 'POST', 'DELETE'];
    rows.sort((a, b) => compare(a.path, b.path) || order.indexOf(a.method) - order.indexOf(b.method));
    const groups = tags.map((tag) => ({ tag, rows: rows.filter((row) => row.operation.tags[0] === tag.name) }));
    const schemas = Object.entries(components.schemas);
    const headings = groups.flatMap(({ tag, rows: own }): Heading[] => [
      { id: tagId(tag.name), text: tag.name, depth: 2 },
      ...own.map(({ id, method, path }) => ({ id, text: `${method} ${path}`, depth: 3 })),
    ]);
    const sections = groups
      .map(
        ({ tag, rows: own }) =>
          `<section><h2 id="${tagId(tag.name)}">${escapeHtml(tag.name)}</h2><p>${prose(tag.description)}.</p>${own.map((row) => this.#article(row)).join('')}</section>`,
      )
      .join('');
    const html = `<h1>${TITLE}</h1>
<p>${prose(info.description)} The limits are those that <code>limits</code> of <code>studio.yaml</code> has by default.</p>
<p>In the examples <code>B</code> is the address of this service, such as <code>B=http://127.0.0.1:8765</code>. For programs: <a href="../api/openapi.json">OpenAPI 3.1 document</a>.</p>
${sections}<section><h2 id="schemas">Schemas</h2>${schemas.map(([name, schema]) => this.#schema(name, schema)).join('')}</section>`;
    return {
      title: TITLE,
      html,
      headings: [...headings, { id: 'schemas', text: 'Schemas', depth: 2 }],
      search: rows.map((row) => this.#searchEntry(row)),
    };
  }

  #searchEntry({ id, method, path, operation: { summary, parameters = [], requestBody } }: Entry): SearchEntry {
    const body = requestBody?.content['application/json']?.schema?.properties ?? {};
    const fields = [
      ...parameters
        .filter(({ in: place }) => place !== 'header')
        .map(({ name, description }) => ({ name, description })),
      ...Object.entries(body).map(([name, { description }]) => ({ name, description })),
    ];
    const text = fields.map(({ name, description = '' }) => `${name}: ${description}`);
    return {
      url: `${this.#url}#${id}`,
      page: TITLE,
      heading: `${method} ${path}`,
      text: [summary, ...text].join('. '),
    };
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
    // Show a table for each alternative of a choice between objects.
    if (schema.oneOf) return schema.oneOf.map((one) => this.#fields(typeText(one), one)).join('');
    const lines = fieldLines(schema, this.#resolve);
    return lines.length === 0 ? `<p><code>${typeHtml(schema)}</code></p>` : fieldTable(caption, lines);
  }
}

interface Reply {
  readonly schema: SchemaNode;
  /** examples by name; the name is '' for a single example */
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

function tagId(name: string): string {
  return `tag-${name.toLowerCase().replaceAll(' ', '-')}`;
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
  return `<div class="table"><table>${head}<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
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
