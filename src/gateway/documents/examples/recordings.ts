import type * as recordings from '../../../protocol/routes/recordings.ts';
import type { Examples } from './route-example.ts';

const NAME = '2026-05-04_10-12-31';

export const recordingsExamples: Examples<typeof recordings> = {
  startRecording: { body: { format: 'mcap', max_s: 60 }, reply: { ok: true, recording: NAME } },
  stopRecording: { body: {}, reply: { ok: true, recording: NAME, bytes: 15_238_114, duration: 10.02 } },
  openRecording: { body: { name: NAME }, reply: { ok: true, task: 'open-1' } },
  listRecordings: {
    reply: {
      recordings: [
        {
          name: NAME,
          format: 'mcap',
          state: 'done',
          bytes: 15_238_114,
          duration: 10.02,
          robot: 'humanoid',
          owner: 'play',
          created: '2026-05-04T10:12:31.204Z',
          reason: null,
          error: null,
        },
      ],
    },
  },
  downloadRecording: { params: { name: NAME } },
  deleteRecording: { params: { name: NAME }, reply: { ok: true } },
};
