import { signal } from '@preact/signals';
import type { Recording } from '../../../../src/protocol/schemas/recordings.ts';
import type { call } from '../../net/api.ts';
import type { runSlow } from '../../net/busy.ts';
import type { failed, toast } from '../../ui/toasts.ts';

export interface RecordingControlDeps {
  readonly call: typeof call;
  readonly runSlow: typeof runSlow;
  readonly failed: typeof failed;
  readonly toast: typeof toast;
}

/** The running recording and the list of recordings. */
export class RecordingControl {
  readonly #deps: RecordingControlDeps;
  /** The running recording; null if no recording is running. */
  readonly running = signal<Recording | null>(null);
  /** All recordings; null before the list was read. */
  readonly recordings = signal<readonly Recording[] | null>(null);
  /** Error message of the last attempt to read the list; null after a success. */
  readonly listError = signal<string | null>(null);

  constructor(deps: RecordingControlDeps) {
    this.#deps = deps;
  }

  /** Updates the state with an event of the service. */
  readonly takeRecording = (running: Recording | null): void => {
    const before = this.running.peek();
    this.running.value = running;
    if (before?.name !== running?.name && this.recordings.peek() !== null) void this.refreshRecordings();
  };

  readonly refreshRecordings = async (): Promise<void> => {
    try {
      this.recordings.value = (await this.#deps.call('GET /api/recordings')).recordings;
      this.listError.value = null;
    } catch (error) {
      this.listError.value = error instanceof Error ? error.message : String(error);
    }
  };

  /** Starts a recording, or stops the running one. */
  readonly toggleRecording = async (): Promise<void> => {
    const { call, failed, toast } = this.#deps;
    const isRunning = this.running.peek() !== null;
    try {
      if (!isRunning) await call('POST /api/record/start', { body: {} });
      else {
        const { recording } = await call('POST /api/record/stop');
        toast('ok', `Recorded ${recording}`, 'Recordings are listed in Status.');
      }
    } catch (error) {
      failed(isRunning ? 'The recording could not be stopped' : 'The recording could not be started', error);
    }
  };

  /** Plays a recording in the scene. @returns true if it is playing */
  readonly openRecording = (name: string): Promise<boolean> => {
    return this.#deps.runSlow(`${name} could not be opened`, () =>
      this.#deps.call('POST /api/record/open', { body: { name } }),
    );
  };

  readonly deleteRecording = async (name: string): Promise<void> => {
    try {
      await this.#deps.call('DELETE /api/recordings/{name}', { params: { name } });
    } catch (error) {
      this.#deps.failed(`${name} could not be deleted`, error);
    }
    await this.refreshRecordings();
  };
}
