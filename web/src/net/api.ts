import type { ErrorBody } from '../../../src/protocol/errors.ts';
import type { BodyOf, ParamsOf, QueryOf, ReplyOf } from '../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../src/protocol/route-table.ts';

export type RouteKey = keyof RouteByKey;

/** An unsuccessful reply, with the service's own message. */
class ApiError extends Error {
  /** HTTP status; 0 without a reply */
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

export interface CallInput<K extends RouteKey> {
  readonly params?: ParamsOf<RouteByKey[K]>;
  readonly query?: QueryOf<RouteByKey[K]>;
  readonly body?: BodyOf<RouteByKey[K]>;
  readonly signal?: AbortSignal;
}

/** Returns the URL of a route, relative to the page. */
export function urlOf(
  key: string,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, unknown>>,
): string {
  const path = key.slice(key.indexOf(' ') + 2); // without the leading slash: the page may live below a prefix
  const filled = path.replace(/\{(\w+)\*?\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

async function answer<K extends RouteKey>(key: K, input: CallInput<K>): Promise<Response> {
  const method = key.slice(0, key.indexOf(' '));
  const init: RequestInit = { method };
  if (input.signal !== undefined) init.signal = input.signal;
  if (method === 'POST' || method === 'PUT') {
    init.headers = { 'content-type': 'application/json' };
    init.body = JSON.stringify(input.body ?? {});
  }
  let response: Response;
  try {
    response = await fetch(urlOf(key, input.params ?? {}, input.query ?? {}), init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, 'The service does not answer. Check that it is still running.');
  }
  if (!response.ok) throw new ApiError(response.status, await detailOf(response));
  return response;
}

async function detailOf(response: Response): Promise<string> {
  return detailIn(await response.text(), `${response.status} ${response.statusText}`.trim());
}

/** Returns the service's message in the body of an unsuccessful reply. @param status used if the body has no message */
export function detailIn(text: string, status: string): string {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody>;
    if (typeof body.detail === 'string') return body.detail;
  } catch {
    // errors of the HTTP parser have no JSON body: use the status
  }
  return `The service answered ${status}`;
}

/** Calls a route of the HTTP API by its method and path. @throws ApiError */
export async function call<K extends RouteKey>(key: K, input: CallInput<K> = {}): Promise<ReplyOf<RouteByKey[K]>> {
  const response = await answer(key, input);
  return (await response.json()) as ReplyOf<RouteByKey[K]>;
}

/** Calls a route with a binary reply. @throws ApiError */
export async function callBytes<K extends RouteKey>(key: K, input: CallInput<K> = {}): Promise<ArrayBuffer> {
  return (await answer(key, input)).arrayBuffer();
}
