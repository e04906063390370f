import { computed, signal } from '@preact/signals';
import type { Frame } from '../../../../src/protocol/frame.ts';
import type { Preview } from '../../../../src/protocol/schemas/data.ts';
import type { call } from '../../net/api.ts';
import type { runSlow } from '../../net/busy.ts';
import { LatestSender } from '../../net/latest-sender.ts';
import type { owner } from '../../net/scene-owner.ts';
import type { dockView } from '../../ui/dock-state.ts';
import type { foldFirstRun, goTo } from '../../ui/layout.ts';
import { nextSpeed } from '../../ui/speeds.ts';
import type { failed } from '../../ui/toasts.ts';
import { nextIssue, type QaIssue, shownFrame } from './shared/clip-issues.ts';
import { clipDuration } from './timeline-scale.ts';

type DataOptions = Preview['options'];

/** Maximum number of clips in a grid. */
export const GRID_MOST = 64;

/** Dependencies of ClipPreview. */
export interface ClipPreviewDeps {
  readonly call: typeof call;
  readonly runSlow: typeof runSlow;
  readonly foldFirstRun: typeof foldFirstRun;
  readonly failed: typeof failed;
  readonly goTo: typeof goTo;
  readonly dockView: typeof dockView;
  /** whether this page is the separate Plots window, which has no areas to open */
  readonly plotsWindow: boolean;
  readonly owner: Pick<typeof owner, 'peek'>;
  /** runs a callback before the next picture, as `requestAnimationFrame` does */
  readonly nextPicture: (callback: () => void) => void;
}

/** The open clip as reported by the service, with the actions on it: load, seek, play, step, loop. */
export class ClipPreview {
  readonly #deps: ClipPreviewDeps;

  /** The preview last reported by the service; null before the first. */
  readonly preview = signal<Preview | null>(null);
  /** The clip that this page is loading. */
  readonly loadingClip = signal<{ readonly dataset: string; readonly clip: string } | null>(null);
  /** True if a clip or a grid of clips is open. Its dataset may have been deleted in the meantime. */
  readonly isOpen = computed(() => this.preview.value?.open === true && this.preview.value.frames > 0);

  /** Position of the playhead. Not a signal, because it changes with every frame. */
  readonly playhead = { frame: 0, time: 0 };
  readonly #watchers = new Set<() => void>();
  #told = false;

