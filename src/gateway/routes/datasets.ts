import path from 'node:path';
import {
  convertDataset,
  createDataset,
  deleteClip,
  deleteDataset,
  downloadClip,
  editClip,
  generateClips,
  importDataset,
  listClipJoints,
  listClips,
  listDatasets,
  markClips,
  pickClips,
  refreshDatasets,
  renameData,
  scanDataset,
  uploadClip,
} from '../../protocol/routes/datasets.ts';
import { handle, handleDownload, handleUpload, ok } from './handle.ts';

export const datasetsHandlers = [
  handle(listDatasets, ({ data }) => data.datasets()),
  handle(listClips, ({ data }, { query }) => data.clips(query)),
  handle(listClipJoints, ({ data }) => data.joints()),
  handle(markClips, async ({ datasets }, { body }) => ok({ clips: await datasets.mark(body) })),
  handle(pickClips, ({ data }, { body }) => data.pick(body)),
  handle(scanDataset, async ({ datasets }, { body }) => ok({ task: await datasets.scan(body.dataset) })),
  handle(convertDataset, async ({ conversion }, { body }) => ok({ job: await conversion.start(body) })),
  handle(editClip, async ({ edits }, { body }) => ok({ task: await edits.start(body) })),
  handle(renameData, async ({ datasets }, { body }) => ok({ undo: await datasets.rename(body) })),
  handle(generateClips, async ({ basics }, { body }) => ok({ task: await basics.start(body) })),
  handle(createDataset, async ({ datasets }, { body }) => {
    await datasets.create(body.name);
    return ok({ dataset: body.name });
  }),
  handle(importDataset, async ({ datasets }, { body }) => ok({ task: await datasets.import(body) })),
  handleUpload(uploadClip, async ({ datasets }, { params, signal }, stream) =>
    ok(await datasets.upload(params.dataset, params.file, stream, signal)),
  ),
  handle(refreshDatasets, async ({ datasets }) => ok({ datasets: await datasets.uploaded() })),
  handleDownload(downloadClip, async ({ datasets }, { query }) => {
    const file = await datasets.download(query);
    return { path: file, name: path.basename(file) };
  }),
  handle(deleteDataset, async ({ datasets }, { params }) => ok({ undo: await datasets.deleteDataset(params.dataset) })),
  handle(deleteClip, async ({ datasets }, { params, query }) =>
    ok({ undo: await datasets.deleteClip(params.dataset, params.clip, query.mirror ?? false) }),
  ),
];
