import path from 'node:path';
import {
  convertDataset,
  createDataset,
  deleteClip,
  deleteDataset,
  downloadClip,
  importDataset,
  listClipJoints,
  listClips,
  listDatasets,
  refreshDatasets,
  scanDataset,
  uploadClip,
} from '../../protocol/routes/datasets.ts';
import { handle, handleDownload, handleUpload, ok } from './handle.ts';

export const datasetsHandlers = [
  handle(listDatasets, ({ data }) => data.datasets()),
  handle(listClips, ({ data }, { query }) => data.clips(query)),
  handle(listClipJoints, ({ data }) => data.joints()),
  handle(scanDataset, async ({ library }, { body }) => ok({ task: await library.scan(body.dataset) })),
  handle(convertDataset, async ({ conversion }, { body }) => ok({ job: await conversion.start(body) })),
  handle(createDataset, async ({ library }, { body }) => {
    await library.create(body.name);
    return ok({ dataset: body.name });
  }),
  handle(importDataset, async ({ library }, { body }) => ok({ task: await library.import(body) })),
  handleUpload(uploadClip, async ({ library }, { params, signal }, stream) =>
    ok(await library.upload(params.dataset, params.file, stream, signal)),
  ),
  handle(refreshDatasets, async ({ library }) => ok({ datasets: await library.uploaded() })),
  handleDownload(downloadClip, async ({ library }, { query }) => {
    const file = await library.download(query);
    return { path: file, name: path.basename(file) };
  }),
  handle(deleteDataset, async ({ library }, { params }) => {
    await library.deleteDataset(params.dataset);
    return ok();
  }),
  handle(deleteClip, async ({ library }, { params, query }) => {
    await library.deleteClip(params.dataset, params.clip, query.mirror ?? false);
    return ok();
  }),
];
