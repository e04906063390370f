import {
  closePreview,
  getPreview,
  loadClip,
  loadGrid,
  previewEdit,
  seekPreviewFrame,
  seekPreviewTime,
  setPreviewOptions,
  setPreviewPlaying,
} from '../../protocol/routes/preview.ts';
import type { Preview } from '../../protocol/schemas/data.ts';
import { handle, ok } from './handle.ts';

const applied = async (state: Promise<Preview>) => ok(await state);

export const previewHandlers = [
  handle(getPreview, ({ preview }) => preview.state()),
  handle(loadClip, async ({ preview }, { body }) => ok({ task: await preview.load(body) })),
  handle(loadGrid, async ({ preview }, { body }) => ok({ task: await preview.grid(body) })),
  handle(previewEdit, ({ preview }, { body }) => applied(preview.edit(body))),
  handle(closePreview, async ({ preview }) => {
    await preview.close();
    return ok();
  }),
  handle(seekPreviewFrame, ({ preview }, { body }) => applied(preview.seekFrame(body.frame))),
  handle(seekPreviewTime, ({ preview }, { body }) => applied(preview.seekTime(body.time))),
  handle(setPreviewPlaying, ({ preview }, { body }) => applied(preview.setPlaying(body.playing))),
  handle(setPreviewOptions, ({ preview }, { body }) => applied(preview.setOptions(body))),
];
