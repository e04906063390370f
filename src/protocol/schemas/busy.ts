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
    result: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'the names of what was made, once it is done: an import gives `{dataset}`',
      }),
    ),
  },
  { description: 'Life of one slow action' },
);
export type Busy = Static<typeof Busy>;

export const Ok = Type.Object({ ok: Type.Literal(true) }, { description: 'Done' });

/** Reply of a slow action. `busy` is present when the client asked to wait (`Prefer: wait=<seconds>`). */
export const SlowReply = Type.Object(
  {
    ok: Type.Literal(true),
    task: Type.String({
      description: 'name of the background task: `busy` events and GET /api/busy report its progress and its end',
    }),
    busy: Type.Optional(Busy),
  },
  { description: 'Started. `busy` is present where the request asked to wait (`Prefer: wait=<seconds>`)' },
);
export type SlowReply = Static<typeof SlowReply>;

/** One finding of a check: of a robot's draft, or of a training that is to be launched. */
export const Check = Type.Object({
  name: Type.String(),
  ok: Type.Boolean(),
  text: Type.String({ description: 'what was found, with its figure, and what to do where it failed' }),
});
export type Check = Static<typeof Check>;
