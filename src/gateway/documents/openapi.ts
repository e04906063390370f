import { type BinaryReply, type RouteSpec, TAGS, type Tag } from '../../protocol/route.ts';
import { DocumentSchemas } from './document-schemas.ts';
import { errorComponents, errorResponses } from './error-responses.ts';
import type { Example } from './examples/all-examples.ts';
import { NAMED_SCHEMAS } from './named-schemas.ts';
import type { SchemaNode } from './schema-text.ts';

export interface OpenApiOptions {
  readonly version: string;
  /** contracts by operation id */
  readonly routes: Readonly<Record<string, RouteSpec>>;
  /** examples by operation id */
  readonly examples: Readonly<Record<string, Example>>;
  readonly hasToken: boolean;
  readonly limits: { readonly jsonBytes: number; readonly uploadBytes: number };
}

/** The parts of OpenAPI 3.1 that the document uses. Schemas are JSON Schema 2020-12. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly license: object;
    readonly description: string;
  };
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaNode>>;
    readonly responses: Readonly<Record<string, object>>;
    readonly securitySchemes: object;
  };
  readonly security: readonly object[];
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly description: string; readonly content: MediaTypes };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: SchemaNode;
  readonly example?: unknown;
  readonly 'x-rest'?: true;
}

interface Response {
  readonly description?: string;
  readonly headers?: object;
  readonly content?: MediaTypes;
  readonly $ref?: string;
}

type MediaTypes = Readonly<
  Record<
    string,
    { readonly schema?: SchemaNode; readonly example?: unknown; readonly examples?: Readonly<Record<string, Shown>> }
  >
>;

interface Shown {
  readonly value: unknown;
}

const TAG_DESCRIPTIONS: Readonly<Record<Tag, string>> = {
  Robots: 'The registered robots, the selected robot with its pose, and the geometry of the scene',
  'Robot import': 'Add a robot from MJCF or URDF files: upload, inspect, check, save',
  Datasets: 'Folders of motion clips: list, upload, import, convert, download, delete',
  'Clip preview': 'Play clips in the scene',
  Plots: 'Curves over time of clips and of play sessions',
  Presets: 'Presets and modules: saved changes to a built-in task',
  Training: 'Launch trainings and read their curves',
  Jobs: 'Long work such as trainings and conversions: progress, log, stop',
  Runs: 'Results of trainings on disk',
  Evaluations: 'Evaluate policies on a motion library, also under changed conditions of the simulation',
  Exports: "Export policies with their clips for robots' controllers and test them",
  Play: 'Run trained policies in simulation',
  Trash: 'Undo deletions, replacements and renames',
  Recordings: 'Record the scene to a file, download it, and play it again',
  Service: 'Health, metrics, log, progress of slow actions, documentation and the websocket',
};

/** Describes the API as an OpenAPI 3.1 document. */
export function openApiDocument(options: OpenApiOptions): OpenApiDocument {
  const { version, routes, hasToken, limits } = options;
  const schemas = new DocumentSchemas(NAMED_SCHEMAS);
  const writer = new OperationWriter(schemas, options);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [name, spec] of Object.entries(routes)) {
    // OpenAPI has no parameter for the rest of a path: generated clients encode its slashes, which the router accepts.
    const path = spec.path.replace('*}', '}');
    paths[path] ??= {};
    paths[path][spec.method.toLowerCase()] = writer.operation(name, spec);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'motion-studio',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: descriptionOf(limits),
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: TAGS.map((name) => ({ name, description: TAG_DESCRIPTIONS[name] })),
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA, ...schemas.components() },
      responses: errorComponents(),
      securitySchemes: {
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'svc_studio_token',
          description: 'Set by opening `/?token=<token>` in a browser',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of the service (`--token`)' },
      },
    },
    // The empty requirement means that requests without a token are accepted.
    security: [...(hasToken ? [] : [{}]), { cookie: [] }, { bearer: [] }],
  };
}

const ERROR_SCHEMA: SchemaNode = {
  type: 'object',
  description: 'Body of every error',
  required: ['detail'],
  properties: {
    detail: { type: 'string', description: 'The problem and its remedy, starting with the name of the field' },
  },
};

function descriptionOf({ jsonBytes, uploadBytes }: OpenApiOptions['limits']): string {
  return [
    'HTTP API of motion-studio: robots, motion clips, tasks, training and playback.',
    'Every error has the body `{"detail": "<what is wrong>"}`.',
    'A slow action answers at once with the name of a task. `busy` events and `GET /api/busy` report its progress and its end. The header `Prefer: wait=<seconds>` (at most 60) makes the request wait for the end.',
    'In an optional field, `null` means the same as omitting the field; so does `""` in an optional name or path. Exceptions are described at the field.',
    'Paths under `/api` refuse unknown query parameters.',
    `A JSON body may have at most ${sizeText(jsonBytes)}, an upload ${sizeText(uploadBytes)}.`,
    'Every path answers OPTIONS with its methods; paths with GET also answer HEAD.',
    'The websocket `/ws` streams frames and events.',
  ].join(' ');
}

