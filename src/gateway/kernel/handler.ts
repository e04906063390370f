import type { TSchema } from 'typebox';
import type { BinaryReply, BodyOf, ParamsOf, QueryOf, ReplyOf, RouteSpec } from '../../protocol/route.ts';
import type { UploadStream } from './upload-stream.ts';

type MaybePromise<T> = T | Promise<T>;

/** What a handler is given: everything decoded and checked against the contract. */
export interface Call<R extends RouteSpec> {
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  /** Whether the client is the machine itself; told for rows with `sideEffects` alone, false for others. */
  readonly fromThisMachine: boolean;
  /** Aborts when the client has gone or the deadline is over: the work is then to be undone. */
  readonly signal: AbortSignal;
}

/** Content with an identity: conditional requests and compression derive from it.
 *  The same identity must always mean the same bytes. */
export interface TaggedContent<T> {
  readonly content: T;
  /** strong, without quotes */
  readonly etag: string;
}

/** An answer that is no JSON object. */
export interface Content {
  readonly body: string | Uint8Array;
  /** the contract's by default */
  readonly contentType?: string;
  readonly status?: 200 | 302;
  /** lower-case names; values without line breaks */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A file of this machine as an answer, or a range of its bytes, read as the socket takes it: as long as it is when it is
 *  opened, whatever is appended to it meanwhile. */
export interface FileReply {
  readonly path: string;
  /** what a browser saves it as; absent: it is shown */
  readonly name?: string;
  /** the contract's by default */
  readonly contentType?: string;
}

/** An answer that is made part by part, as the socket takes it. */
export interface StreamReply {
  readonly parts: AsyncIterable<Uint8Array>;
  /** bytes of all parts; null: not known before the end */
  readonly size: number | null;
  /** what a browser saves it as */
  readonly name: string;
  /** the contract's by default */
  readonly contentType?: string;
}

/** The handler of a row as the kernel keeps it. `C` is what handlers are given to work on. */
export interface Handler<C> {
  readonly contract: RouteSpec;
  readonly kind: 'json' | 'tagged' | 'content' | 'file' | 'download' | 'stream' | 'upload';
  readonly run: (context: C, call: Call<RouteSpec>, stream: UploadStream | null) => unknown;
}

/** JSON may come as an object, or as the bytes of its text where it was made elsewhere. */
type TaggedOf<R extends RouteSpec> = R['reply'] extends TSchema ? ReplyOf<R> | Uint8Array : Uint8Array;

/** The ways to answer a contract, for handlers that work on a `C`. */
export interface Handlers<C> {
  /** Answers JSON. */
  handle<R extends RouteSpec & { readonly reply: TSchema }>(
    contract: R,
    run: (context: C, call: Call<R>) => MaybePromise<ReplyOf<R>>,
  ): Handler<C>;
  /** Answers JSON or bytes that keep their identity while they stay the same. */
  handleTagged<R extends RouteSpec>(
    contract: R,
    run: (context: C, call: Call<R>) => MaybePromise<TaggedContent<TaggedOf<R>>>,
  ): Handler<C>;
  /** Answers a document, a file, a redirection. */
  handleContent<R extends RouteSpec & { readonly reply: BinaryReply }>(
    contract: R,
    run: (context: C, call: Call<R>) => MaybePromise<Content>,
  ): Handler<C>;
  /** Answers with one of the files that are served beside the routes, named by its path, or with a redirection. */
  handleFile<R extends RouteSpec & { readonly reply: BinaryReply }>(
    contract: R,
    run: (context: C, call: Call<R>) => Content | string,
  ): Handler<C>;
  /** Answers with a file of any size. */
  handleDownload<R extends RouteSpec & { readonly reply: BinaryReply }>(
    contract: R,
    run: (context: C, call: Call<R>) => MaybePromise<FileReply>,
  ): Handler<C>;
  /** Answers with what is made while it is sent, of any size. */
  handleStream<R extends RouteSpec & { readonly reply: BinaryReply }>(
    contract: R,
    run: (context: C, call: Call<R>) => MaybePromise<StreamReply>,
  ): Handler<C>;
  /** Takes a stream of bytes and answers JSON. What was written of a stream that ends with an error is for the handler
   *  to remove: the error is thrown where it reads. */
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
