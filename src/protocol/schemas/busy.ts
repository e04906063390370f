import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../route.ts';

/** Life of one slow action. */
export const Busy = Type.Object(
  {
    task: Type.String({ description: 'unique per start, such as `select-2`' }),
    label: Type.String(),
    state: oneOf(['running', 'done', 'failed', 'superseded']),
    progress: nullable(Type.Number({ minimum: 0, maximum: 1 })),
    message: Type.String(),
    error: nullable(Type.String()),
    started: Type.String({ description: 'ISO-8601 UTC' }),
    ended: nullable(Type.String()),
  },
  { description: 'Life of one slow action' },
);
export type Busy = Static<typeof Busy>;

export const Ok = Type.Object({ ok: Type.Literal(true) });

/** Reply of a slow action. `busy` is present when the client asked to wait (`Prefer: wait=<seconds>`). */
export const SlowReply = Type.Object({
  ok: Type.Literal(true),
  task: Type.String({
    description: 'name of the background task; its life is told by `busy` events and GET /api/busy',
  }),
  busy: Type.Optional(Busy),
});
export type SlowReply = Static<typeof SlowReply>;
