import type * as trash from '../../../protocol/routes/trash.ts';
import type { Examples } from './route-example.ts';

export const trashExamples: Examples<typeof trash> = {
  undoAction: {
    body: { undo: 'mp9x2c1k-4f0a6d1be2c3' },
    reply: { ok: true, undo: null },
  },
  listTrash: {
    reply: {
      items: [
        {
          undo: 'mp9x2c1k-4f0a6d1be2c3',
          kind: 'clip',
          action: 'delete',
          robot: 'humanoid',
          name: 'samples/wave',
          bytes: 61840,
          deleted: '2026-05-04T16:41:13.833Z',
        },
      ],
      days: 30,
    },
  },
  emptyTrash: {
    body: { undo: 'mp9x2c1k-4f0a6d1be2c3' },
    reply: { ok: true, items: 1 },
  },
};
