import type { OpenApiDocument } from '../../src/gateway/documents/openapi.ts';
import { nameOfRef, type SchemaNode } from '../../src/gateway/documents/schema-text.ts';
import { type Argument, type ClientOperation, fieldsOf, pascalCase, snakeCase, wrapped } from './operations.ts';

/** Words that cannot be the name of a field of a Python class. */
const KEYWORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield None True False'.split(
    ' ',
  ),
);
const PLAIN: Readonly<Record<string, string>> = {
  integer: 'int',
  number: 'float',
  string: 'str',
  boolean: 'bool',
  null: 'None',
};

interface PythonParts {
  readonly document: OpenApiDocument;
  readonly operations: readonly ClientOperation[];
  /** source of the part of the client that does not depend on routes, with a marker line for each generated part */
  readonly runtime: string;
}

/** Returns the Python client: one file with types, a class with one method for each operation, and the runtime.
 *  @throws if the runtime lacks a marker */
export function pythonClient({ document, operations, runtime }: PythonParts): string {
  const writer = new TypeWriter(document);
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (name !== 'Error') writer.declare(name, schema);
  }
  const methods = operations.map((operation) => new MethodWriter(operation, writer).text()).join('\n');
  return [
    ['# <types>', writer.text()],
    ['    # <methods>', methods.trimEnd()],
    ['<version>', document.info.version],
  ].reduce((text, [marker = '', part = '']) => {
    if (!text.includes(marker)) throw new Error(`runtime.py has no line "${marker}"`);
    return text.replace(marker, () => part);
  }, runtime);
}

