import { rmSync, statSync } from 'node:fs';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { messageOf, StudioError, unreachable } from '../../core/errors.ts';
import { openFrameRing } from '../../core/frame-ring.ts';
import { convertToNpz } from '../../recording/convert-to-npz.ts';
import { modelAttachment } from '../../recording/model-attachment.ts';
import { Recorder } from '../../recording/recorder.ts';
import { recordingPath } from '../../recording/recording-files.ts';
import type { FromRecording, RecordingThreadOrder, ToRecording } from './messages.ts';

/** Records the scene until it receives a stop message or reaches a limit, then ends. The thread reads frames from
 *  the ring, several at a time, so neither the simulation nor the gateway does any work for it. */
const port = parentPort;
if (!port) throw new Error('recording.worker must be started as a worker thread');
const send = (message: FromRecording) => port.postMessage(message);

const PROGRESS_MS = 1000;
const { order, ring, model, session, source } = workerData as RecordingThreadOrder;

function take(recorder: Recorder, message: ToRecording): void {
  switch (message.type) {
    case 'ring':
      recorder.takeRing(openFrameRing(message.buffer));
      break;
    case 'model':
      recorder.takeModel(message.model);
      break;
    case 'session':
      recorder.takeSession(message.session);
      break;
    case 'event':
      recorder.event(message.json, message.atMs);
      break;
    case 'log':
      recorder.log(message.line);
      break;
    case 'play-events':
      recorder.playEvents(message.events, message.atMs);
      break;
    case 'stop':
      recorder.poll();
      recorder.stop(message.reason);
      break;
    default:
      unreachable(message);
  }
}

async function record(): Promise<void> {
  const recorder = new Recorder(order, source && (await modelAttachment(source)), openFrameRing(ring));
  recorder.takeModel(model);
  recorder.takeSession(session);
  send({ type: 'started' });
  let reportedMs = performance.now();
  while (recorder.end === null) {
    recorder.wait();
    // Messages are taken here: the thread sleeps between looks at the frames, so its event loop does not run.
    for (let next = receiveMessageOnPort(port!); next; next = receiveMessageOnPort(port!))
      take(recorder, next.message as ToRecording);
    if (recorder.end === null) recorder.poll();
    if (performance.now() - reportedMs < PROGRESS_MS) continue;
    reportedMs = performance.now();
    send({ type: 'progress', bytes: recorder.bytes });
  }
  let { file } = recorder;
  if (order.format === 'npz') {
    const target = recordingPath(order.folder, order.name, 'npz');
    convertToNpz(file, target, recorder.end);
    rmSync(file);
    file = target;
  }
  send({ type: 'ended', end: recorder.end, bytes: statSync(file).size });
}

record().catch((error: unknown) => {
  const code = error instanceof StudioError ? error.code : 'internal';
  send({ type: 'failed', code, detail: messageOf(error) });
});
