import { call } from '../../net/api.ts';
import { runSlow } from '../../net/busy.ts';
import { failed, toast } from '../../ui/toasts.ts';
import { RecordingControl } from './recording-control.ts';

/** The recordings of the workspace, as known to this page. */
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
