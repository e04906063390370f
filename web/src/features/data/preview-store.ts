import { computed, signal } from '@preact/signals';
import type { Frame } from '../../../../src/protocol/frame.ts';
import type { Preview } from '../../../../src/protocol/schemas/data.ts';
import { call } from '../../net/api.ts';
import { runSlow } from '../../net/busy.ts';
import { LatestSender } from '../../net/latest-sender.ts';
import { ownAction } from '../../net/scene-owner.ts';
import { dockView } from '../../ui/dock-state.ts';
import { foldFirstRun, goTo } from '../../ui/layout.ts';
import { plotsWindow } from '../../ui/plots-shown.ts';
import { failed } from '../../ui/toasts.ts';
import { nextIssue, type QaIssue, shownFrame } from './shared/clip-issues.ts';
import { clipDuration } from './timeline-scale.ts';

type DataOptions = Preview['options'];

/** The preview as the service last told; null before it did. */
export const preview = signal<Preview | null>(null);
/** Clip that is being loaded by this page. */
export const loadingClip = signal<{ readonly dataset: string; readonly clip: string } | null>(null);
/** The dataset of the loaded clip may have gone; what matters is whether something is open. */
export const isOpen = computed(() => preview.value?.open === true && preview.value.frames > 0);

/** Where the scene is, kept outside signals: it moves with every frame. */
export const playhead = { frame: 0, time: 0 };
const watchers = new Set<() => void>();
let told = false;

/** Told at most once a displayed picture when the playhead moved. @returns ends it */
export function watchPlayhead(watcher: () => void): () => void {
  watchers.add(watcher);
  watcher();
  return () => watchers.delete(watcher);
}

function tell(): void {
  if (told) return;
  told = true;
  requestAnimationFrame(() => {
    told = false;
    for (const watcher of watchers) watcher();
  });
}

/** Reads the playhead from a frame of the data scene. */
export function followFrame(frame: Frame): void {
  const { owner, hud } = frame.header;
  if (owner !== 'data' || hud.frame === undefined || seeker.pending()) return;
  if (hud.frame === playhead.frame && hud.time === playhead.time) return;
  playhead.frame = hud.frame;
  playhead.time = hud.time ?? 0;
  tell();
}

export function takePreview(news: Preview): void {
  const before = preview.peek();
  const same = before?.clip === news.clip && before.dataset === news.dataset && before.source === news.source;
  if (!same) {
    chosenIssue.value = null;
    loopRegion.value = null;
  }
  // a reply that was written before the checks ended may come after the event that told their result
  const next = same && !before.loading && news.qa === null ? { ...news, qa: before.qa } : news;
  preview.value = next;
  if (next.playing || seeker.pending()) return;
  playhead.frame = next.frame;
  playhead.time = next.time;
  tell();
}

const seeker = new LatestSender<'frame', number, Preview>(
  (_, frame) => {
    ownAction();
    return call('POST /api/data/frame', { body: { frame } });
  },
  (_, reply) => takePreview(reply),
  (_, error) => failed('The frame could not be shown', error),
);

/** Goes to a frame, clamped; the playhead moves at once and the scene follows. */
export function seek(frame: number): void {
  const current = preview.peek();
  if (current === null || !isOpen.peek() || !Number.isFinite(frame)) return;
  const clamped = Math.min(current.frames - 1, Math.max(0, Math.round(frame)));
  playhead.frame = clamped;
  playhead.time = current.fps > 0 ? clamped / current.fps : 0;
  seeker.push('frame', clamped);
  tell();
}

/** One step pauses: a playing clip would run over it. */
export async function step(frames: number): Promise<void> {
  if (preview.peek()?.playing === true) await setPlaying(false);
  seek(playhead.frame + frames);
}

export function stepSeconds(seconds: number): void {
  const fps = preview.peek()?.fps ?? 0;
  seek(playhead.frame + seconds * fps);
}

export async function setPlaying(playing: boolean): Promise<void> {
  const current = preview.peek();
  if (current === null || !isOpen.peek()) return;
  ownAction();
  preview.value = { ...current, playing };
  try {
    const atEnd = playing && !current.options.loop && playhead.frame >= current.frames - 1;
    if (atEnd) await call('POST /api/data/frame', { body: { frame: 0 } });
    takePreview(await call('POST /api/data/playing', { body: { playing } }));
  } catch (error) {
    preview.value = current;
    failed(playing ? 'The clip could not be played' : 'The clip could not be paused', error);
  }
}

export function togglePlaying(): void {
  void setPlaying(preview.peek()?.playing !== true);
}

