import { computed, effect, signal, untracked } from '@preact/signals';
import type { call } from '../../net/api.ts';
import { messageOf } from '../../ui/message-of.ts';
import type { plotsOf } from '../../ui/plots-shown.ts';
import type { remember, remembered } from '../../ui/stored.ts';
import type { clipIdentity, onClip } from '../data/clip-identity-store.ts';
import type { chosenIssue, preview } from '../data/preview-store.ts';
import { firstFrame, lastFrame, type QaIssue } from '../data/shared/clip-issues.ts';
import type { PlotReply } from '../data/shared/plot-reply.ts';
import type { backToLive, freeze, frozen, RecordView, record, useOften, useRecord } from '../play/record-store.ts';
import type { isLive, session } from '../play/session-store.ts';
import type { robot } from '../robots/robots-store.ts';
import { ALL_CLIP_GROUPS, type Chart, type ClipGroup, firstGroups, type Layout, layCharts } from './channels.ts';
import type * as comparedPlots from './compared-plots.ts';
import type { cursorFrame, watchCursor } from './cursor.ts';
import { clipSource, PlotData, type PlotSource, recordSource } from './plot-data.ts';
import { type Choice, DEFAULT_GROUPS, defaultIds, readChoice, writeChoice } from './selection.ts';
import {
  firstWindow,
  followTime,
  panWindow,
  type TimeWindow,
  wholeClip,
  windowAround,
  zoomWindow,
} from './time-window.ts';
import type { ValueRange } from './value-range.ts';

/** State of the plots. This file is part of a separate chunk; `ui/plots-shown.ts` has the state that the shell
 *  needs. */
export interface PlotsState {
  /** data of the plotted clip or record; kept while a clip is read again */
  readonly data: PlotData | null;
  readonly loading: boolean;
  readonly error: string | null;
}

type ComparedPlots = typeof comparedPlots;

/** Length of the kept record and the initial window of a live record, s. */
const HISTORY_S = 60;
const PLAY_SPAN_S = 10;

/** Dependencies of PlotsModel. */
export interface PlotsModelDeps {
  readonly call: typeof call;
  readonly remember: typeof remember;
  readonly remembered: typeof remembered;
  readonly chosenIssue: typeof chosenIssue;
  readonly preview: typeof preview;
  readonly backToLive: typeof backToLive;
  readonly freeze: typeof freeze;
  readonly frozen: typeof frozen;
  readonly record: typeof record;
  readonly useOften: typeof useOften;
  readonly useRecord: typeof useRecord;
  /** loads the code for comparisons */
  readonly loadCompared: () => Promise<ComparedPlots>;
  readonly isLive: typeof isLive;
  readonly session: typeof session;
  readonly robot: typeof robot;
  readonly clipIdentity: typeof clipIdentity;
  readonly onClip: typeof onClip;
  readonly cursorFrame: typeof cursorFrame;
  readonly watchCursor: typeof watchCursor;
  readonly plotsOf: typeof plotsOf;
}

/** State and actions of the plots, of a clip or of an environment's last minute. */
export class PlotsModel {
  readonly #deps: PlotsModelDeps;

  readonly plots = signal<PlotsState>({ data: null, loading: false, error: null });
  /** The time window that the charts show, s. */
  readonly timeWindow = signal<TimeWindow>({ from: 0, to: 0 });
  /** Value axes that the user zoomed, by chart key; the other axes fit their data. */
  readonly valueRanges = signal<ReadonlyMap<string, ValueRange>>(new Map());
  /** True if the visible time range follows the playhead when the playhead leaves it. */
  readonly linked = signal(true);
  readonly tableShown = signal(false);

  /** Key of the chart shown on a phone, which has space for one chart. */
  readonly one = signal('');

  readonly #choice = signal<Choice>({ ids: [], layout: 'pairs', reference: true });
  /** The issue whose channels the user has dismissed, by another selection or by a click on the issue's chip. */
  readonly #dismissed = signal<QaIssue | null>(null);

