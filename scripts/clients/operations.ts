import type { OpenApiDocument, Operation } from '../../src/gateway/documents/openapi.ts';
import { nameOfRef, type SchemaNode } from '../../src/gateway/documents/schema-text.ts';

/** A named value that a call sends. */
export interface Argument {
  readonly name: string;
  readonly place: 'path' | 'query' | 'body';
  readonly required: boolean;
  readonly description: string;
  readonly schema: SchemaNode;
}

/** An operation as a method of a client. */
export interface ClientOperation {
  readonly id: string;
  readonly method: string;
  /** parameters as `{name}` */
  readonly path: string;
  readonly summary: string;
  /** arguments; required ones come first */
  readonly arguments: readonly Argument[];
  /** true if the body consists of the bytes of a file */
  readonly upload: boolean;
  /** true if the body is JSON */
  readonly json: boolean;
  /** true if the task may continue after the reply */
  readonly slow: boolean;
  /** null: the reply is a file or text */
  readonly reply: SchemaNode | null;
}

/** Operations for browsers only: pages, redirects to pages, the upgrade to a websocket. */
const PAGES = new Set(['getPage', 'getDocs', 'getGuides', 'openTensorboard', 'openWebsocket']);

/** Returns the operations of the document that programs call, in its order.
 *  @throws if two arguments of an operation have the same name */
export function operationsOf(document: OpenApiDocument): ClientOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !PAGES.has(operation.operationId))
      .map(([method, operation]) => operationOf(method.toUpperCase(), path, operation)),
  );
}

function operationOf(method: string, path: string, operation: Operation): ClientOperation {
  const { operationId: id, summary, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const sent = [...parameters.flatMap(parameterArgument), ...bodyArguments(body)];
  const names = sent.map(({ name }) => name);
  if (new Set(names).size < names.length)
    throw new Error(`${id}: two arguments have the same name: ${names.join(' ')}`);
  return {
    id,
    method,
    path,
    summary,
    arguments: [...sent.filter(({ required }) => required), ...sent.filter(({ required }) => !required)],
    upload: requestBody?.content['application/octet-stream'] !== undefined,
    json: body !== undefined,
    slow: parameters.some(({ name, in: place }) => place === 'header' && name === 'Prefer'),
    reply: id === 'getOpenApi' ? { type: 'object' } : (responses['200']?.content?.['application/json']?.schema ?? null),
  };
}

function parameterArgument(parameter: NonNullable<Operation['parameters']>[number]): Argument[] {
  const { name, in: place, required, description = '', schema } = parameter;
  return place === 'header' ? [] : [{ name, place, required, description, schema }];
}

function bodyArguments(body: SchemaNode | undefined): Argument[] {
  const { properties = {}, required = [] } = body ?? {};
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    place: 'body',
    required: required.includes(name),
    description: schema.description ?? '',
    schema,
  }));
}

/** The fields of an object schema, including those of the parts of an `allOf`; null for any other schema. */
export interface ObjectFields {
  readonly properties: Readonly<Record<string, SchemaNode>>;
  readonly required: ReadonlySet<string>;
}

/** @param document finds the schemas of references */
export function fieldsOf(schema: SchemaNode, document: OpenApiDocument): ObjectFields | null {
  const node = schema.$ref ? document.components.schemas[nameOfRef(schema.$ref)]! : schema;
  if (!node.allOf) {
    const { properties, required = [] } = node;
    return properties ? { properties, required: new Set(required) } : null;
  }
  const parts = node.allOf.map((part) => fieldsOf(part, document));
  if (parts.includes(null)) return null;
  const known = parts.filter((part) => part !== null);
  return {
    properties: Object.assign({}, ...known.map(({ properties }) => properties)) as Record<string, SchemaNode>,
    required: new Set(known.flatMap(({ required }) => [...required])),
  };
}

/** Converts a name to snake case: `loadClip` to `load_clip`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts a name to Pascal case: `loadClip` or `load_clip` to `LoadClip`. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Breaks a text into lines of at most `width` characters. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