  /** Calls `watcher` when the playhead has moved, at most once per picture. @returns stops the calls */
  readonly watchPlayhead = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    watcher();
    return () => this.#watchers.delete(watcher);
  };

  readonly #tell = (): void => {
    if (this.#told) return;
    this.#told = true;
    this.#deps.nextPicture(() => {
      this.#told = false;
      for (const watcher of this.#watchers) watcher();
    });
  };

  /** Reads the playhead from a frame of the data scene. */
  readonly followFrame = (frame: Frame): void => {
    const { owner, hud } = frame.header;
    if (owner !== 'data' || hud.frame === undefined || this.#seeker.pending()) return;
    if (hud.frame === this.playhead.frame && hud.time === this.playhead.time) return;
    this.playhead.frame = hud.frame;
    this.playhead.time = hud.time ?? 0;
    this.#tell();
  };

  readonly takePreview = (news: Preview): void => {
    const before = this.preview.peek();
    const same = before?.clip === news.clip && before.dataset === news.dataset && before.source === news.source;
    if (!same) {
      this.chosenIssue.value = null;
      this.loopRegion.value = null;
    }
    // a reply written before the checks ended may arrive after the event with their result
    const next = same && !before.loading && news.qa === null ? { ...news, qa: before.qa } : news;
    this.preview.value = next;
    if (next.playing || this.#seeker.pending()) return;
    this.playhead.frame = next.frame;
    this.playhead.time = next.time;
    this.#tell();
  };

  readonly #seeker = new LatestSender<'frame', number, Preview>(
    (_, frame) => {
      return this.#deps.call('POST /api/data/frame', { body: { frame } });
    },
    (_, reply) => this.takePreview(reply),
    (_, error) => this.#deps.failed('The frame could not be shown', error),
  );

  /** Goes to a frame, clamped to the clip. The playhead moves immediately; the scene follows. */
  readonly seek = (frame: number): void => {
    const current = this.preview.peek();
    if (current === null || !this.isOpen.peek() || !Number.isFinite(frame)) return;
    const clamped = Math.min(current.frames - 1, Math.max(0, Math.round(frame)));
    this.playhead.frame = clamped;
    this.playhead.time = current.fps > 0 ? clamped / current.fps : 0;
    this.#seeker.push('frame', clamped);
    this.#tell();
  };

  /** Steps by frames. Pauses first, because playback would continue otherwise. */
  readonly step = async (frames: number): Promise<void> => {
    if (this.preview.peek()?.playing === true) await this.setPlaying(false);
    this.seek(this.playhead.frame + frames);
  };

  readonly stepSeconds = (seconds: number): void => {
    const fps = this.preview.peek()?.fps ?? 0;
    this.seek(this.playhead.frame + seconds * fps);
  };

  readonly setPlaying = async (playing: boolean): Promise<void> => {
    const current = this.preview.peek();
    if (current === null || !this.isOpen.peek()) return;
    this.preview.value = { ...current, playing };
    try {
      const atEnd = playing && !current.options.loop && this.playhead.frame >= current.frames - 1;
      if (atEnd) await this.#deps.call('POST /api/data/frame', { body: { frame: 0 } });
      this.takePreview(await this.#deps.call('POST /api/data/playing', { body: { playing } }));
    } catch (error) {
      this.preview.value = current;
      this.#deps.failed(playing ? 'The clip could not be played' : 'The clip could not be paused', error);
    }
  };

  readonly togglePlaying = (): void => {
    void this.setPlaying(this.preview.peek()?.playing !== true);
  };

  readonly setOptions = async (options: Partial<DataOptions>): Promise<void> => {
    const current = this.preview.peek();
    if (current === null || !this.isOpen.peek()) return;
    this.preview.value = { ...current, options: { ...current.options, ...options } };
    try {
      this.takePreview(await this.#deps.call('POST /api/data/options', { body: options }));
    } catch (error) {
      this.preview.value = current;
      this.#deps.failed('The option could not be set', error);
    }
  };

  /** Selects the next higher (+1) or lower (−1) speed of the menu. */
  readonly changeSpeed = (direction: 1 | -1): void => {
    const next = nextSpeed(this.preview.peek()?.options.speed ?? 1, direction);
    if (next !== null) void this.setOptions({ speed: next });
  };

  /** Loads a clip, shows it in the scene and starts playback. @returns true if it succeeded */
  readonly loadClip = async (
    dataset: string,
    clip: string,
    source: 'auto' | 'npz' | 'raw' = 'auto',
  ): Promise<boolean> => {
    this.loadingClip.value = { dataset, clip };
    const done = await this.#deps.runSlow(`${clip} could not be loaded`, () =>
      this.#deps.call('POST /api/data/load', { body: { dataset, clip, source } }),
    );
    const mine = this.loadingClip.peek();
    if (mine?.dataset === dataset && mine.clip === clip) this.loadingClip.value = null;
    if (done) {
      this.#deps.foldFirstRun();
      void this.refreshPreview();
    }
    return done;
  };

  /** Loads a clip again after its conversion, if the scene still shows it. A clip stays open while another area owns
   *  the scene; loading it then would end what that area shows. */
  readonly reloadShown = async (dataset: string, clip: string): Promise<void> => {
    const open = this.preview.peek();
    if (this.#deps.owner.peek() === 'data' && open?.dataset === dataset && open.clip === clip)
      await this.loadClip(dataset, clip);
  };

  /** Whether this page is loading a grid. */
  readonly loadingGrid = signal(false);

  /** Shows several clips side by side, all played at the same time. */
  readonly loadGrid = async (dataset: string, clips: readonly string[]): Promise<boolean> => {
    this.loadingGrid.value = true;
    const done = await this.#deps.runSlow('The grid could not be loaded', () =>
      this.#deps.call('POST /api/data/grid', { body: { dataset, clips: [...clips] } }),
    );
    this.loadingGrid.value = false;
    if (done) {
      this.#deps.foldFirstRun();
      void this.refreshPreview();
    }
    return done;
  };

  /** The selected issue. It is marked in the inspector and on the timeline, and Plots shows its channels. */
  readonly chosenIssue = signal<QaIssue | null>(null);

  /** Selects an issue, pauses the clip and goes to the frame that shows the issue. */
  readonly showIssue = async (issue: QaIssue): Promise<void> => {
    this.chosenIssue.value = issue;
    if (this.preview.peek()?.playing === true) await this.setPlaying(false);
    this.seek(shownFrame(issue));
  };

  /** Goes to the issue before (−1) or after (+1) the playhead. */
  readonly stepIssue = (direction: 1 | -1): void => {
    const issues = this.preview.peek()?.qa?.issues ?? [];
    const issue = nextIssue(issues, this.playhead.frame, direction);
    if (issue !== null) void this.showIssue(issue);
  };

  /** Frames [from, to] that this page repeats; null plays the whole clip. */
  readonly loopRegion = signal<readonly [from: number, to: number] | null>(null);

  /** Whether the preview shows a clip of the dataset or, if `clips` is given, one of these clips. */
  readonly showsClips = (dataset: string, clips: readonly string[] | null): boolean => {
    const open = this.preview.peek();
    if (open?.open !== true || open.dataset !== dataset) return false;
    const shown = open.grid?.clips ?? [open.clip];
    return clips === null || shown.some((clip) => clip !== null && clips.includes(clip));
  };

  readonly closePreview = async (): Promise<void> => {
    try {
      await this.#deps.call('POST /api/data/close');
      await this.refreshPreview();
    } catch (error) {
      this.#deps.failed('The clip could not be closed', error);
    }
  };

  readonly refreshPreview = async (): Promise<void> => {
    this.takePreview(await this.#deps.call('GET /api/data/preview'));
  };

  /** length of the open clip, s */
  readonly duration = computed(() => clipDuration(this.preview.value?.frames ?? 0, this.preview.value?.fps ?? 0));

  /** Goes to the frame of an issue and plots the channels that show the issue. */
  readonly showIssuePlot = (issue: QaIssue): void => {
    if (!this.#deps.plotsWindow) {
      this.#deps.goTo('data');
      this.#deps.dockView.value = 'plots';
    }
    void this.showIssue({ ...issue }); // a copy, so that channels hidden since the last time are shown again
  };

  constructor(deps: ClipPreviewDeps) {
    this.#deps = deps;

    this.watchPlayhead(() => {
      const region = this.loopRegion.peek();
      if (region === null || this.preview.peek()?.playing !== true || this.#seeker.pending()) return;
      if (this.playhead.frame > region[1] || this.playhead.frame < region[0]) this.seek(region[0]);
    });
  }
}
