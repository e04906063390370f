import type { TSchema } from 'typebox';
import type { BinaryReply, RouteSpec } from '../../protocol/route.ts';

export interface OpenApiOptions {
  readonly version: string;
  /** contracts by the name of their operation */
  readonly routes: Readonly<Record<string, RouteSpec>>;
  readonly hasToken: boolean;
}

/** The parts of an OpenAPI 3.1 document that this one uses. Schemas are JSON Schema 2020-12, as the contracts hold them. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
  readonly security?: readonly object[];
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: MediaTypes };
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: MediaTypes } | object>
  >;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: object;
  readonly 'x-rest'?: true;
}

type MediaTypes = Readonly<Record<string, { readonly schema?: object }>>;

const AREAS: Readonly<Record<RouteSpec['area'], string>> = {
  service: 'The service itself',
  robots: 'Robots: the selected one, its pose and its model',
  import: 'Adding a robot',
  data: 'Datasets, clips and the preview',
  presets: 'Presets and modules of the task configuration',
  training: 'Runs, jobs and training curves',
  play: 'Policies at work',
  plots: 'Curves of clips and sessions',
};

const ERROR = { $ref: '#/components/responses/Error' };

/** The interface as an OpenAPI 3.1 document. */
export function openApiDocument({ version, routes, hasToken }: OpenApiOptions): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [name, spec] of Object.entries(routes)) {
    // A rest of a path is no notion of OpenAPI: its slashes would have to be encoded.
    const path = spec.path.replace('*}', '}');
    paths[path] ??= {};
    paths[path][spec.method.toLowerCase()] = operation(name, spec);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'motion-studio',
      version,
      description:
        'Robots, motion clips, tasks, training and playback behind one port. Errors are `{detail}`; slow actions answer at once with the name of a task, whose life `busy` events and `GET /api/busy` tell. Frames and events come over the websocket `/ws`.',
    },
    tags: Object.entries(AREAS).map(([tag, description]) => ({ name: tag, description })),
    paths,
    components: {
      responses: {
        Error: {
          description: 'What went wrong, as a sentence a person can act on',
          content: {
            'application/json': {
              schema: { type: 'object', required: ['detail'], properties: { detail: { type: 'string' } } },
            },
          },
        },
      },
      securitySchemes: {
        cookie: { type: 'apiKey', in: 'cookie', name: 'svc_studio_token' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
    ...(hasToken ? { security: [{ cookie: [] }, { bearer: [] }] } : {}),
  };
}

function operation(operationId: string, spec: RouteSpec): Operation {
  const parameters = parametersOf(spec);
  const requestBody = requestBodyOf(spec);
  return {
    operationId,
    tags: [spec.area],
    summary: spec.summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: { ...success(spec), '4XX': ERROR, '5XX': ERROR },
  };
}

function parametersOf({ path, query, slow }: RouteSpec): Parameter[] {
  const inPath = [...path.matchAll(/\{(\w+)(\*?)\}/g)].map(
    ([, name = '', rest]): Parameter => ({
      name,
      in: 'path',
      required: true,
      ...(rest ? { description: 'the rest of the path, with its slashes as they are', 'x-rest': true } : {}),
      schema: { type: 'string' },
    }),
  );
  const { properties = {}, required = [] } = (query ?? {}) as ObjectSchema;
  const inQuery = Object.entries(properties).map(
    ([name, { description, ...schema }]): Parameter => ({
      name,
      in: 'query',
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    }),
  );
  const prefer: Parameter = {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: 'wait=<seconds> (at most 60) holds the answer until the task has ended, and adds `busy`',
    schema: { type: 'string', examples: ['wait=30'] },
  };
  return [...inPath, ...inQuery, ...(slow ? [prefer] : [])];
}

export interface ObjectSchema {
  readonly properties?: Readonly<Record<string, TSchema & { readonly description?: string }>>;
  readonly required?: readonly string[];
}

function requestBodyOf({ body, upload }: RouteSpec): Operation['requestBody'] {
  if (upload) return { required: true, content: { 'application/octet-stream': {} } };
  if (!body) return undefined;
  const { required = [] } = body as ObjectSchema;
  return { ...(required.length > 0 ? { required: true } : {}), content: { 'application/json': { schema: body } } };
}

function success({ reply, path }: RouteSpec): Operation['responses'] {
  if (!('contentType' in reply)) return { '200': { description: 'done', content: json(reply) } };
  const { contentType, description } = reply as BinaryReply;
  if (path === '/ws') return { '101': { description }, '426': ERROR };
  const answer = { description, content: { [contentType]: {} } };
  return { '200': answer };
}

function json(schema: TSchema): MediaTypes {
  return { 'application/json': { schema } };
}
