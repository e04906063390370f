import type { ErrorBody } from './errors.ts';
import type { BodyOf, ParamsOf, QueryOf, ReplyOf } from './route.ts';
import type { RouteByKey } from './route-table.ts';

export type RouteKey = keyof RouteByKey;

/** Thrown for an unsuccessful reply, with the error message of the service. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError';
  /** HTTP status; 0 if the service did not reply */
  readonly status: number;

  constructor(status: number, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.status = status;
  }
}

export interface CallInput<K extends RouteKey> {
  readonly params?: ParamsOf<RouteByKey[K]>;
  readonly query?: QueryOf<RouteByKey[K]>;
  readonly body?: BodyOf<RouteByKey[K]>;
  /** further headers, in lower case */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface ClientOptions {
  /** address of the service with a slash at the end; `''`: relative to the page */
  readonly base: string;
  /** headers of every request, in lower case */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Typed client of the HTTP API for browsers and Node. Types of queries, bodies and replies come from the route
 *  table. */
export class HttpClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Calls a route by its method and path: `call('GET /api/jobs/{name}', {params: {name}})`. @throws ReplyError */
  readonly call = async <K extends RouteKey>(key: K, input: CallInput<K> = {}): Promise<ReplyOf<RouteByKey[K]>> => {
    const response = await this.#answer(key, input);
    return (await response.json()) as ReplyOf<RouteByKey[K]>;
  };

  /** Calls a route with a binary reply. @throws ReplyError */
  readonly callBytes = async <K extends RouteKey>(key: K, input: CallInput<K> = {}): Promise<ArrayBuffer> => {
    return (await this.#answer(key, input)).arrayBuffer();
  };

  /** Calls a route with a large binary reply, whose body the caller reads part by part. @throws ReplyError */
  readonly callResponse = <K extends RouteKey>(key: K, input: CallInput<K> = {}): Promise<Response> => {
    return this.#answer(key, input);
  };

  async #answer<K extends RouteKey>(key: K, input: CallInput<K>): Promise<Response> {
    const { base, headers } = this.#options;
    const method = key.slice(0, key.indexOf(' '));
    const sends = method === 'POST' || method === 'PUT';
    const init: RequestInit = {
      method,
      headers: { ...headers, ...input.headers, ...(sends ? { 'content-type': 'application/json' } : {}) },
      ...(sends ? { body: JSON.stringify(input.body ?? {}) } : {}),
      ...(input.signal === undefined ? {} : { signal: input.signal }),
    };
    let response: Response;
    try {
      response = await fetch(base + urlOf(key, input.params ?? {}, input.query ?? {}), init);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw new ReplyError(0, 'The service does not answer. Check that it is still running.', error);
    }
    if (response.ok) return response;
    throw new ReplyError(
      response.status,
      detailIn(await response.text(), `${response.status} ${response.statusText}`.trim()),
    );
  }
}

/** Returns the path of a route with its query, without the leading slash, because a proxy may serve the service below a
 *  path prefix. A list becomes one query parameter per item. */
export function urlOf(
  key: string,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, unknown>>,
): string {
  const path = key.slice(key.indexOf(' ') + 2);
  const filled = path.replace(/\{(\w+)\*?\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  const text = search.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/** Returns the error message from the body of an unsuccessful reply. @param status used for the message if the body has
 *  none */
export function detailIn(text: string, status: string): string {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody>;
    if (typeof body.detail === 'string') return body.detail;
  } catch {
    // errors of Node's HTTP parser have no JSON body: use the status
  }
  return `The service answered ${status}`;
}
