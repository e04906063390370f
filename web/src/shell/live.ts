import { effect } from '@preact/signals';
import { datasets, refreshListing, syncListing, visiblePages } from '../features/data/data-store.ts';
import { followFrame, preview, refreshPreview, setPlaying, takePreview } from '../features/data/preview-store.ts';
import { onPlayRun, refreshJobs, takeJobs } from '../features/jobs/jobs-store.ts';
import { followPlayFrame, patchSession, refreshPlay, session, takePlay } from '../features/play/session-store.ts';
import { imports, robot, robots, showRobot } from '../features/robots/robots-store.ts';
import { refreshLog, takeLog } from '../features/status/log-store.ts';
import { refreshPresets, takePresets } from '../features/tasks/presets-store.ts';
import { refreshBusy, takeBusy } from '../net/busy.ts';
import { identity, takeIdentity } from '../net/client-identity.ts';
import { connection, lost, opened } from '../net/connection.ts';
import { startHeartbeat } from '../net/heartbeat.ts';
import { liveFrames } from '../net/live-frames.ts';
import { owner } from '../net/scene-owner.ts';
import { StudioSocket, socketUrl } from '../net/socket.ts';
import { goTo } from '../ui/layout.ts';
import { messageOf } from '../ui/message-of.ts';
import { failed, toast } from '../ui/toasts.ts';
import { EventDispatch } from './event-dispatch.ts';
import type { Before } from './restart-note.ts';

const dispatch = new EventDispatch({
  datasets,
  refreshListing,
  visiblePages,
  takePreview,
  playClip: setPlaying,
  takeJobs,
  patchSession,
  takePlay,
  playSession: (playing) => {
    import('../features/play/control-store.ts').then(
      (play) => play.setPlaying(playing),
      (error: unknown) => failed('Play could not be loaded', error),
    );
  },
  imports,
  robot,
  robots,
  showRobot,
  takeLog,
  refreshRuns: () => {
    import('../features/runs/runs-store.ts').then(
      (runs) => runs.refreshSoon(),
      (error: unknown) => failed('The runs could not be read', error),
    );
  },
  refreshPresets,
  takePresets,
  takeBusy,
  takeRecording: (running) => {
    import('../features/recordings/recordings-store.ts').then(
      (recordings) => recordings.takeRecording(running),
      (error: unknown) => failed('The recording could not be shown', error),
    );
  },
  identity,
  takeIdentity,
  owner,
  toast,
});

/** The last connection: when it was opened, and what was open when it was lost. */
const last: { openedMs: number | null; shown: Before } = { openedMs: null, shown: { session: null, preview: null } };

const socket = new StudioSocket(socketUrl(location.href), {
  opened: () => {
    const now = performance.now();
    if (last.openedMs !== null) noteRestart((now - last.openedMs) / 1000);
    last.openedMs = now;
    opened(now);
    liveFrames.restart();
    refetch();
  },
  lost: () => {
    const now = performance.now();
    if (connection.peek().state === 'open') last.shown = { session: session.peek(), preview: preview.peek() };
    lost(now, Date.now(), liveFrames.arrived > 0 ? now - liveFrames.arrived : null);
  },
  frame: takeFrame,
  event: dispatch.take,
});

/** Connects the page to the service: events go to the stores, frames to the drawing. */
export function startStudio(): void {
  liveFrames.listen(followFrame);
  liveFrames.listen(followPlayFrame);
  socket.start();
  startHeartbeat();
  onPlayRun(playRun);
  effect(syncListing);
}

function playRun(run: string): void {
  goTo('play');
  import('../features/play/setup-store.ts').then(
    (play) => play.configure({ run }),
    (error: unknown) => failed(`${run} could not be played`, error),
  );
}

export function reconnectNow(): void {
  socket.retryNow();
}

/** Fetches all shown data again. Runs after each connect, because events may have been missed. */
function refetch(): void {
  void robots.refresh();
  void imports.refresh();
  void robot.refresh();
  void datasets.refresh();
  refreshListing(visiblePages.now);
  refreshPreview().catch((error: unknown) => failed('The preview could not be read', error));
  refreshPlay().catch((error: unknown) => failed('The play session could not be read', error));
  void refreshJobs();
  refreshPresets();
  refreshLog().catch((error: unknown) => failed('The log could not be read', error));
  refreshBusy().catch((error: unknown) => failed('The running actions could not be read', error));
}

function noteRestart(connectedS: number): void {
  import('./restart-note.ts')
    .then((note) => note.noteRestart(connectedS, last.shown))
    .catch((error: unknown) => failed('The state of the service could not be read', error));
}

const frameError = { shown: false };

function takeFrame(bytes: ArrayBuffer): number {
  try {
    return liveFrames.take(bytes);
  } catch (error) {
    if (!frameError.shown) toast('error', 'A frame could not be read', messageOf(error));
    frameError.shown = true; // report once: each later frame would fail the same way
    return liveFrames.stats.seq;
  }
}
