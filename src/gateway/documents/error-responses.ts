import { type ErrorCode, STATUS } from '../../protocol/errors.ts';
import type { RouteSpec } from '../../protocol/route.ts';

interface ErrorResponse {
  readonly name: string;
  readonly description: string;
  /** example of `detail`: a text that the service really sends */
  readonly example: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Name, description and example of each error in the OpenAPI document. */
const ERRORS: Readonly<Record<ErrorCode, ErrorResponse>> = {
  bad_input: {
    name: 'BadRequest',
    description: 'Invalid input. `detail` names the field and the accepted values',
    example: 'num_envs: must be an integer ≥ 1',
  },
  unauthorized: {
    name: 'Unauthorized',
    description: 'The service requires a token (`--token`). The request has no token or a wrong one',
    example:
      'token required: open /?token=<token> once in the browser, or send the header "Authorization: Bearer <token>"',
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  forbidden: {
    name: 'Forbidden',
    description: 'The request comes from a page of another site, or its Host header does not name this service',
    example: 'requests from pages of other sites are refused',
  },
  not_found: {
    name: 'NotFound',
    description: 'Unknown path, for example because a path parameter is empty',
    example: 'unknown path "/api/jobs/". GET /api/docs lists the paths.',
  },
  method_not_allowed: {
    name: 'MethodNotAllowed',
    description: 'The path does not support this method',
    example: 'method "PATCH" is not allowed here. Allowed: GET, HEAD, DELETE.',
    headers: { Allow: 'Methods of the path' },
  },
  conflict: {
    name: 'Conflict',
    description: 'The action is not possible in the current state',
    example: 'there is no play session: start one with POST /api/play/configure',
  },
  too_large: {
    name: 'ContentTooLarge',
    description: 'The body is larger than the limit',
    example: 'the body has more than 1 MiB, which is the limit',
  },
  unsupported_media: {
    name: 'UnsupportedMediaType',
    description: 'The media type of the body is not `application/json`',
    example: 'the body must be JSON. Send it with the header content-type: application/json',
  },
  upgrade_required: {
    name: 'UpgradeRequired',
    description: 'The path is a websocket, but the request does not open a websocket',
    example: 'this path is a websocket: open it with a websocket client',
    headers: { Upgrade: 'websocket' },
  },
  internal: {
    name: 'InternalError',
    description: 'A bug in the service. Its log has the details under the id of the request',
    example: 'internal error. The service log has the details under request 6f1c2a7e-1',
  },
  unavailable: {
    name: 'Unavailable',
    description: 'The service is shutting down or overloaded, or the action timed out and was rolled back',
    example: 'timed out after 30 s; the action was rolled back',
    headers: { 'Retry-After': 's' },
  },
  disk_full: {
    name: 'DiskFull',
    description: 'The disk of the workspace is full. Nothing was written',
    example: 'the disk is full. Free some space and try again',
  },
};

const DEADLINE_S = 30;

/** Returns `components.responses` of the document. */
export function errorComponents(): Record<string, object> {
  return Object.fromEntries(
    Object.values(ERRORS).map(({ name, description, example, headers }) => [
      name,
      {
        description,
        ...(headers ? { headers: headersOf(headers) } : {}),
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: { detail: example } },
        },
      },
    ]),
  );
}

function headersOf(headers: Readonly<Record<string, string>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

/** Returns the errors that a route can answer with, by status. */
export function errorResponses(spec: RouteSpec): Record<string, object> {
  const { path, method, query, body, upload, conflict, stores, deadlineS = DEADLINE_S } = spec;
  const codes: (ErrorCode | false)[] = [
    (path.startsWith('/api/') || query !== undefined) && 'bad_input',
    'unauthorized',
    'forbidden',
    path.includes('{') && 'not_found',
    conflict !== undefined && 'conflict',
    (body !== undefined || upload === true) && 'too_large',
    body !== undefined && 'unsupported_media',
    path === '/ws' && 'upgrade_required',
    'internal',
    'unavailable',
    (stores === true || (method !== 'GET' && upload === true)) && 'disk_full',
  ];
  const own: Partial<Record<ErrorCode, string>> = {
    ...(conflict === undefined ? {} : { conflict: `Not possible: ${conflict}` }),
    ...(deadlineS === DEADLINE_S
      ? {}
      : {
          unavailable: `The service is shutting down, or the action timed out after ${deadlineS} s and was rolled back`,
        }),
  };
  return Object.fromEntries(
    codes
      .filter((code) => code !== false)
      .map((code) => {
        const description = own[code];
        const reference = { $ref: `#/components/responses/${ERRORS[code].name}` };
        return [String(STATUS[code]), description === undefined ? reference : { ...reference, description }];
      }),
  );
}
