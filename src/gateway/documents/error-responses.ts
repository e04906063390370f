import { type ErrorCode, STATUS } from '../../protocol/errors.ts';
import type { RouteSpec } from '../../protocol/route.ts';

interface ErrorResponse {
  readonly name: string;
  readonly description: string;
  /** `detail` of the example */
  readonly example: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How the document names and explains each error of the interface. */
const ERRORS: Readonly<Record<ErrorCode, ErrorResponse>> = {
  bad_input: {
    name: 'BadRequest',
    description: 'Invalid input. `detail` names the field, what it must be, or what there is instead',
    example: 'num_envs: must be an integer ≥ 1',
  },
  unauthorized: {
    name: 'Unauthorized',
    description: 'The service has a token (`--token`), and the request carries none or a wrong one',
    example: 'a token is required: send "Authorization: Bearer <token>" or open /?token=<token> once',
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  forbidden: {
    name: 'Forbidden',
    description: 'The request comes from a page of another site, or names a host that is not this service',
    example: 'requests of other sites are refused',
  },
  not_found: {
    name: 'NotFound',
    description: 'No such path. A parameter of the path is empty',
    example: 'unknown path "/api/jobs/". GET /api/docs lists the paths.',
  },
  method_not_allowed: {
    name: 'MethodNotAllowed',
    description: 'The path has other methods',
    example: 'method "PATCH" is not allowed here. Allowed: GET, HEAD, DELETE.',
    headers: { Allow: 'the methods that the path has' },
  },
  conflict: {
    name: 'Conflict',
    description: 'Not possible in the present state',
    example: 'there is no session',
  },
  too_large: {
    name: 'ContentTooLarge',
    description: 'The body is larger than the limit',
    example: 'the body is larger than the 1 MiB that are allowed',
  },
  unsupported_media: {
    name: 'UnsupportedMediaType',
    description: 'The body has another media type than `application/json`',
    example: 'the body must be JSON, sent with content-type: application/json',
  },
  upgrade_required: {
    name: 'UpgradeRequired',
    description: 'The path is a websocket, and the request does not open one',
    example: 'this is the websocket: connect to it as one',
    headers: { Upgrade: 'websocket' },
  },
  internal: {
    name: 'InternalError',
    description: 'A bug. The service log has more under the id of the request',
    example: 'internal error: the service log has more under request 6f1c2a7e-1',
  },
  unavailable: {
    name: 'Unavailable',
    description: 'The service is shutting down or overloaded, or the answer took too long and the action was undone',
    example: 'timed out after 30 s; the action was rolled back',
    headers: { 'Retry-After': 's' },
  },
  disk_full: {
    name: 'DiskFull',
    description: 'The disk of the workspace is full. Nothing was written',
    example: 'the disk is full: make room and try again',
  },
};

const DEADLINE_S = 30;

/** `components.responses`. */
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

/** The errors that a row can answer with, by status. */
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
      : { unavailable: `The service is shutting down, or the action took over ${deadlineS} s and was rolled back` }),
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
