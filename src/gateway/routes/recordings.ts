import {
  deleteRecording,
  downloadRecording,
  listRecordings,
  openRecording,
  startRecording,
  stopRecording,
} from '../../protocol/routes/recordings.ts';
import { handle, handleDownload, ok } from './handle.ts';

export const recordingsHandlers = [
  handle(startRecording, ({ recordings }, { body, signal }) => recordings.start(body, signal)),
  handle(stopRecording, ({ recordings }) => recordings.stop()),
  handle(openRecording, async ({ recordings, preview }, { body, signal }) => {
    const { path, recording } = await recordings.find(body.name);
    signal.throwIfAborted();
    return ok({ task: await preview.openRecording(path, recording) });
  }),
  handle(listRecordings, async ({ recordings }) => ({ recordings: await recordings.list() })),
  handleDownload(downloadRecording, async ({ recordings }, { params }) => {
    const { path, recording } = await recordings.find(params.name);
    return { path, name: `${recording.name}.${recording.format}` };
  }),
  handle(deleteRecording, async ({ recordings }, { params, signal }) => {
    await recordings.remove(params.name, signal);
    return ok();
  }),
];