function sizeText(bytes: number): string {
  const [unit, size] = bytes >= 2 ** 30 ? ['GiB', 2 ** 30] : ['MiB', 2 ** 20];
  return `${Number((bytes / Number(size)).toFixed(2))} ${unit}`;
}

class OperationWriter {
  readonly #schemas: DocumentSchemas;
  readonly #options: OpenApiOptions;

  constructor(schemas: DocumentSchemas, options: OpenApiOptions) {
    this.#schemas = schemas;
    this.#options = options;
  }

  operation(operationId: string, spec: RouteSpec): Operation {
    const example = this.#options.examples[operationId] ?? {};
    const parameters = [...pathParameters(spec, example), ...this.#queryParameters(spec, example)];
    if (spec.slow) parameters.push(PREFER);
    const requestBody = this.#requestBody(spec, example);
    return {
      operationId,
      tags: [spec.tag],
      summary: spec.summary,
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(requestBody ? { requestBody } : {}),
      responses: { ...this.#success(spec, example), ...errorResponses(spec) },
    };
  }

  #queryParameters({ query }: RouteSpec, example: Example): Parameter[] {
    const { properties = {}, required = [] } = (query ?? {}) as SchemaNode;
    return Object.entries(properties).map(([name, field]) => {
      const { description, ...schema } = this.#schemas.refer(field);
      const value = example.query?.[name];
      return {
        name,
        in: 'query',
        required: required.includes(name),
        ...(description === undefined ? {} : { description }),
        schema,
        ...(value === undefined ? {} : { example: value }),
      };
    });
  }

  #requestBody({ body, upload }: RouteSpec, example: Example): Operation['requestBody'] {
    const { jsonBytes, uploadBytes } = this.#options.limits;
    if (upload) {
      const schema = { type: 'string', format: 'binary', maxLength: uploadBytes };
      return {
        required: true,
        description: `The bytes of the file, at most ${sizeText(uploadBytes)}. Any media type is accepted`,
        content: { 'application/octet-stream': { schema } },
      };
    }
    if (!body) return undefined;
    const { required = [] } = body as SchemaNode;
    return {
      ...(required.length > 0 ? { required: true } : {}),
      description: `At most ${sizeText(jsonBytes)}; an empty body means {}`,
      content: {
        'application/json': { schema: this.#schemas.refer(body), ...examplesOf(example, ({ body: value }) => value) },
      },
    };
  }

  #success({ reply, path, slow }: RouteSpec, example: Example): Operation['responses'] {
    if ('contentType' in reply) return binaryReply(reply as BinaryReply, path);
    const content = {
      'application/json': { schema: this.#schemas.refer(reply), ...examplesOf(example, ({ reply: value }) => value) },
    };
    return { '200': { description: 'Success', ...(slow ? { headers: PREFERENCE_APPLIED } : {}), content } };
  }
}

const PREFER: Parameter = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    '`wait=<seconds>` (at most 60) delays the answer until the task ends or the time has passed, and adds `busy`. A failed task also answers 200: see `busy.state`',
  schema: { type: 'string' },
  example: 'wait=30',
};

const PREFERENCE_APPLIED = {
  'Preference-Applied': {
    description: 'The applied waiting time, if the request sent `Prefer`',
    schema: { type: 'string' },
  },
};

function pathParameters({ path }: RouteSpec, { params = {} }: Example): Parameter[] {
  return [...path.matchAll(/\{(\w+)(\*?)\}/g)].map(([, name = '', rest]) => ({
    name,
    in: 'path',
    required: true,
    ...(rest ? { description: 'Relative path. Slashes may be encoded as `%2F`', 'x-rest': true } : {}),
    schema: { type: 'string', minLength: 1 },
    ...(params[name] === undefined ? {} : { example: params[name] }),
  }));
}

/** Returns the examples of a route: a single one, or several by name. */
function examplesOf(
  example: Example,
  pick: (of: Example) => unknown,
): { example?: unknown; examples?: Readonly<Record<string, Shown>> } {
  const first = pick(example);
  if (first === undefined) return {};
  if (!example.others) return { example: first };
  const others = Object.entries(example.others).map(([name, other]) => [name, { value: pick(other) }]);
  return { examples: { usual: { value: first }, ...Object.fromEntries(others) } };
}

function binaryReply({ contentType, description, status }: BinaryReply, path: string): Operation['responses'] {
  if (path === '/ws') return { '101': { description } };
  if (status === 302) return { '302': { description, headers: LOCATION } };
  const redirection =
    path === '/' ? { '302': { description: 'The token cookie is set. Redirects to the page', headers: LOCATION } } : {};
  const schema = contentType === 'application/octet-stream' ? { type: 'string', format: 'binary' } : { type: 'string' };
  const json = contentType === 'application/json' ? { type: 'object' } : schema;
  return { '200': { description, content: { [contentType]: { schema: json } } }, ...redirection };
}

const LOCATION = { Location: { description: 'Address of the redirect', schema: { type: 'string' } } };
