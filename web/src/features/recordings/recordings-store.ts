import { call } from '../../net/api.ts';
import { runSlow } from '../../net/busy.ts';
import { failed, toast } from '../../ui/toasts.ts';
import { RecordingControl } from './recording-control.ts';

/** The recordings as this page shows them. */
export const {
  running,
  recordings,
  listError,
  takeRecording,
  refreshRecordings,
  toggleRecording,
  openRecording,
  deleteRecording,
} = new RecordingControl({ call, runSlow, failed, toast });
