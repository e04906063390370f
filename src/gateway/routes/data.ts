import {
  clipJoints,
  clips,
  closePreview,
  convertDataset,
  datasets,
  loadClip,
  loadGrid,
  preview,
  previewFrame,
  previewOptions,
  previewPlaying,
  previewTime,
} from '../../protocol/routes/data.ts';
import type { Preview } from '../../protocol/schemas/data.ts';
import { handle, ok } from './handle.ts';

const applied = async (state: Promise<Preview>) => ok(await state);

export const dataHandlers = [
  handle(convertDataset, async ({ conversion }, { body }) => ok({ job: await conversion.start(body) })),
  handle(datasets, ({ data }) => data.datasets()),
  handle(clips, ({ data }, { query }) => data.clips(query)),
  handle(clipJoints, ({ data }) => data.joints()),
  handle(preview, ({ preview }) => preview.state()),
  handle(loadClip, async ({ preview }, { body }) => ok({ task: await preview.load(body) })),
  handle(loadGrid, async ({ preview }, { body }) => ok({ task: await preview.grid(body) })),
  handle(closePreview, async ({ preview }) => {
    await preview.close();
    return ok();
  }),
  handle(previewFrame, ({ preview }, { body }) => applied(preview.seekFrame(body.frame))),
  handle(previewTime, ({ preview }, { body }) => applied(preview.seekTime(body.time))),
  handle(previewPlaying, ({ preview }, { body }) => applied(preview.setPlaying(body.playing))),
  handle(previewOptions, ({ preview }, { body }) => applied(preview.setOptions(body))),
];