/** Writes schemas as TypedDicts and type expressions. An object without a name gets that of its place. */
class TypeWriter {
  readonly #document: OpenApiDocument;
  readonly #classes: string[] = [];
  readonly #names = new Set<string>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  text(): string {
    return this.#classes.join('\n\n');
  }

  /** Declares a type, after the types that it needs. */
  declare(name: string, schema: SchemaNode): void {
    if (this.#names.has(name)) throw new Error(`two types are named ${name}`);
    this.#names.add(name);
    const fields = fieldsOf(schema, this.#document);
    const about = schema.description ?? '';
    if (!fields) this.#classes.push(`${name} = ${this.#alias(schema, name)}\n`);
    else if (Object.keys(fields.properties).some((key) => KEYWORDS.has(key)))
      this.#classes.push(this.#functional(name, fields));
    else this.#classes.push(this.#class(name, fields, about));
  }

  /** An expression that Python evaluates when it reads the file: names of later classes are quoted. */
  #alias(schema: SchemaNode, name: string): string {
    const type = this.type(schema, name);
    return type.includes(' | ')
      ? `Union[${type
          .split(' | ')
          .map((one) => `"${one}"`)
          .join(', ')}]`
      : type;
  }

  #class(name: string, { properties, required }: NonNullable<ReturnType<typeof fieldsOf>>, about: string): string {
    const lines = Object.entries(properties).flatMap(([key, schema]) => {
      const type = this.type(schema, `${name}${pascalCase(key)}`);
      const { description = '', default: usual } = schema;
      const text = [description, usual === undefined ? '' : `default: ${JSON.stringify(usual)}`].filter(Boolean);
      return [
        `    ${key}: ${required.has(key) ? type : `NotRequired[${type}]`}`,
        ...docstring(text.join('; '), '    '),
      ];
    });
    const body = lines.length > 0 ? lines : ['    pass'];
    return `class ${name}(TypedDict):\n${[...docstring(about, '    '), ...body].join('\n')}\n`;
  }

  #functional(name: string, { properties, required }: NonNullable<ReturnType<typeof fieldsOf>>): string {
    const lines = Object.entries(properties).map(([key, schema]) => {
      const type = this.type(schema, `${name}${pascalCase(key)}`).replaceAll('"', "'");
      return `        "${key}": "${required.has(key) ? type : `NotRequired[${type}]`}",`;
    });
    return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('\n')}\n    },\n)\n`;
  }

  /** @param place name of the class of an object without a name */
  type(schema: SchemaNode, place: string): string {
    if (schema.$ref) return nameOfRef(schema.$ref);
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices) return unionOf(choices.map((choice) => this.type(choice, place)));
    if (schema.allOf) {
      this.declare(place, schema);
      return place;
    }
    if (schema.enum) {
      const values = schema.enum.map((value) => (value === null ? 'None' : JSON.stringify(value)));
      return `Literal[${values.join(', ')}]`;
    }
    if (schema.const !== undefined) return constant(schema.const);
    if (typeof schema.type === 'object')
      return unionOf(schema.type.map((type) => this.type({ ...schema, type }, place)));
    if (schema.type === 'array') return `list[${this.type(schema.items ?? {}, place)}]`;
    if (schema.type === 'object') return this.#object(schema, place);
    return PLAIN[schema.type ?? ''] ?? 'Any';
  }

  #object(schema: SchemaNode, place: string): string {
    if (schema.properties) {
      this.declare(place, schema);
      return place;
    }
    const { additionalProperties: values } = schema;
    return `dict[str, ${typeof values === 'object' ? this.type(values, `${place}Value`) : 'Any'}]`;
  }
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function constant(value: unknown): string {
  if (typeof value === 'boolean') return `Literal[${value ? 'True' : 'False'}]`;
  return typeof value === 'string' ? `Literal[${JSON.stringify(value)}]` : Number.isInteger(value) ? 'int' : 'float';
}

/** Writes an operation as a method. */
class MethodWriter {
  readonly #operation: ClientOperation;
  readonly #types: TypeWriter;

  constructor(operation: ClientOperation, types: TypeWriter) {
    this.#operation = operation;
    this.#types = types;
  }

  text(): string {
    const { id, slow, reply } = this.#operation;
    const inputs = this.#operation.arguments;
    const type = reply === null ? 'Download' : this.#types.type(reply, `${pascalCase(id)}Reply`);
    const signature = [
      'self',
      ...inputs.filter(({ required }) => required).map((one) => this.#parameter(one)),
      ...(this.#operation.upload ? ['content: Upload'] : []),
      ...(slow || inputs.some(({ required }) => !required) ? ['*'] : []),
      ...inputs.filter(({ required }) => !required).map((one) => this.#parameter(one)),
      ...(slow ? ['wait: bool = True'] : []),
    ];
    const head = `    def ${snakeCase(id)}(${signature.join(', ')}) -> ${type}:`;
    const lines =
      head.length <= 120
        ? [head]
        : [`    def ${snakeCase(id)}(`, ...signature.map((one) => `        ${one},`), `    ) -> ${type}:`];
    return [...lines, ...this.#docstring(), ...this.#call(), ''].join('\n');
  }

  #parameter({ name, schema, required }: Argument): string {
    const type = this.#types.type(schema, `${pascalCase(this.#operation.id)}${pascalCase(name)}`);
    if (required) return `${argumentName(name)}: ${type}`;
    return `${argumentName(name)}: ${unionOf([...type.split(' | '), 'None'])} = None`;
  }

  #docstring(): string[] {
    const { summary, method, path, slow } = this.#operation;
    const described = this.#operation.arguments
      .map(({ name, description, schema: { default: usual } }) => {
        const text = [description, usual === undefined ? '' : `default: ${JSON.stringify(usual)}`].filter(Boolean);
        return [name, text.join('; ')] as const;
      })
      .filter(([, text]) => text !== '')
      .flatMap(([name, text]) =>
        wrapped(`${argumentName(name)}: ${text}`, 104).map((line, index) => `${index === 0 ? '' : '    '}${line}`),
      );
    const waits = slow ? ['wait: waits for the end of the task (default), or answers at once with its name'] : [];
    const lines = [...wrapped(`${summary}. \`${method} ${path}\``, 108)];
    const more = [...described, ...waits];
    if (more.length > 0) lines.push('', ...more);
    return quoted(lines, '        ');
  }

  #call(): string[] {
    const { method, path, upload, json, slow, reply } = this.#operation;
    const parts = [
      `"${method}"`,
      `"${path}"`,
      ...this.#sent('path', 'path'),
      ...this.#sent('query', 'query'),
      ...(json ? this.#sent('body', 'body', true) : []),
      ...(upload ? ['upload=content'] : []),
      ...(slow ? ['wait=wait'] : []),
    ];
    const call = `self._${reply === null ? 'download' : 'json'}`;
    const line = `        return ${call}(${parts.join(', ')})`;
    return line.length <= 120
      ? [line]
      : [`        return ${call}(`, ...parts.map((part) => `            ${part},`), '        )'];
  }

  #sent(keyword: string, place: Argument['place'], always = false): string[] {
    const inputs = this.#operation.arguments.filter((one) => one.place === place);
    if (inputs.length === 0) return always ? [`${keyword}={}`] : [];
    const given = inputs.filter(({ required }) => required).map(({ name }) => `"${name}": ${argumentName(name)}`);
    const others = inputs
      .filter(({ required }) => !required)
      .map(({ name }) => (KEYWORDS.has(name) ? `**{"${name}": ${argumentName(name)}}` : `${name}=${name}`));
    const optional = `_given(${others.join(', ')})`;
    if (given.length === 0) return [`${keyword}=${optional}`];
    return [`${keyword}={${[...given, ...(others.length > 0 ? [`**${optional}`] : [])].join(', ')}}`];
  }
}

/** Returns the name of an argument in Python: `from_` for `from`. */
function argumentName(name: string): string {
  return KEYWORDS.has(name) ? `${name}_` : name;
}

function docstring(text: string, indent: string): string[] {
  return text === '' ? [] : quoted(wrapped(text, 112 - indent.length), indent);
}

function quoted(lines: readonly string[], indent: string): string[] {
  const safe = lines.map((line) => line.replaceAll('\\', '\\\\').replaceAll('"""', "'''"));
  const shown = safe.map((line, index) =>
    index === 0 ? `${indent}"""${line}` : line === '' ? '' : `${indent}${line}`,
  );
  const last = shown.length - 1;
  if (last === 0) return [`${shown[0]}${shown[0]!.endsWith('"') ? ' ' : ''}"""`];
  return [...shown, `${indent}"""`];
}