export async function setOptions(options: Partial<DataOptions>): Promise<void> {
  const current = preview.peek();
  if (current === null || !isOpen.peek()) return;
  ownAction();
  preview.value = { ...current, options: { ...current.options, ...options } };
  try {
    takePreview(await call('POST /api/data/options', { body: options }));
  } catch (error) {
    preview.value = current;
    failed('The option could not be set', error);
  }
}

export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 4, 8] as const;

/** The next speed of the menu above (+1) or below (−1) the present one. */
export function changeSpeed(direction: 1 | -1): void {
  const now = preview.peek()?.options.speed ?? 1;
  const next = direction > 0 ? SPEEDS.find((s) => s > now + 1e-6) : SPEEDS.findLast((s) => s < now - 1e-6);
  if (next !== undefined) void setOptions({ speed: next });
}

/** Loads a clip: it takes the scene and plays. @returns whether it did */
export async function loadClip(
  dataset: string,
  clip: string,
  source: 'auto' | 'npz' | 'raw' = 'auto',
): Promise<boolean> {
  loadingClip.value = { dataset, clip };
  ownAction();
  const done = await runSlow(`${clip} could not be loaded`, () =>
    call('POST /api/data/load', { body: { dataset, clip, source } }),
  );
  const mine = loadingClip.peek();
  if (mine?.dataset === dataset && mine.clip === clip) loadingClip.value = null;
  if (done) {
    foldFirstRun();
    void refreshPreview();
  }
  return done;
}

/** Whether a grid is being loaded by this page. */
export const loadingGrid = signal(false);
/** Most clips of a grid. */
export const GRID_MOST = 64;

/** Shows clips side by side, playing in step. @param clips named ones, or the first that fit a search */
export async function loadGrid(
  dataset: string,
  clips: { readonly names: readonly string[] } | { readonly q: string; readonly count: number },
): Promise<boolean> {
  loadingGrid.value = true;
  ownAction();
  const chosen =
    'names' in clips ? { clips: [...clips.names] } : { count: clips.count, ...(clips.q === '' ? {} : { q: clips.q }) };
  const done = await runSlow('The grid could not be loaded', () =>
    call('POST /api/data/grid', { body: { dataset, ...chosen } }),
  );
  loadingGrid.value = false;
  if (done) {
    foldFirstRun();
    void refreshPreview();
  }
  return done;
}

/** The issue that was clicked: marked in the inspector and on the timeline, its channels are those that Plots shows. */
export const chosenIssue = signal<QaIssue | null>(null);

/** Goes to the frame that shows an issue, and marks it. The clip pauses: a playing one would run over it. */
export async function showIssue(issue: QaIssue): Promise<void> {
  chosenIssue.value = issue;
  if (preview.peek()?.playing === true) await setPlaying(false);
  seek(shownFrame(issue));
}

/** The issue before (−1) or after (+1) the playhead. */
export function stepIssue(direction: 1 | -1): void {
  const issues = preview.peek()?.qa?.issues ?? [];
  const issue = nextIssue(issues, playhead.frame, direction);
  if (issue !== null) void showIssue(issue);
}

/** Frames [from, to] that play round and round here; null plays the clip as it is. */
export const loopRegion = signal<readonly [from: number, to: number] | null>(null);

watchPlayhead(() => {
  const region = loopRegion.peek();
  if (region === null || preview.peek()?.playing !== true || seeker.pending()) return;
  if (playhead.frame > region[1] || playhead.frame < region[0]) seek(region[0]);
});

/** Whether the preview shows a clip of the dataset, of `clips` where they are given. */
export function showsClips(dataset: string, clips: readonly string[] | null): boolean {
  const open = preview.peek();
  if (open?.open !== true || open.dataset !== dataset) return false;
  const shown = open.grid?.clips ?? [open.clip];
  return clips === null || shown.some((clip) => clip !== null && clips.includes(clip));
}

export async function closePreview(): Promise<void> {
  ownAction();
  try {
    await call('POST /api/data/close');
    await refreshPreview();
  } catch (error) {
    failed('The clip could not be closed', error);
  }
}

export async function refreshPreview(): Promise<void> {
  takePreview(await call('GET /api/data/preview'));
}

/** s, of the open clip */
export const duration = computed(() => clipDuration(preview.value?.frames ?? 0, preview.value?.fps ?? 0));

/** Goes to the frame of an issue and plots the channels that show it. */
export function showIssuePlot(issue: QaIssue): void {
  if (!plotsWindow) {
    goTo('data');
    dockView.value = 'plots';
  }
  void showIssue({ ...issue }); // a copy: channels that were hidden since the last time are shown again
}
