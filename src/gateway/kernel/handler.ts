import type { TSchema } from 'typebox';
import type { BinaryReply, BodyOf, ParamsOf, QueryOf, ReplyOf, RouteSpec } from '../../protocol/route.ts';
import type { UploadStream } from './upload-stream.ts';

type MaybePromise<T> = T | Promise<T>;

/** The call that a handler receives, decoded and validated against the contract. */
export interface Call<R extends RouteSpec> {
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  /** Whether the client runs on this machine. Known only for routes with `sideEffects`; false for others. */
  readonly fromThisMachine: boolean;
  /** Whether the client may only read. Known only for routes with `asksSender`; false for others. */
  readonly viewer: boolean;
  /** `X-Client-Id` of the request, not verified. Known only for routes with `asksSender`; '' for others. */
  readonly client: string;
  /** Aborts when the client disconnects or the deadline passes. The handler must then roll back its work. */
  readonly signal: AbortSignal;
}

/** Content with an ETag, for conditional requests and cached compression. Equal ETags must mean equal bytes. */
export interface TaggedContent<T> {
  readonly content: T;
  /** strong, without quotes */
  readonly etag: string;
}

/** An answer other than JSON. */
export interface Content {
  readonly body: string | Uint8Array;
  /** media type; default: the type in the contract of the route */
  readonly contentType?: string;
  readonly status?: 200 | 302;
  /** names in lower case, values without line breaks */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers with a file or a range of its bytes, read at the speed of the socket. The length is fixed when the file is
 *  opened, even if the file grows during the download. */
export interface FileReply {
  readonly path: string;
  /** file name for the browser to save; absent: the browser shows the content */
  readonly name?: string;
  /** media type; default: the type in the contract of the route */
  readonly contentType?: string;
}

/** Answers with content that is produced in parts, at the speed of the socket. */
export interface StreamReply {
  readonly parts: AsyncIterable<Uint8Array>;
  /** total bytes; null: unknown before the end */
  readonly size: number | null;
  /** file name for the browser to save */
  readonly name: string;
  /** media type; default: the type in the contract of the route */
  readonly contentType?: string;
}

/** A handler as the kernel keeps it. `C` is the application that handlers call. */
export interface Handler<C> {
  readonly contract: RouteSpec;
  readonly kind: 'json' | 'tagged' | 'content' | 'file' | 'download' | 'stream' | 'upload';
  readonly run: (context: C, call: Call<RouteSpec>, stream: UploadStream | null) => unknown;
}

/** A tagged reply. JSON is given as an object, or as bytes of JSON text if another thread serialized it. */
type TaggedOf<R extends RouteSpec> = R['reply'] extends TSchema ? ReplyOf<R> | Uint8Array : Uint8Array;

/** Declares handlers, one function for each kind of answer. `C` is the application that handlers call. */
export interface Handlers<C> {
  /** Answers JSON. */
  handle<R extends RouteSpec & { readonly reply: TSchema }>(
    contract: R,
    run: (context: C, call: Call<R>) => MaybePromise<ReplyOf<R>>,
  ): Handler<C>;
  /** Answers JSON or bytes with an ETag. */
  handleTagged<R extends RouteSpec>(
    contract: R,
    run: (context: C, call: Call<R>) => MaybePromise<TaggedContent<TaggedOf<R>>>,
  ): Handler<C>;
  /** Registers a handler that replies with a document or a redirect. */
  handleContent<R extends RouteSpec & { readonly reply: BinaryReply }>(
    contract: R,
    run: (context: C, call: Call<R>) => MaybePromise<Content>,
  ): Handler<C>;
  /** Registers a handler that answers with a static file, given by its path, or with a redirect. */
  handleFile<R extends RouteSpec & { readonly reply: BinaryReply }>(
    contract: R,
    run: (context: C, call: Call<R>) => Content | string,
  ): Handler<C>;
  /** Answers with a file of any size. */
  handleDownload<R extends RouteSpec & { readonly reply: BinaryReply }>(
    contract: R,
    run: (context: C, call: Call<R>) => MaybePromise<FileReply>,
  ): Handler<C>;
  /** Answers with content of any size that is produced while it is sent. */
  handleStream<R extends RouteSpec & { readonly reply: BinaryReply }>(
    contract: R,
    run: (context: C, call: Call<R>) => MaybePromise<StreamReply>,
  ): Handler<C>;
  /** Receives a stream of bytes and answers JSON. If the stream fails, reading it throws; the handler must then remove
   *  what it has written. */
  handleUpload<R extends RouteSpec & { readonly upload: true; readonly reply: TSchema }>(
    contract: R,
    run: (context: C, call: Call<R>, stream: UploadStream) => Promise<ReplyOf<R>>,
  ): Handler<C>;
}

export function handlersFor<C>(): Handlers<C> {
  const entry = (kind: Handler<C>['kind']) => (contract: RouteSpec, run: unknown) => ({
    contract,
    kind,
    run: run as Handler<C>['run'],
  });
  return {
    handle: entry('json'),
    handleTagged: entry('tagged'),
    handleContent: entry('content'),
    handleFile: entry('file'),
    handleDownload: entry('download'),
    handleStream: entry('stream'),
    handleUpload: entry('upload'),
  };
}
