import { emptyTrash, listTrash, undoAction } from '../../protocol/routes/trash.ts';
import { handle, ok } from './handle.ts';

export const trashHandlers = [
  handle(undoAction, async ({ trash }, { body }) => ok({ undo: await trash.undo(body.undo) })),
  handle(listTrash, ({ trash }) => trash.list()),
  handle(emptyTrash, async ({ trash }, { body }) => ok({ items: await trash.empty(body.undo) })),
];
