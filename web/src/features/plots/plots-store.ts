import { computed, effect, signal, untracked } from '@preact/signals';
import { call } from '../../net/api.ts';
import { messageOf } from '../../ui/message-of.ts';
import { plotsOf } from '../../ui/plots-shown.ts';
import { remember, remembered } from '../../ui/stored.ts';
import { clipIdentity, onClip } from '../data/clip-identity-store.ts';
import { chosenIssue, preview } from '../data/preview-store.ts';
import { firstFrame, lastFrame, type QaIssue } from '../data/shared/clip-issues.ts';
import type { PlotReply } from '../data/shared/plot-reply.ts';
import { backToLive, freeze, frozen, record, useOften, useRecord } from '../play/record-store.ts';
import { isLive } from '../play/session-store.ts';
import { robot } from '../robots/robots-store.ts';
import { ALL_CLIP_GROUPS, type Chart, type ClipGroup, firstGroups, type Layout, layCharts } from './channels.ts';
import { cursorFrame, watchCursor } from './cursor.ts';
import { clipSource, PlotData } from './plot-data.ts';
import { type Choice, DEFAULT_GROUPS, defaultIds, readChoice, writeChoice } from './selection.ts';
import { followTime, panWindow, type TimeWindow, wholeClip, windowAround, zoomWindow } from './time-window.ts';
import type { ValueRange } from './value-range.ts';

/** Everything the Plots area shows: of a clip, or of an environment's last minute. Part of its own chunk: what the shell needs to know of plots is in `ui/plots-shown.ts`. */
export interface PlotsState {
  /** of the open clip; what was there stays while a clip is read anew */
  readonly data: PlotData | null;
  readonly loading: boolean;
  readonly error: string | null;
}

export const plots = signal<PlotsState>({ data: null, loading: false, error: null });
/** The part of the clip that the charts show, s. */
export const timeWindow = signal<TimeWindow>({ from: 0, to: 0 });
/** Value axes that were zoomed, by chart; the others fit their data. */
export const valueRanges = signal<ReadonlyMap<string, ValueRange>>(new Map());
/** The window turns the page when the playhead leaves it. */
export const linked = signal(true);
export const tableShown = signal(false);

/** Key of the chart that a phone shows; it has room for one. */
export const one = signal('');

const choice = signal<Choice>({ ids: [], layout: 'pairs', reference: true });
/** The issue whose channels were put aside again, by a tick or by its chip. */
const dismissed = signal<QaIssue | null>(null);

/** The issue whose channels are shown in place of the chosen ones. */
export const issueShown = computed<QaIssue | null>(() => {
  const issue = plotsOf.value === 'play' ? null : chosenIssue.value;
  const data = plots.value.data;
  if (issue === null || data === null || issue === dismissed.value) return null;
  return issue.plot.channels.some((id) => data.indexOf(id) >= 0) ? issue : null;
});

export const shownIds = computed<ReadonlySet<string>>(
  () => new Set(issueShown.value?.plot.channels ?? choice.value.ids),
);
export const layout = computed<Layout>(() => choice.value.layout);
export const referenceShown = computed(() => choice.value.reference && plots.value.data?.refLabel != null);

export const charts = computed<readonly Chart[]>(() => {
  const { data } = plots.value;
  return data === null ? [] : layCharts(data.channels, shownIds.value, layout.value);
});

export const issues = computed<readonly QaIssue[]>(() =>
  plotsOf.value === 'play' ? [] : (preview.value?.qa?.issues ?? []),
);

/** Whether there is something to plot, be it that it has not come yet. */
export const hasSubject = computed(() => (plotsOf.value === 'play' ? isLive.value : clipIdentity.value !== null));

/** Counts up when someone asks for the plots again. */
const retries = signal(0);
let users = 0;
let stop: (() => void) | null = null;

/** Keeps the plots current as long as something shows them. @returns ends it */
export function usePlots(): () => void {
  users += 1;
  if (users === 1) stop = start();
  return () => {
    users -= 1;
    if (users === 0) stop?.();
  };
}

