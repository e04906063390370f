import { type Static, type TSchema, Type } from 'typebox';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A reply other than JSON. */
export interface BinaryReply {
  readonly contentType: string;
  readonly description: string;
  /** default 200 */
  readonly status?: 302;
}

/** The contract of one HTTP route. Routing, validation, OpenAPI, the docs page and the typed client of the web page
 *  derive from it. */
export interface RouteSpec {
  readonly method: Method;
  /** `{name}` is one segment. `{name*}`, only at the end, is the rest of the path with its slashes. */
  readonly path: string;
  readonly summary: string;
  /** Tag of the OpenAPI document: one for each file of `routes/`. */
  readonly tag: Tag;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The body is raw bytes, which the handler reads as a stream. */
  readonly upload?: true;
  /** The route answers at once with `{ok, task}`. `busy` events report the progress and the end of the task. */
  readonly slow?: true;
  /** What to send instead of a JSON body over the limit; part of the 413 message. */
  readonly insteadOfLarge?: string;
  /** Condition under which the route answers 409. */
  readonly conflict?: string;
  /** Writes to the workspace, so it may answer 507. */
  readonly stores?: true;
  /** Marks a GET with a side effect, such as starting a process. Requests from pages of other sites are refused. */
  readonly sideEffects?: true;
  /** The answer depends on the role or the id of the client. */
  readonly asksSender?: true;
  /** Time after which the request ends with 503, s (default 30). */
  readonly deadlineS?: number;
  readonly reply: TSchema | BinaryReply;
}

/** Subjects of the API, in the order of the documentation. */
export const TAGS = [
  'Robots',
  'Robot import',
  'Datasets',
  'Clip preview',
  'Plots',
  'Presets',
  'Training',
  'Jobs',
  'Runs',
  'Evaluations',
  'Exports',
  'Play',
  'Trash',
  'Recordings',
  'Service',
] as const;
export type Tag = (typeof TAGS)[number];

/** Declares a route. Returns `spec` unchanged; the type keeps its literals for handlers and for the client of the
 *  page. */
export function route<const R extends RouteSpec>(spec: R): R {
  return spec;
}

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;
export type QueryOf<R extends RouteSpec> = StaticOr<R['query'], Record<string, never>>;
export type BodyOf<R extends RouteSpec> = StaticOr<R['body'], Record<string, never>>;
export type ReplyOf<R extends RouteSpec> = StaticOr<R['reply'], never>;

type SegmentNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Bare}*` ? Bare : Name) | SegmentNames<Rest>
  : never;
/** The path parameters of a route, each a decoded string. */
export type ParamsOf<R extends RouteSpec> = { readonly [K in SegmentNames<R['path']>]: string };

/** Declares a JSON body. Unknown fields are an error (400). */
export function strictBody<P extends Record<string, TSchema>>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

/** Declares a JSON body for a POST without payload. Unknown fields are ignored. */
export function looseBody<P extends Record<string, TSchema>>(properties: P) {
  return Type.Object(properties);
}

/** Declares a choice between strings as a JSON Schema `enum`. Its error messages and documentation are clearer than
 *  those of a union of literals. */
export function oneOf<const V extends readonly string[]>(values: V, options: Annotations<V[number]> = {}) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });
}

interface Annotations<T> {
  readonly description?: string;
  readonly default?: T;
}

/** Declares a name or a path. In an optional field `""` means absent (see `withoutAbsent`). */
export function nameOf(description: string, options: Omit<Annotations<string>, 'description'> = {}) {
  return Type.String({ minLength: 1, description, ...options });
}

/** Declares an optional boolean field that is false by default. */
export function flag(description: string) {
  return Type.Optional(Type.Boolean({ default: false, description }));
}

export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}
