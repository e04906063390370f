import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../route.ts';

/** Progress and result of one slow action. */
export const Busy = Type.Object(
  {
    task: Type.String({ description: 'Unique for each start, such as `select-2`' }),
    label: Type.String({ description: 'What the task does, for people' }),
    state: oneOf(['running', 'done', 'failed', 'superseded'], {
      description: '`superseded`: a later action on the same subject replaced it',
    }),
    progress: nullable(Type.Number({ minimum: 0, maximum: 1, description: 'Null: unknown' })),
    message: Type.String({ description: 'Current step, for people' }),
    error: nullable(Type.String({ description: 'Why the task failed' })),
    by: nullable(
      Type.String({ description: 'Id of the client that started the task; null if its request had no `X-Client-Id`' }),
    ),
    started: Type.String({ description: 'ISO-8601 UTC' }),
    ended: nullable(Type.String({ description: 'ISO-8601 UTC; null while it runs' })),
    result: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Names of the objects that the task created, such as `{dataset}` for an import; null until it is done',
      }),
    ),
  },
  { description: 'Progress and result of one slow action' },
);
export type Busy = Static<typeof Busy>;

export const Ok = Type.Object({ ok: Type.Literal(true) }, { description: 'The action is done' });

/** Reply of a slow action. `busy` is present when the client asked to wait (`Prefer: wait=<seconds>`). */
export const SlowReply = Type.Object(
  {
    ok: Type.Literal(true),
    task: Type.String({
      description: 'Name of the started task. `busy` events and GET /api/busy report its progress and its end',
    }),
    busy: Type.Optional(Busy),
  },
  { description: 'The action has started. `busy` is present if the request sent `Prefer: wait=<seconds>`' },
);
export type SlowReply = Static<typeof SlowReply>;

/** Result of one check of a robot draft or of a training before its launch. */
export const Check = Type.Object({
  name: Type.String(),
  ok: Type.Boolean({ description: 'Whether the check passed' }),
  text: Type.String({ description: 'The measured value and, if the check failed, the remedy' }),
});
export type Check = Static<typeof Check>;