function start(): () => void {
  const ends = [
    effect(() => {
      void retries.value;
      if (plotsOf.value === 'play') return;
      return onClip((key) => {
        if (key !== null) return fetchPlots(key);
        plots.value = { data: null, loading: false, error: null };
        return;
      });
    }),
    effect(() => (plotsOf.value === 'play' ? startPlay() : undefined)),
    effect(() => {
      const issue = issueShown.value;
      if (issue !== null) untracked(() => showIssueWindow(issue));
    }),
    watchCursor(follow),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Plots the focused environment's record, and turns the charts with it while it is live. @returns ends it */
function startPlay(): () => void {
  plots.value = { data: null, loading: false, error: null };
  plotted = null;
  const ends = [
    untracked(useRecord),
    useOften(),
    effect(() => {
      const view = record.value;
      const still = frozen.value;
      if (view === null || view.rows < 2) {
        plots.value = { data: null, loading: false, error: null };
        return;
      }
      const data = new PlotData({
        title: `Env ${view.env}`,
        fps: view.fps,
        frames: view.rows,
        channels: view.channels,
        columns: view.channels.map((_, at) => ({ values: view.data, at, stride: view.channels.length })),
        refLabel: view.refStride > 0 ? 'reference' : null,
        refs: view.refColumn.map((at) => (at < 0 ? null : { values: view.ref, at, stride: view.refStride })),
        nowLabel: still ? '0 s' : 'live',
      });
      untracked(() => showRecord(data, still));
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** s that are kept, and that the charts show at first */
const HISTORY_S = 60;
const PLAY_SPAN_S = 10;

/** A window of a live record keeps its length and stays at the newest row. */
function showRecord(data: PlotData, still: boolean): void {
  const key = `play.${robot.value?.id ?? ''}`;
  const window = timeWindow.peek();
  if (plotted !== key) {
    readChosen(data, key);
    valueRanges.value = new Map();
    liveSpan = PLAY_SPAN_S;
  } else if (!still && plots.peek().data?.nowLabel === '0 s') liveSpan = Math.max(0.1, window.to - window.from);
  plotted = key;
  plots.value = { data, loading: false, error: null };
  if (!still) timeWindow.value = { from: Math.max(0, data.duration - liveSpan), to: data.duration };
}

/** s that the charts show of a live record */
let liveSpan = PLAY_SPAN_S;

/** The clip that is plotted: another one is shown over its whole length. */
let plotted: string | null = null;

/** Reads the groups that are shown first, then the others. @returns ends it */
function fetchPlots(key: string): () => void {
  const abort = new AbortController();
  plots.value = { ...plots.peek(), loading: true, error: null };
  readGroups(key, abort.signal).catch((error: unknown) => {
    if (!abort.signal.aborted) plots.value = { data: null, loading: false, error: messageOf(error) };
  });
  return () => abort.abort();
}

async function readGroups(key: string, signal: AbortSignal): Promise<void> {
  const replies = new Map<ClipGroup, PlotReply>();
  const read = async (group: ClipGroup) => {
    // The raw source has no torques.
    const query = { group, ...(group === 'torques' ? { ref: false } : {}) };
    replies.set(group, await call('GET /api/plots/clip', { query, signal }));
  };
  const show = () => {
    const [first, ...others] = ALL_CLIP_GROUPS.flatMap((group) => replies.get(group) ?? []);
    if (first && !signal.aborted)
      take(new PlotData(clipSource([first, ...others])), key, replies.size < ALL_CLIP_GROUPS.length);
  };
  const stored = readChoice(remembered(choiceKey(clipChoice())));
  const soon = new Set([
    ...(stored === null ? DEFAULT_GROUPS : firstGroups(stored.ids)),
    ...firstGroups(chosenIssue.peek()?.plot.channels ?? []),
  ]);
  await Promise.all([...soon].map(read));
  show();
  const later = ALL_CLIP_GROUPS.filter((group) => !soon.has(group));
  await Promise.all(later.map((group) => read(group).then(show)));
}

export function retryPlots(): void {
  retries.value += 1;
}

/** Key of what was chosen for the clips of this robot. */
const clipChoice = () => robot.value?.id ?? '';
const choiceKey = (key: string) => `plots.${key}`;

/** What was chosen for this robot, or what is shown first. @param key of what is plotted: clips and records apart
 *  @param more whether channels are still to come: what was chosen may be among them */
function readChosen(data: PlotData, key: string, more = false): void {
  chosenKey = choiceKey(key);
  const stored = readChoice(remembered(chosenKey));
  const known = stored !== null && (more || stored.ids.length === 0 || stored.ids.some((id) => data.indexOf(id) >= 0));
  choice.value = {
    ids: known ? stored.ids : defaultIds(data.channels),
    layout: stored?.layout ?? 'pairs',
    reference: stored?.reference ?? true,
  };
}

let chosenKey: string | null = null;

/** @param more whether channels are still to come */
function take(data: PlotData, key: string, more: boolean): void {
  const before = plots.peek();
  // What is chosen meanwhile stays, unless it turns out to be unknown.
  const isFirst = key !== plotted || !before.loading || before.data?.title !== data.title;
  const { ids } = choice.peek();
  if (isFirst || (!more && ids.length > 0 && !ids.some((id) => data.indexOf(id) >= 0)))
    readChosen(data, clipChoice(), more);
  if (key !== plotted || timeWindow.peek().to > data.duration) {
    timeWindow.value = wholeClip(data.duration);
    valueRanges.value = new Map();
    linked.value = true;
  }
  plotted = key;
  plots.value = { data, loading: more, error: null };
}

function choose(next: Partial<Choice>): void {
  choice.value = { ...choice.peek(), ...next };
  if (chosenKey !== null) remember(chosenKey, writeChoice(choice.peek()));
}

/** Shows or hides a channel. An issue's channels become the chosen ones. */
export function tick(id: string, on: boolean): void {
  const ids = [...shownIds.peek()].filter((other) => other !== id);
  dismissed.value = chosenIssue.peek();
  choose({ ids: on ? [...ids, id] : ids });
}

/** Shows one channel alone. */
export function solo(id: string): void {
  dismissed.value = chosenIssue.peek();
  choose({ ids: [id] });
}

export function clearTicks(): void {
  dismissed.value = chosenIssue.peek();
  choose({ ids: [] });
}

export function dismissIssue(): void {
  dismissed.value = chosenIssue.peek();
}

export function setLayout(next: Layout): void {
  choose({ layout: next });
}

export function setReference(on: boolean): void {
  choose({ reference: on });
}

function showIssueWindow(issue: QaIssue): void {
  const { data } = plots.peek();
  if (data === null) return;
  timeWindow.value = windowAround(firstFrame(issue), lastFrame(issue), data.fps, data.duration);
}

/** Shows an issue's channels anew, also after they had been put aside. */
export function recallIssue(issue: QaIssue): void {
  dismissed.value = null;
  chosenIssue.value = issue;
  if (issueShown.peek() === null) showIssueWindow(issue);
}

function follow(): void {
  const { data } = plots.peek();
  if (data === null || !linked.peek() || (plotsOf.peek() === 'play' && !frozen.peek())) return;
  const before = timeWindow.peek();
  const next = followTime(before, cursorFrame() / data.fps, data.duration);
  if (next !== before) timeWindow.value = next;
}

export function setLinked(on: boolean): void {
  linked.value = on;
  follow();
}

/** A window that was moved away from the playhead by hand stays there. */
function moveWindow(next: TimeWindow): void {
  const { data } = plots.peek();
  if (data === null) return;
  if (plotsOf.peek() === 'play' && !frozen.peek()) {
    if (next.to > data.duration - 1e-6) return;
    freeze(); // away from the newest row it stands still
  }
  timeWindow.value = next;
  const time = cursorFrame() / data.fps;
  if (time < next.from || time > next.to) linked.value = false;
}

/** @param at instant that keeps its place, s; the playhead or the middle without one */
export function zoomTime(factor: number, at?: number): void {
  const { data } = plots.peek();
  if (data === null) return;
  const window = timeWindow.peek();
  const now = cursorFrame() / data.fps;
  if (plotsOf.peek() === 'play' && !frozen.peek()) {
    liveSpan = Math.min(HISTORY_S, Math.max(0.1, liveSpan * factor));
    timeWindow.value = { from: Math.max(0, data.duration - liveSpan), to: data.duration };
    return;
  }
  const middle = now >= window.from && now <= window.to ? now : (window.from + window.to) / 2;
  moveWindow(zoomWindow(window, at ?? middle, factor, data));
}

/** @param share of the window's length, towards the end */
export function panTime(share: number): void {
  const { data } = plots.peek();
  if (data === null) return;
  const window = timeWindow.peek();
  moveWindow(panWindow(window, share * (window.to - window.from), data.duration));
}

/** Moves the window to begin at an instant, s. */
export function windowFrom(from: number): void {
  const { data } = plots.peek();
  if (data === null) return;
  const window = timeWindow.peek();
  moveWindow(panWindow(window, from - window.from, data.duration));
}

/** The whole clip, and all values. */
export function fitAll(): void {
  const { data } = plots.peek();
  if (data === null) return;
  if (plotsOf.peek() === 'play') {
    liveSpan = HISTORY_S;
    backToLive();
  }
  timeWindow.value = wholeClip(data.duration);
  valueRanges.value = new Map();
}

export function setValueRange(chart: string, range: ValueRange): void {
  valueRanges.value = new Map(valueRanges.peek()).set(chart, range);
}
