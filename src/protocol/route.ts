import { type Static, type TSchema, Type } from 'typebox';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A reply other than JSON: its media type and what the bytes are. */
export interface BinaryReply {
  readonly contentType: string;
  readonly description: string;
  /** 200 by default */
  readonly status?: 302;
}

/** The contract of one HTTP row. Routing, validation, OpenAPI, the docs page and the page's typed client derive from it. */
export interface RouteSpec {
  readonly method: Method;
  /** `{name}` is one decoded segment; `{name*}`, last only, is the rest of the path with its slashes. */
  readonly path: string;
  readonly summary: string;
  /** Where OpenAPI lists the row: one tag for each file of routes. */
  readonly tag: Tag;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The body is raw bytes, streamed to the handler. */
  readonly upload?: true;
  /** Answers at once with `{ok, task}`; `busy` events report the rest. */
  readonly slow?: true;
  /** When the row answers 409, as a sentence. */
  readonly conflict?: string;
  /** Writes to the workspace: it may answer 507. */
  readonly stores?: true;
  /** Reads without changing anything, but a foreign page must not trigger it either (it starts a process). */
  readonly sideEffects?: true;
  /** Seconds after which the request is given up with 503 (default 30). */
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
  'Play',
  'Service',
] as const;
export type Tag = (typeof TAGS)[number];

/** Declares a route. Identity at run time; keeps the literal types that the handler and the page's client read. */
export function route<const R extends RouteSpec>(spec: R): R {
  return spec;
}

export type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;
export type QueryOf<R extends RouteSpec> = StaticOr<R['query'], Record<string, never>>;
export type BodyOf<R extends RouteSpec> = StaticOr<R['body'], Record<string, never>>;
export type ReplyOf<R extends RouteSpec> = StaticOr<R['reply'], never>;

type SegmentNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Bare}*` ? Bare : Name) | SegmentNames<Rest>
  : never;
/** Names of the path's `{segments}`, each a decoded string. */
export type ParamsOf<R extends RouteSpec> = { readonly [K in SegmentNames<R['path']>]: string };

/** A JSON body in which a field that is not named is an error (API: unknown body field → 400). */
export function strictBody<P extends Record<string, TSchema>>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

/** Body of a POST whose payload is "none": named fields are checked, others ignored. */
export function looseBody<P extends Record<string, TSchema>>(properties: P) {
  return Type.Object(properties);
}

/** Type.Union of string literals as a JSON Schema `enum`, which reads better in messages and documents. */
export function oneOf<const V extends readonly string[]>(values: V, options: Annotations<V[number]> = {}) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });
}

interface Annotations<T> {
  readonly description?: string;
  readonly default?: T;
}

/** A name or a path. In an optional field `""` is the same as leaving it out (`withoutAbsent`). */
export function nameOf(description: string, options: Omit<Annotations<string>, 'description'> = {}) {
  return Type.String({ minLength: 1, description, ...options });
}

/** An optional boolean field that is false by default. */
export function flag(description: string) {
  return Type.Optional(Type.Boolean({ default: false, description }));
}

export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}
