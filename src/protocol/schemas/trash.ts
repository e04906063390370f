import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../route.ts';

const undo = Type.String({ description: 'Token for POST /api/undo' });

/** Reply of an action that can be undone. */
export const Undoable = Type.Object(
  { ok: Type.Literal(true), undo },
  { description: 'The action is done. POST /api/undo takes it back' },
);

/** The field `undo` of an action that may have replaced something. */
export const undoField = nullable(
  Type.String({ description: 'Token for POST /api/undo; null: the action replaced nothing' }),
);

export const TRASH_KINDS = ['robot', 'dataset', 'clip', 'run', 'preset', 'module'] as const;
export type TrashKind = (typeof TRASH_KINDS)[number];

/** One item in the trash. */
export const TrashItem = Type.Object({
  undo,
  kind: oneOf(TRASH_KINDS),
  action: oneOf(['delete', 'replace'], { description: '`replace`: the previous version of an item that was replaced' }),
  robot: nullable(Type.String({ description: 'Robot that it belongs to; null for a run' })),
  name: Type.String({ description: 'A clip is named `<dataset>/<clip>`, a run by its path' }),
  bytes: Type.Integer(),
  deleted: Type.String({ description: 'ISO-8601 UTC' }),
});
export type TrashItem = Static<typeof TrashItem>;
