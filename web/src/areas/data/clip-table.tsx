import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Clip, DatasetCounts } from '../../../../src/protocol/schemas/data.ts';
import { clock, rate, whole } from '../../logic/format.ts';
import { pagesOf, rowWindow, scrollTo } from '../../logic/page-window.ts';
import { Button } from '../../parts/controls.tsx';
import { Empty, Failed, Skeleton } from '../../parts/states.tsx';
import {
  clipAt,
  listing,
  needPages,
  PAGE_SIZE,
  refreshListing,
  rowsVersion,
  search,
  statusFilter,
} from '../../service/data.ts';
import { loadClip, loadingClip, preview, togglePlaying } from '../../service/preview.ts';
import { visiblePages } from '../../service/studio.ts';
import { layout } from '../../state/ui.ts';

/** px; as `--row` and `--row-touch` */
const ROW = 28;
const ROW_TOUCH = 44;

/** The clips of a dataset, of which only those in sight exist as rows: 10,000 scroll as well as ten. */
export function ClipTable({ set }: { readonly set: DatasetCounts }) {
  const box = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ top: 0, height: 600 });
  const { key, total, error, loading } = listing.value;
  const row = layout.value === 'phone' ? ROW_TOUCH : ROW;
  void rowsVersion.value;

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setScroll({ top: element.scrollTop, height: element.clientHeight });
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (box.current !== null) box.current.scrollTop = 0;
  }, [key]);

  const shown = rowWindow(scroll.top, scroll.height, row, total ?? 0);
  const pages = pagesOf(shown, PAGE_SIZE);
  visiblePages.now = pages;
  useLayoutEffect(() => needPages(pages));

  const focusRow = (index: number) => {
    const element = box.current;
    if (element === null) return;
    const next = Math.min((total ?? 1) - 1, Math.max(0, index));
    element.scrollTop = scrollTo(next, element.scrollTop, element.clientHeight - ROW, row);
    const button = () => element.querySelector<HTMLElement>(`[data-row="${next}"] button`);
    if (button() !== null) button()?.focus();
    else requestAnimationFrame(() => button()?.focus()); // it is drawn with the next scroll position
  };

  return (
    <div
      class="clip-scroll"
      ref={box}
      onScroll={(event) => setScroll({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
    >
      <div
        style={{
          paddingTop: `${shown.first * row}px`,
          paddingBottom: `${Math.max(0, (total ?? 0) - shown.end) * row}px`,
        }}
      >
        <table class="clips" aria-label={`Clips of ${set.name}`} aria-rowcount={(total ?? 0) + 1} aria-busy={loading}>
          <thead>
            <tr>
              <th scope="col">Clip</th>
              <th scope="col" class="right clip-length">
                Length
              </th>
              <th scope="col" class="right clip-fps">
                fps
              </th>
              <th scope="col" class="right clip-frames">
                Frames
              </th>
              <th scope="col" class="clip-status">
                Status
              </th>
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: shown.end - shown.first }, (_, k) => (
              <ClipRow
                key={shown.first + k}
                set={set}
                index={shown.first + k}
                clip={clipAt(shown.first + k)}
                focusRow={focusRow}
              />
            ))}
          </tbody>
        </table>
      </div>
      {total === null && error === null && <Skeleton rows={8} label="Loading clips" />}
      {total === null && error !== null && (
        <Failed what="The clips could not be read" detail={error} onRetry={() => refreshListing([])} />
      )}
      {total === 0 && <NoClips set={set} />}
    </div>
  );
}

function NoClips({ set }: { readonly set: DatasetCounts }) {
  if (search.value.trim() === '' && statusFilter.value === 'all') {
    return (
      <Empty icon="data" title={`${set.name} is empty`}>
        <p class="dim">
          Copy CSV clips into <code>{set.path}</code>.
        </p>
      </Empty>
    );
  }
  return (
    <Empty icon="search" title="No clip fits">
      <p class="dim">
        {search.value.trim() === ''
          ? `None of ${set.name} has this status.`
          : `None of ${set.name} is called “${search.value.trim()}”.`}
      </p>
      <Button
        kind="outline"
        onClick={() => {
          statusFilter.value = 'all';
          const field = document.querySelector<HTMLInputElement>('#clip-search');
          if (field === null) return;
          field.value = '';
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }}
      >
        Show all clips
      </Button>
    </Empty>
  );
}

interface ClipRowProps {
  readonly set: DatasetCounts;
  readonly index: number;
  readonly clip: Clip | null;
  readonly focusRow: (index: number) => void;
}

/** Rows that a key moves by. */
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12 };

function ClipRow({ set, index, clip, focusRow }: ClipRowProps) {
  if (clip === null) {
    return (
      <tr aria-rowindex={index + 2}>
        <td colSpan={5} class="faint">
          <span class="bone" />
        </td>
      </tr>
    );
  }
  const open = preview.value?.open === true && preview.value.dataset === set.name && preview.value.clip === clip.name;
  const loading = loadingClip.value?.dataset === set.name && loadingClip.value.clip === clip.name;
  // one that cannot be read is asked for too: the service says why
  const load = () => void loadClip(set.name, clip.name);
  return (
    <tr
      class={`${open || loading ? 'on' : ''}${clip.error !== null ? ' unreadable' : ''}`}
      aria-rowindex={index + 2}
      data-row={index}
      onClick={load}
    >
      <td>
        <button
          type="button"
          class="clip-name ellipsis"
          aria-current={open ? 'true' : undefined}
          title={clip.error ?? clip.name}
          onClick={(event) => {
            event.stopPropagation();
            load();
          }}
          onKeyDown={(event) => {
            const move = MOVES[event.key];
            if (move === undefined && (event.key !== ' ' || !open)) return;
            event.preventDefault();
            if (move === undefined) togglePlaying();
            else focusRow(index + move);
          }}
        >
          {clip.name}
        </button>
      </td>
      <td class="right num clip-length">{clock(clip.duration)}</td>
      <td class="right num dim clip-fps">{rate(clip.fps)}</td>
      <td class="right num dim clip-frames">{clip.frames === null ? '–' : whole(clip.frames)}</td>
      <td class="clip-status">
        <ClipState clip={clip} loading={loading} />
      </td>
    </tr>
  );
}

function ClipState({ clip, loading }: { readonly clip: Clip; readonly loading: boolean }) {
  if (loading) return <span class="accent">Loading</span>;
  if (clip.error !== null) return <span class="err">Unreadable</span>;
  if (clip.stale) return <span class="warn">Stale</span>;
  return <span class="dim">{clip.status === 'converted' ? 'Converted' : clip.raw ? 'Raw' : 'Missing'}</span>;
}
