import type { EventPayloads, SceneOwner, StudioEvent } from '../../../src/protocol/events.ts';
import type { Recording } from '../../../src/protocol/schemas/recordings.ts';
import type { datasets, refreshListing, visiblePages } from '../features/data/data-store.ts';
import type { setPlaying, takePreview } from '../features/data/preview-store.ts';
import type { takeJobs } from '../features/jobs/jobs-store.ts';
import type { patchSession, takePlay } from '../features/play/session-store.ts';
import type { imports, robot, robots, showRobot } from '../features/robots/robots-store.ts';
import type { takeLog } from '../features/status/log-store.ts';
import type { refreshPresets, takePresets } from '../features/tasks/presets-store.ts';
import type { takeBusy } from '../net/busy.ts';
import type { identity, takeIdentity } from '../net/client-identity.ts';
import type { owner } from '../net/scene-owner.ts';
import { sentence } from '../ui/format.ts';
import type { toast } from '../ui/toasts.ts';

/** Dependencies: the stores that the events change. */
export interface EventDispatchDeps {
  readonly datasets: Pick<typeof datasets, 'refresh'>;
  readonly refreshListing: typeof refreshListing;
  readonly visiblePages: typeof visiblePages;
  readonly takePreview: typeof takePreview;
  readonly playClip: typeof setPlaying;
  readonly takeJobs: typeof takeJobs;
  readonly patchSession: typeof patchSession;
  readonly takePlay: typeof takePlay;
  readonly playSession: (playing: boolean) => void;
  readonly imports: Pick<typeof imports, 'refresh'>;
  readonly robot: Pick<typeof robot, 'refresh'>;
  readonly robots: Pick<typeof robots, 'refresh'>;
  readonly showRobot: typeof showRobot;
  readonly takeLog: typeof takeLog;
  readonly refreshRuns: () => void;
  readonly refreshPresets: typeof refreshPresets;
  readonly takePresets: typeof takePresets;
  readonly takeBusy: typeof takeBusy;
  readonly takeRecording: (running: Recording | null) => void;
  readonly identity: Pick<typeof identity, 'peek'>;
  readonly takeIdentity: typeof takeIdentity;
  readonly owner: typeof owner;
  readonly toast: typeof toast;
}

/** Copying files causes many events in a short time. The listing is fetched once for all of them, this long after
 *  the last event, ms. */
const BURST_MS = 150;

/** Forwards each event of the service to the store it concerns. */
export class EventDispatch {
  readonly #deps: EventDispatchDeps;
  #listingTimer: ReturnType<typeof setTimeout> | undefined;
  /** the next `owner` event reports the present state, not a change */
  #joining = false;
  #recording = false;

  constructor(deps: EventDispatchDeps) {
    this.#deps = deps;
  }

  readonly take = (event: StudioEvent): void => {
    const page = this.#deps;
    switch (event.topic) {
      case 'client':
        this.#joining = true;
        page.takeIdentity(event.payload);
        // The events that follow name a recording only if one runs.
        if (this.#recording) this.#takeRecording(null);
        break;
      case 'log':
        page.takeLog(event.payload);
        break;
      case 'busy':
        page.takeBusy(event.payload);
        break;
      case 'robot':
        this.#takeRobot(event.payload.reason);
        break;
      case 'robots':
        void page.imports.refresh();
        if (event.payload.reason !== 'upload') void page.robots.refresh();
        break;
      case 'data':
        if (event.payload.preview !== undefined) page.takePreview(event.payload.preview);
        if (event.payload.reason === 'counts' || event.payload.reason === 'scan') this.#filesChanged();
        break;
      case 'jobs':
        page.takeJobs(event.payload);
        break;
      case 'owner':
        this.#takeOwner(event.payload);
        break;
      case 'play':
        page.takePlay(event.payload);
        break;
      case 'focus':
        page.patchSession({ focus: event.payload.index });
        break;
      case 'runs':
        page.refreshRuns();
        break;
      case 'recordings':
        this.#takeRecording(event.payload.running);
        break;
      case 'presets':
        page.takePresets(event.payload);
        void page.robots.refresh(); // the cards show the number of tasks per robot
        break;
    }
  };

  #takeRobot(reason: string): void {
    const page = this.#deps;
    if (reason !== 'snapshot') void page.robot.refresh();
    if (reason !== 'select' && reason !== 'changed') return;
    void page.robots.refresh();
    void page.datasets.refresh();
    page.refreshPresets();
  }

  #takeRecording(running: Recording | null): void {
    this.#recording = running !== null;
    this.#deps.takeRecording(running);
  }

  #filesChanged(): void {
    clearTimeout(this.#listingTimer);
    this.#listingTimer = setTimeout(() => {
      void this.#deps.datasets.refresh();
      this.#deps.refreshListing(this.#deps.visiblePages.now);
    }, BURST_MS);
  }

  /** Tells the user that another client took over the scene, and offers to take it back. */
  #takeOwner({ owner: next, by }: EventPayloads['owner']): void {
    const { owner, identity, toast, showRobot, playClip, playSession } = this.#deps;
    const before = owner.peek();
    owner.value = next;
    const isState = this.#joining;
    this.#joining = false;
    if (isState || before === null || before === next || by === identity.peek()?.id) return;
    const takeBack: Partial<Record<SceneOwner, () => void>> = {
      robots: () => void showRobot(),
      data: () => void playClip(true),
      play: () => playSession(true),
    };
    const run = takeBack[before];
    toast(
      'info',
      `${sentence(next)} controls the scene now`,
      'Another client has just taken it over.',
      run === undefined ? null : { label: 'Take back', run },
    );
  }
}
