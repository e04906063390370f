import path from 'node:path';
import { playRuns } from '../../protocol/routes/play.ts';
import { deleteRun, runFile, runs } from '../../protocol/routes/training.ts';
import { handle, handleDownload, ok } from './handle.ts';

export const runHandlers = [
  handle(runs, (studio) => studio.runs.list()),
  handle(playRuns, (studio) => studio.runs.playable()),
  handleDownload(runFile, async (studio, { query }) => {
    const file = await studio.runs.file(query.run, query.file);
    return { path: file, name: path.basename(file) };
  }),
  handle(deleteRun, async (studio, { query }) => {
    await studio.runs.remove(query.run);
    return ok();
  }),
];
