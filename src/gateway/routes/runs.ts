import path from 'node:path';
import { deleteRun, downloadRunFile, listRuns, markRun } from '../../protocol/routes/runs.ts';
import { handle, handleDownload, handleTagged, ok } from './handle.ts';

export const runsHandlers = [
  handleTagged(listRuns, ({ runs }, { query }) => runs.list(query.since ?? null)),
  handleDownload(downloadRunFile, async ({ runs }, { query }) => {
    const file = await runs.file(query.run, query.file);
    return { path: file, name: path.basename(file) };
  }),
  handle(markRun, async ({ runs }, { body }) => {
    await runs.mark(body);
    return ok();
  }),
  handle(deleteRun, async ({ runs }, { query }) => ok({ undo: await runs.remove(query.run) })),
];
