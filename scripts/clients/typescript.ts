import type { OpenApiDocument } from '../../src/gateway/documents/openapi.ts';
import { nameOfRef, type SchemaNode } from '../../src/gateway/documents/schema-text.ts';
import { type Argument, type ClientOperation, pascalCase, wrapped } from './operations.ts';

const HEADER = `// Made from the route table by scripts/clients.ts. Do not edit.

/** Bytes that a call uploads. */
export type Upload = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array> | string;

/** One request to the service. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** with parameters as \`{name}\` */
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: object;
  readonly upload?: Upload;
  /** The reply names a task: wait for its end unless the options say otherwise. */
  readonly slow?: true;
}

export interface CallOptions {
  /** false: answers at once with the name of the task (default: waits for its end) */
  readonly wait?: boolean;
  readonly signal?: AbortSignal;
}
`;

/** Returns the types of the API and a class with one method for each operation, as TypeScript. */
export function typeScriptApi(document: OpenApiDocument, operations: readonly ClientOperation[]): string {
  const types = Object.entries(document.components.schemas)
    .filter(([name]) => name !== 'Error')
    .map(([name, schema]) => declaration(name, schema));
  return [HEADER, ...types, ...operations.flatMap(ownTypes), apiClass(operations)].join('\n');
}

/** Returns the types of an operation's input and reply. */
function ownTypes(operation: ClientOperation): string[] {
  const { id, reply } = operation;
  const name = pascalCase(id);
  const made: string[] = [];
  const inputs = operation.arguments;
  if (inputs.length > 0) {
    const fields = inputs.map((one) =>
      field(one.name, one.schema, { required: one.required, depth: 1, text: one.description }),
    );
    made.push(`/** What \`${id}\` sends. */\nexport interface ${name}Input {\n${fields.join('')}}\n`);
  }
  if (reply && !reply.$ref) made.push(declaration(`${name}Reply`, reply));
  return made;
}

function declaration(name: string, schema: SchemaNode): string {
  const { description } = schema;
  const about = description === undefined ? '' : comment(description, '');
  if (schema.properties) return `${about}export interface ${name} ${objectType(schema, 0)}\n`;
  return `${about}export type ${name} = ${typeOf(schema, 0)};\n`;
}

function typeOf(schema: SchemaNode, depth: number): string {
  if (schema.$ref) return nameOfRef(schema.$ref);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return [...new Set(choices.map((choice) => typeOf(choice, depth)))].join(' | ');
  if (schema.allOf) return schema.allOf.map((part) => typeOf(part, depth)).join(' & ');
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (typeof schema.type === 'object')
    return [...new Set(schema.type.map((type) => typeOf({ ...schema, type }, depth)))].join(' | ');
  switch (schema.type) {
    case 'array':
      return arrayType(schema, depth);
    case 'object':
      return objectType(schema, depth);
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return 'unknown';
  }
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
}

/** Returns the type of an array. A short array of fixed length becomes a tuple. */
function arrayType({ items = {}, minItems, maxItems }: SchemaNode, depth: number): string {
  const item = typeOf(items, depth);
  if (minItems !== undefined && minItems === maxItems && minItems <= 4)
    return `readonly [${Array.from({ length: minItems }, () => item).join(', ')}]`;
  return /[ |&]/.test(item) && !item.startsWith('{') ? `readonly (${item})[]` : `readonly ${item}[]`;
}

function objectType({ properties, required = [], additionalProperties }: SchemaNode, depth: number): string {
  if (!properties) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, depth) : 'unknown';
    return `{ readonly [name: string]: ${value} }`;
  }
  const fields = Object.entries(properties).map(([name, schema]) =>
    field(name, schema, { required: required.includes(name), depth: depth + 1, text: schema.description ?? '' }),
  );
  return `{\n${fields.join('')}${'  '.repeat(depth)}}`;
}

interface FieldOptions {
  readonly required: boolean;
  readonly depth: number;
  readonly text: string;
}

function field(name: string, schema: SchemaNode, { required, depth, text }: FieldOptions): string {
  const indent = '  '.repeat(depth);
  const usual = schema.default === undefined ? '' : `default: ${JSON.stringify(schema.default)}`;
  const about = [text, usual].filter(Boolean).join('; ');
  const key = /^\w+$/.test(name) ? name : literal(name);
  const type = typeOf(schema, depth);
  // Allow null for an optional field, because null means the same as an absent field.
  return `${about === '' ? '' : comment(about, indent)}${indent}readonly ${key}${required ? '' : '?'}: ${type};\n`;
}

function comment(text: string, indent: string): string {
  const lines = wrapped(text.replaceAll('*/', '*\\/'), 112 - indent.length);
  return `${indent}/** ${lines.join(`\n${indent} *  `)} */\n`;
}

function apiClass(operations: readonly ClientOperation[]): string {
  const methods = operations.map(methodText).join('\n');
  return `/** One method for each operation of the HTTP API. */
export abstract class StudioApi {
  /** Sends a request and returns the JSON of the reply. */
  protected abstract json(request: ApiRequest, options: CallOptions | undefined): Promise<unknown>;
  /** Sends a request and returns a successful reply, whose body is not read. */
  protected abstract send(request: ApiRequest, options: CallOptions | undefined): Promise<Response>;

${methods}}
`;
}

function methodText(operation: ClientOperation): string {
  const { id, method, path, summary, upload, json, slow, reply } = operation;
  const inputs = operation.arguments;
  const at = (place: Argument['place']) => inputs.filter((one) => one.place === place).map(({ name }) => name);
  const needsInput = inputs.some(({ required }) => required);
  const parameters = [
    ...(inputs.length > 0 ? [`input: ${pascalCase(id)}Input${needsInput ? '' : ' = {}'}`] : []),
    ...(upload ? ['content: Upload'] : []),
    'options?: CallOptions',
  ];
  const wants = at('path');
  const used = [...new Set([...wants, ...at('query'), ...at('body')])];
  const parts = [
    `method: '${method}'`,
    `path: '${path}'`,
    ...(wants.length > 0 ? [`params: { ${wants.join(', ')} }`] : []),
    ...(at('query').length > 0 ? [`query: { ${at('query').join(', ')} }`] : []),
    ...(json ? [at('body').length === 0 ? 'body: {}' : `body: { ${at('body').join(', ')} }`] : []),
    ...(upload ? ['upload: content'] : []),
    ...(slow ? ['slow: true'] : []),
  ];
  const type = reply === null ? 'Response' : reply.$ref ? nameOfRef(reply.$ref) : `${pascalCase(id)}Reply`;
  const call = reply === null ? 'this.send(request, options)' : `(await this.json(request, options)) as ${type}`;
  const unpack = used.length > 0 ? `    const { ${used.join(', ')} } = input;\n` : '';
  return `${comment(`${summary}. \`${method} ${path}\`${reply === null ? '. Returns the response, whose body is the file' : ''}`, '  ')}  async ${id}(${parameters.join(', ')}): Promise<${type}> {
${unpack}    const request: ApiRequest = { ${parts.join(', ')} };
    return ${call};
  }
`;
}
