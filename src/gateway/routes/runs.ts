import path from 'node:path';
import { listPlayRuns } from '../../protocol/routes/play.ts';
import { deleteRun, downloadRunFile, listRuns } from '../../protocol/routes/training.ts';
import { handle, handleDownload, ok } from './handle.ts';

export const runHandlers = [
  handle(listRuns, (studio) => studio.runs.list()),
  handle(listPlayRuns, (studio) => studio.runs.playable()),
  handleDownload(downloadRunFile, async (studio, { query }) => {
    const file = await studio.runs.file(query.run, query.file);
    return { path: file, name: path.basename(file) };
  }),
  handle(deleteRun, async (studio, { query }) => {
    await studio.runs.remove(query.run);
    return ok();
  }),
];
