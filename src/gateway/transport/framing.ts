import type { Head, TransportRequest } from './transport.ts';

/** Methods that take a body of unknown length. */
const CHUNKED_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT']);

/** Finds an ambiguous length of a request. Engines interpret such requests differently, and a proxy may see another end
 *  of the request than the service. Both transports therefore refuse the same requests and close the connection.
 *  @param encoding the `transfer-encoding` header
 *  @returns the detail of the 400 answer, or null for a request with a clear length */
export function framingProblem(request: TransportRequest, encoding: string): string | null {
  if (encoding === '') return request.header('content-length') === '' ? null : lengthProblem(request);
  if (encoding.trim().toLowerCase() !== 'chunked') {
    return `transfer-encoding: ${JSON.stringify(encoding.slice(0, 40))} is not supported. Send content-length, or "chunked".`;
  }
  if (!CHUNKED_METHODS.has(request.method)) {
    return `transfer-encoding: ${request.method.slice(0, 20)} does not accept a chunked body. Send the request without a body.`;
  }
  if (request.header('trailer') !== '') return TRAILERS;
  return null;
}

/** Problem text for header fields after a chunked body (trailers). */
export const TRAILERS = 'trailers: fields after the body are not supported. Send them as headers.';

function lengthProblem(request: TransportRequest): string | null {
  let lengths = 0;
  request.eachHeader((name) => {
    if (name === 'content-length') lengths += 1;
  });
  return lengths > 1 ? 'content-length: appears more than once. Send it once.' : null;
}

const REASON: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  206: 'Partial Content',
  302: 'Found',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  426: 'Upgrade Required',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  505: 'HTTP Version Not Supported',
  507: 'Insufficient Storage',
};

/** Reason phrases of the status line. */
export function reasonOf(status: number): string {
  return REASON[status] ?? 'Unknown';
}

/** Returns head and body of an answer that the transport sends itself, before the gateway sees the request. */
export function refusal(status: number, detail: string): { head: Head; body: string } {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { head: { status, requestId: '', headers }, body: JSON.stringify({ detail }) };
}

export const TOO_MANY_CONNECTIONS =
  'too many connections: close some, or raise limits.connections in studio.yaml and start again';
