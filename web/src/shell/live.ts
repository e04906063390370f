import { effect } from '@preact/signals';
import type { StudioEvent } from '../../../src/protocol/events.ts';
import { datasets, refreshListing, syncListing, visiblePages } from '../features/data/data-store.ts';
import { followFrame, refreshPreview, setPlaying, takePreview } from '../features/data/preview-store.ts';
import { refreshJobs, takeJobs } from '../features/jobs/jobs-store.ts';
import { followPlayFrame, patchSession, refreshPlay, takePlay } from '../features/play/session-store.ts';
import { imports, robot, robots, showRobot } from '../features/robots/robots-store.ts';
import { refreshLog, takeLog } from '../features/status/log-store.ts';
import { refreshPresets, takePresets } from '../features/tasks/presets-store.ts';
import { refreshBusy, takeBusy } from '../net/busy.ts';
import { connection } from '../net/connection.ts';
import { startHeartbeat } from '../net/heartbeat.ts';
import { liveFrames } from '../net/live-frames.ts';
import { causedHere, owner } from '../net/scene-owner.ts';
import { StudioSocket, socketUrl } from '../net/socket.ts';
import { sentence } from '../ui/format.ts';
import { messageOf } from '../ui/message-of.ts';
import { failed, toast } from '../ui/toasts.ts';

let socket: StudioSocket | null = null;
let frameErrorTold = false;

/** Connects the page's state with the service: events in, refetching after a loss, frames to whoever draws. */
export function startStudio(): void {
  liveFrames.listen(followFrame);
  liveFrames.listen(followPlayFrame);
  socket = new StudioSocket(socketUrl(location.href), {
    opened: () => {
      connection.value = { state: 'open', since: performance.now(), lastFrame: null };
      liveFrames.restart();
      refetch();
    },
    lost: () => {
      const before = connection.peek();
      if (before.state === 'lost') return;
      const lastFrame = liveFrames.arrived > 0 ? Date.now() - (performance.now() - liveFrames.arrived) : null;
      connection.value = { state: 'lost', since: performance.now(), lastFrame };
    },
    frame: takeFrame,
    event: takeEvent,
  });
  socket.start();
  startHeartbeat();
  effect(syncListing);
}

export function reconnectNow(): void {
  socket?.retryNow();
}

/** Everything the page shows, as of now: after connecting, and after every reconnect. */
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
  refreshBusy().catch((error: unknown) => failed('The running tasks could not be read', error));
}

function takeFrame(bytes: ArrayBuffer): number {
  try {
    return liveFrames.take(bytes);
  } catch (error) {
    if (!frameErrorTold) toast('error', 'A frame could not be read', messageOf(error));
    frameErrorTold = true;
    return liveFrames.stats.seq;
  }
}

let listingTimer = 0;

/** Counts change in bursts while files are copied in. */
function filesChanged(): void {
  window.clearTimeout(listingTimer);
  listingTimer = window.setTimeout(() => {
    void datasets.refresh();
    refreshListing(visiblePages.now);
  }, 150);
}

function takeEvent(event: StudioEvent): void {
  switch (event.topic) {
    case 'log':
      takeLog(event.payload);
      break;
    case 'busy':
      takeBusy(event.payload);
      break;
    case 'robot':
      if (event.payload.reason !== 'snapshot') void robot.refresh();
      if (event.payload.reason === 'select' || event.payload.reason === 'changed') {
        void robots.refresh();
        void datasets.refresh();
        refreshPresets();
      }
      break;
    case 'robots':
      void imports.refresh();
      if (event.payload.reason !== 'upload') void robots.refresh();
      break;
    case 'data':
      if (event.payload.preview !== undefined) takePreview(event.payload.preview);
      if (event.payload.reason === 'counts' || event.payload.reason === 'scan') filesChanged();
      break;
    case 'jobs':
      takeJobs(event.payload);
      break;
    case 'owner':
      takeOwner(event.payload.owner);
      break;
    case 'play':
      takePlay(event.payload);
      break;
    case 'focus':
      patchSession({ focus: event.payload.index });
      break;
    case 'presets':
      takePresets(event.payload);
      void robots.refresh(); // each card counts its tasks
      break;
  }
}

function takeOwner(next: NonNullable<typeof owner.value>): void {
  const before = owner.peek();
  owner.value = next;
  if (before === null || before === next || causedHere()) return;
  const back =
    before === 'robots'
      ? () => void showRobot()
      : before === 'data'
        ? () => void setPlaying(true)
        : before === 'play'
          ? () => void import('../features/play/control-store.ts').then((play) => play.setPlaying(true))
          : null;
  toast(
    'info',
    `The scene was taken to ${sentence(next)}`,
    'Another client did it, just now.',
    back === null ? null : { label: 'Take back', run: back },
  );
}
