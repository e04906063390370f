import { Type } from 'typebox';
import { looseBody, nameOf, route, strictBody } from '../route.ts';
import { Ok, SlowReply } from '../schemas/busy.ts';
import { Recording, RecordingFormat } from '../schemas/recordings.ts';

const recordingField = nameOf('Name of a recording: see GET /api/recordings');

export const startRecording = route({
  method: 'POST',
  path: '/api/record/start',
  tag: 'Recordings',
  summary:
    'Records the frames of the scene. During a play session also records the rows and events of the focused environment',
  stores: true,
  conflict: 'a recording is already running',
  body: strictBody({
    name: Type.Optional(nameOf('File name without its ending. Absent: the local date and time')),
    format: Type.Optional(RecordingFormat),
    max_s: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 86_400,
        default: 600,
        description: 'The recording stops by itself after this time, s. It also stops at 3 GiB',
      }),
    ),
  }),
  reply: Type.Object({
    ok: Type.Literal(true),
    recording: Type.String({ description: 'Name of the recording' }),
  }),
});

export const stopRecording = route({
  method: 'POST',
  path: '/api/record/stop',
  tag: 'Recordings',
  summary: 'Stops the recording. Answers once its file is complete',
  conflict: 'nothing is being recorded',
  deadlineS: 120,
  body: looseBody({}),
  reply: Type.Object({
    ok: Type.Literal(true),
    recording: Type.String({ description: 'Name of the recording' }),
    bytes: Type.Integer(),
    duration: Type.Number({ description: 's of wall time' }),
  }),
});

export const openRecording = route({
  method: 'POST',
  path: '/api/record/open',
  tag: 'Recordings',
  summary: 'Plays a recording of the selected robot in the scene, with the same playback controls as a clip',
  slow: true,
  body: strictBody({ name: recordingField }),
  reply: SlowReply,
});

export const listRecordings = route({
  method: 'GET',
  path: '/api/recordings',
  tag: 'Recordings',
  summary: 'Lists the recordings of the workspace, newest first',
  reply: Type.Object({ recordings: Type.Array(Recording) }),
});

export const downloadRecording = route({
  method: 'GET',
  path: '/api/recordings/{name}',
  tag: 'Recordings',
  summary: 'Downloads a recording',
  conflict: 'it is being recorded. Stop it first',
  reply: { contentType: 'application/octet-stream', description: 'The file, `.mcap` or `.npz`' },
});

export const deleteRecording = route({
  method: 'DELETE',
  path: '/api/recordings/{name}',
  tag: 'Recordings',
  summary: 'Deletes a recording, which is final',
  conflict: 'it is being recorded. Stop it first',
  stores: true,
  reply: Ok,
});
