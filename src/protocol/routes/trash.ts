import { Type } from 'typebox';
import { nameOf, route, strictBody } from '../route.ts';
import { TrashItem, undoField } from '../schemas/trash.ts';

export const undoAction = route({
  method: 'POST',
  path: '/api/undo',
  tag: 'Trash',
  summary: 'Takes back a deletion, a replacement or a rename',
  conflict: 'its name is taken by now, or the item that it would replace is in use',
  stores: true,
  body: strictBody({ undo: nameOf('Token from the reply of the action, or of GET /api/trash') }),
  reply: Type.Object({ ok: Type.Literal(true), undo: undoField }),
});

export const listTrash = route({
  method: 'GET',
  path: '/api/trash',
  tag: 'Trash',
  summary: 'Lists deleted and replaced items that can be restored, newest first',
  reply: Type.Object({
    items: Type.Array(TrashItem),
    days: Type.Integer({
      description: 'Age at which items are removed permanently, days: `trash.days` of studio.yaml',
    }),
  }),
});

export const emptyTrash = route({
  method: 'POST',
  path: '/api/trash/empty',
  tag: 'Trash',
  summary: 'Permanently removes one item of the trash, or all items',
  stores: true,
  body: strictBody({ undo: Type.Optional(nameOf('Token of one item. Absent: all items')) }),
  reply: Type.Object({
    ok: Type.Literal(true),
    items: Type.Integer({ description: 'Number of removed items' }),
  }),
});
