import {
  clipJoints,
  clips,
  closePreview,
  datasets,
  loadClip,
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
  handle(datasets, ({ data }) => data.datasets()),
  handle(clips, ({ data }, { query }) => data.clips(query)),
  handle(clipJoints, ({ data }) => data.joints()),
  handle(preview, ({ data }) => data.preview()),
  handle(loadClip, async ({ data }, { body }) => ok({ task: await data.load(body) })),
  handle(closePreview, async ({ data }) => {
    await data.close();
    return ok();
  }),
  handle(previewFrame, ({ data }, { body }) => applied(data.seekFrame(body.frame))),
  handle(previewTime, ({ data }, { body }) => applied(data.seekTime(body.time))),
  handle(previewPlaying, ({ data }, { body }) => applied(data.setPlaying(body.playing))),
  handle(previewOptions, ({ data }, { body }) => applied(data.setOptions(body))),
];