  /** The issue whose channels are shown instead of the chosen channels. */
  readonly issueShown = computed<QaIssue | null>(() => {
    const issue = this.#deps.plotsOf.value === 'play' ? null : this.#deps.chosenIssue.value;
    const data = this.plots.value.data;
    if (issue === null || data === null || issue === this.#dismissed.value) return null;
    return issue.plot.channels.some((id) => data.indexOf(id) >= 0) ? issue : null;
  });

  readonly shownIds = computed<ReadonlySet<string>>(
    () => new Set(this.issueShown.value?.plot.channels ?? this.#choice.value.ids),
  );
  readonly layout = computed<Layout>(() => this.#choice.value.layout);
  readonly referenceShown = computed(() => this.#choice.value.reference && this.plots.value.data?.refLabel != null);

  readonly charts = computed<readonly Chart[]>(() => {
    const { data } = this.plots.value;
    if (data === null) return [];
    const part = this.#compared.value;
    const envs = part?.comparedEnvs(this.#deps.session.value) ?? null;
    if (part === null || envs === null) return layCharts(data.channels, this.shownIds.value, this.layout.value);
    const focused = this.#deps.record.peek()?.env ?? 0;
    return part.overlaid(layCharts(data.channels, this.shownIds.value, 'single'), data, envs, focused);
  });

  readonly issues = computed<readonly QaIssue[]>(() =>
    this.#deps.plotsOf.value === 'play' ? [] : (this.#deps.preview.value?.qa?.issues ?? []),
  );

  /** Whether a clip or session exists that can be plotted, loaded or not. */
  readonly hasSubject = computed(() =>
    this.#deps.plotsOf.value === 'play' ? this.#deps.isLive.value : this.#deps.clipIdentity.value !== null,
  );

  /** Increments with each retry. */
  readonly #retries = signal(0);
  #users = 0;
  #stop: (() => void) | null = null;

  /** Keeps the plots up to date while a view uses them. @returns ends the use */
  readonly usePlots = (): (() => void) => {
    this.#users += 1;
    if (this.#users === 1) this.#stop = this.#start();
    return () => {
      this.#users -= 1;
      if (this.#users === 0) this.#stop?.();
    };
  };

  readonly #start = (): (() => void) => {
    const ends = [
      effect(() => {
        void this.#retries.value;
        if (this.#deps.plotsOf.value === 'play') return;
        return this.#deps.onClip((key) => {
          if (key !== null) return this.#fetchPlots(key);
          this.plots.value = { data: null, loading: false, error: null };
          return;
        });
      }),
      effect(() => (this.#deps.plotsOf.value === 'play' ? this.#startPlay() : undefined)),
      effect(() => {
        const issue = this.issueShown.value;
        if (issue !== null) untracked(() => this.#showIssueWindow(issue));
      }),
      this.#deps.watchCursor(this.#follow),
    ];
    return () => {
      for (const end of ends) end();
    };
  };

  /** Plots the focused environment's record and updates the charts while the record is live. @returns stops it */
  readonly #startPlay = (): (() => void) => {
    this.plots.value = { data: null, loading: false, error: null };
    this.#plotted = null;
    const ends = [
      untracked(this.#deps.useRecord),
      this.#deps.useOften(),
      effect(() => (this.#isComparison.value ? this.#startCompared() : undefined)),
      effect(() => {
        const view = this.#deps.record.value;
        const still = this.#deps.frozen.value;
        if (view === null || view.rows < 2) {
          this.plots.value = { data: null, loading: false, error: null };
          return;
        }
        const data = new PlotData(this.#withCompared(recordSource(view, still), view));
        untracked(() => this.#showRecord(data, still));
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  };

  readonly #isComparison = computed(() => this.#deps.session.value?.compare != null);
  /** The code for comparisons while a comparison is plotted; null without a comparison or while the code is loading. */
  readonly #compared = signal<ComparedPlots | null>(null);

  /** Loads the code that plots the environments of a comparison together. @returns stops it */
  readonly #startCompared = (): (() => void) => {
    let stop: (() => void) | null = null;
    let over = false;
    this.#deps.loadCompared().then(
      (part) => {
        if (over) return;
        stop = part.compared.use();
        this.#compared.value = part;
      },
      (error: unknown) => {
        this.plots.value = { data: null, loading: false, error: messageOf(error) };
      },
    );
    return () => {
      over = true;
      stop?.();
      this.#compared.value = null;
    };
  };

  readonly #withCompared = (source: PlotSource, view: RecordView): PlotSource => {
    const part = this.#compared.value;
    return part === null ? source : part.withCompared(source, view, part.compared.views());
  };

  /** Shows a record. The window of a live record keeps its length and its end at the newest row. */
  readonly #showRecord = (data: PlotData, still: boolean): void => {
    const key = `play.${this.#deps.robot.value?.id ?? ''}`;
    const window = this.timeWindow.peek();
    if (this.#plotted !== key) {
      this.#readChosen(data, key);
      this.valueRanges.value = new Map();
      this.#liveSpan = PLAY_SPAN_S;
    } else if (!still && this.plots.peek().data?.nowLabel === '0 s')
      this.#liveSpan = Math.max(0.1, window.to - window.from);
    this.#plotted = key;
    this.plots.value = { data, loading: false, error: null };
    if (!still) this.timeWindow.value = { from: Math.max(0, data.duration - this.#liveSpan), to: data.duration };
  };

  /** length of the window of a live record, s */
  #liveSpan = PLAY_SPAN_S;

  /** Key of the plotted clip or record. A new clip is shown in full length. */
  #plotted: string | null = null;

  /** Reads the groups that are shown first, then the others. @returns cancels the requests */
  readonly #fetchPlots = (key: string): (() => void) => {
    const abort = new AbortController();
    this.plots.value = { ...this.plots.peek(), loading: true, error: null };
    this.#readGroups(key, abort.signal).catch((error: unknown) => {
      if (!abort.signal.aborted) this.plots.value = { data: null, loading: false, error: messageOf(error) };
    });
    return () => abort.abort();
  };

  readonly #readGroups = async (key: string, signal: AbortSignal): Promise<void> => {
    const replies = new Map<ClipGroup, PlotReply>();
    const read = async (group: ClipGroup) => {
      // torques have no reference: the raw source does not contain torques
      const query = { group, ...(group === 'torques' ? { ref: false } : {}) };
      replies.set(group, await this.#deps.call('GET /api/plots/clip', { query, signal }));
    };
    const show = () => {
      const [first, ...others] = ALL_CLIP_GROUPS.flatMap((group) => replies.get(group) ?? []);
      if (first && !signal.aborted)
        this.#take(new PlotData(clipSource([first, ...others])), key, replies.size < ALL_CLIP_GROUPS.length);
    };
    const stored = readChoice(this.#deps.remembered(this.#choiceKey(this.#clipChoice())));
    const soon = new Set([
      ...(stored === null ? DEFAULT_GROUPS : firstGroups(stored.ids)),
      ...firstGroups(this.#deps.chosenIssue.peek()?.plot.channels ?? []),
    ]);
    await Promise.all([...soon].map(read));
    show();
    const later = ALL_CLIP_GROUPS.filter((group) => !soon.has(group));
    await Promise.all(later.map((group) => read(group).then(show)));
  };

  readonly retryPlots = (): void => {
    this.#retries.value += 1;
  };

  /** Key of the stored choice for clips of this robot. */
  readonly #clipChoice = () => this.#deps.robot.value?.id ?? '';
  readonly #choiceKey = (key: string) => `plots.${key}`;

  /** Restores the stored choice of channels, or uses the default. @param key clips and records have separate choices
   *  @param more whether more channels will arrive, which may be among the stored ones */
  readonly #readChosen = (data: PlotData, key: string, more = false): void => {
    this.#chosenKey = this.#choiceKey(key);
    const stored = readChoice(this.#deps.remembered(this.#chosenKey));
    const known =
      stored !== null && (more || stored.ids.length === 0 || stored.ids.some((id) => data.indexOf(id) >= 0));
    this.#choice.value = {
      ids: known ? stored.ids : defaultIds(data.ownChannels),
      layout: stored?.layout ?? 'pairs',
      reference: stored?.reference ?? true,
    };
  };

  #chosenKey: string | null = null;

  /** Shows the data read so far. @param more whether more channels will arrive */
  readonly #take = (data: PlotData, key: string, more: boolean): void => {
    const before = this.plots.peek();
    // keep a choice made while channels were loading, unless none of its channels exists
    const isFirst = key !== this.#plotted || !before.loading || before.data?.title !== data.title;
    const { ids } = this.#choice.peek();
    if (isFirst || (!more && ids.length > 0 && !ids.some((id) => data.indexOf(id) >= 0)))
      this.#readChosen(data, this.#clipChoice(), more);
    if (key !== this.#plotted || this.timeWindow.peek().to > data.duration) {
      this.timeWindow.value = firstWindow(data.duration, (this.#deps.preview.peek()?.frame ?? 0) / data.fps);
      this.valueRanges.value = new Map();
      this.linked.value = true;
    }
    this.#plotted = key;
    this.plots.value = { data, loading: more, error: null };
  };

  readonly #choose = (next: Partial<Choice>): void => {
    this.#choice.value = { ...this.#choice.peek(), ...next };
    if (this.#chosenKey !== null) this.#deps.remember(this.#chosenKey, writeChoice(this.#choice.peek()));
  };

  /** Shows or hides a channel. If an issue's channels are shown, they become the choice. */
  readonly tick = (id: string, on: boolean): void => {
    const ids = [...this.shownIds.peek()].filter((other) => other !== id);
    this.#dismissed.value = this.#deps.chosenIssue.peek();
    this.#choose({ ids: on ? [...ids, id] : ids });
  };

  /** Shows only one channel. */
  readonly solo = (id: string): void => {
    this.#dismissed.value = this.#deps.chosenIssue.peek();
    this.#choose({ ids: [id] });
  };

  readonly clearTicks = (): void => {
    this.#dismissed.value = this.#deps.chosenIssue.peek();
    this.#choose({ ids: [] });
  };

  readonly dismissIssue = (): void => {
    this.#dismissed.value = this.#deps.chosenIssue.peek();
  };

  readonly setLayout = (next: Layout): void => {
    this.#choose({ layout: next });
  };

  readonly setReference = (on: boolean): void => {
    this.#choose({ reference: on });
  };

  readonly #showIssueWindow = (issue: QaIssue): void => {
    const { data } = this.plots.peek();
    if (data === null) return;
    this.timeWindow.value = windowAround(firstFrame(issue), lastFrame(issue), data.fps, data.duration);
  };

  /** Shows an issue's channels, also if they were dismissed. */
  readonly recallIssue = (issue: QaIssue): void => {
    this.#dismissed.value = null;
    this.#deps.chosenIssue.value = issue;
    if (this.issueShown.peek() === null) this.#showIssueWindow(issue);
  };

  readonly #follow = (): void => {
    const { data } = this.plots.peek();
    if (data === null || !this.linked.peek() || (this.#deps.plotsOf.peek() === 'play' && !this.#deps.frozen.peek()))
      return;
    const before = this.timeWindow.peek();
    const next = followTime(before, this.#deps.cursorFrame() / data.fps, data.duration);
    if (next !== before) this.timeWindow.value = next;
  };

  readonly setLinked = (on: boolean): void => {
    this.linked.value = on;
    this.#follow();
  };

  /** Moves the window. If the playhead is then outside the window, the window stops following the playhead. */
  readonly #moveWindow = (next: TimeWindow): void => {
    const { data } = this.plots.peek();
    if (data === null) return;
    if (this.#deps.plotsOf.peek() === 'play' && !this.#deps.frozen.peek()) {
      if (next.to > data.duration - 1e-6) return;
      this.#deps.freeze(); // the window leaves the newest row: freeze the record
    }
    this.timeWindow.value = next;
    const time = this.#deps.cursorFrame() / data.fps;
    if (time < next.from || time > next.to) this.linked.value = false;
  };

  /** @param at time that keeps its place, s; by default the playhead, or the middle if the playhead is outside */
  readonly zoomTime = (factor: number, at?: number): void => {
    const { data } = this.plots.peek();
    if (data === null) return;
    const window = this.timeWindow.peek();
    const now = this.#deps.cursorFrame() / data.fps;
    if (this.#deps.plotsOf.peek() === 'play' && !this.#deps.frozen.peek()) {
      this.#liveSpan = Math.min(HISTORY_S, Math.max(0.1, this.#liveSpan * factor));
      this.timeWindow.value = { from: Math.max(0, data.duration - this.#liveSpan), to: data.duration };
      return;
    }
    const middle = now >= window.from && now <= window.to ? now : (window.from + window.to) / 2;
    this.#moveWindow(zoomWindow(window, at ?? middle, factor, data));
  };

  /** @param share distance as a share of the window's length, positive towards the end */
  readonly panTime = (share: number): void => {
    const { data } = this.plots.peek();
    if (data === null) return;
    const window = this.timeWindow.peek();
    this.#moveWindow(panWindow(window, share * (window.to - window.from), data.duration));
  };

  /** Moves the start of the window to a time, s. */
  readonly windowFrom = (from: number): void => {
    const { data } = this.plots.peek();
    if (data === null) return;
    const window = this.timeWindow.peek();
    this.#moveWindow(panWindow(window, from - window.from, data.duration));
  };

  /** Shows the whole clip and fits all value axes. */
  readonly fitAll = (): void => {
    const { data } = this.plots.peek();
    if (data === null) return;
    if (this.#deps.plotsOf.peek() === 'play') {
      this.#liveSpan = HISTORY_S;
      this.#deps.backToLive();
    }
    this.timeWindow.value = wholeClip(data.duration);
    this.valueRanges.value = new Map();
  };

  readonly setValueRange = (chart: string, range: ValueRange): void => {
    this.valueRanges.value = new Map(this.valueRanges.peek()).set(chart, range);
  };

  constructor(deps: PlotsModelDeps) {
    this.#deps = deps;
  }
}
