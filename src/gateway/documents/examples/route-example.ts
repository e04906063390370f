import type { TSchema } from 'typebox';
import type { BinaryReply, BodyOf, ParamsOf, QueryOf, ReplyOf, RouteSpec } from '../../../protocol/route.ts';

/** Request and reply of a route, recorded from a running service. Long lists and texts are shortened. */
type RouteExample<R extends RouteSpec> = Params<R> & Query<R> & Body<R> & Reply<R>;

type Params<R extends RouteSpec> = [keyof ParamsOf<R>] extends [never] ? object : { readonly params: ParamsOf<R> };
type Query<R extends RouteSpec> = R['query'] extends TSchema ? { readonly query?: QueryOf<R> } : object;
type Body<R extends RouteSpec> = R['body'] extends TSchema ? { readonly body: BodyOf<R> } : object;
type Reply<R extends RouteSpec> = R['reply'] extends BinaryReply
  ? object
  : {
      readonly reply: ReplyOf<R>;
      /** More examples by name, for a route with several kinds of replies. */
      readonly others?: Readonly<Record<string, { readonly body: BodyOf<R>; readonly reply: ReplyOf<R> }>>;
    };

/** An example for every contract of a route file. */
export type Examples<M> = {
  readonly [K in keyof M as M[K] extends RouteSpec ? K : never]: M[K] extends RouteSpec ? RouteExample<M[K]> : never;
};
