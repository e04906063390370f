import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DatasetCounts } from '../../../../src/protocol/schemas/data.ts';
import { Button } from '../../ui/controls.tsx';
import { dataDialog } from '../../ui/dialogs.ts';
import { Checkbox } from '../../ui/fields.tsx';
import { whole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { layout } from '../../ui/layout.ts';
import { pagesOf, rowWindow, scrollTo } from '../../ui/page-window.ts';
import { Empty, Failed, Skeleton } from '../../ui/states.tsx';
import { ClipRow } from './clip-row.tsx';
import {
  clipAt,
  filters,
  listing,
  needPages,
  refreshListing,
  rowsVersion,
  search,
  ticked,
  untickAll,
  visiblePages,
} from './data-store.ts';
import { PAGE_SIZE } from './dataset-browser.ts';
import { SELECT_MOST, selectListed, tickRows } from './listed-clips.ts';
import { type Order, onlyFilters, type Sort, sortedBy } from './sorts.ts';

/** Row heights, px. They must equal the CSS variables `--row` and `--row-touch`. */
const ROW = 28;
const ROW_TOUCH = 44;

/** Lists the clips of a dataset. Renders only visible rows, so that 100,000 clips scroll as smoothly as ten. */
export function ClipTable({ set }: { readonly set: DatasetCounts }) {
  const box = useRef<HTMLDivElement>(null);
  const lastTicked = useRef(-1);
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
    lastTicked.current = -1;
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
    const button = () => element.querySelector<HTMLElement>(`[data-row="${next}"] .clip-name`);
    if (button() !== null) button()?.focus();
    else requestAnimationFrame(() => button()?.focus()); // the row is rendered after the scroll
  };
  const onTick = (index: number, on: boolean, range: boolean) => {
    const other = range && lastTicked.current >= 0 ? lastTicked.current : index;
    void tickRows(Math.min(other, index), Math.max(other, index), on);
    lastTicked.current = index;
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
          <colgroup>
            <col class="clip-tick" />
            <col />
            <col class="clip-length" />
            <col class="clip-fps" />
            <col class="clip-status" />
            <col class="clip-qa" />
          </colgroup>
          <TableHead total={total ?? 0} />
          <tbody>
            {Array.from({ length: shown.end - shown.first }, (_, k) => (
              <ClipRow
                key={shown.first + k}
                set={set}
                index={shown.first + k}
                clip={clipAt(shown.first + k)}
                focusRow={focusRow}
                onTick={onTick}
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

function TableHead({ total }: { readonly total: number }) {
  return (
    <thead>
      <tr>
        <th scope="col" class="clip-tick">
          <TickAll total={total} />
        </th>
        <SortHead text="Clip" sort="name" first="asc" />
        <SortHead text="Length" sort="duration" first="desc" class="right clip-length" />
        {filters.value.sort === 'score' ? (
          <SortHead text="Score" sort="score" first="desc" class="right clip-fps" />
        ) : (
          <th scope="col" class="right clip-fps">
            fps
          </th>
        )}
        <th scope="col" class="clip-status">
          Status
        </th>
        <SortHead text="QA" sort="worst" first="desc" class="clip-qa" />
      </tr>
    </thead>
  );
}

interface SortHeadProps {
  readonly text: string;
  readonly sort: Sort;
  /** order of the first click; the next click reverses it */
  readonly first: Order;
  readonly class?: string;
}

/** Header of a column. A click sorts the table by the column. */
function SortHead({ text, sort, first, class: extra = '' }: SortHeadProps) {
  const now = filters.value;
  const order = (now.sort ?? 'name') === sort ? (now.order ?? 'asc') : null;
  const next = order === null ? first : order === 'asc' ? 'desc' : 'asc';
  return (
    <th scope="col" class={extra} aria-sort={order === null ? undefined : order === 'asc' ? 'ascending' : 'descending'}>
      <button
        type="button"
        class={`sort-head${order === null ? '' : ` ${order}`}`}
        title={`Sort by ${text}`}
        onClick={() => (filters.value = sortedBy(now, sort, next))}
      >
        {text}
        <Icon name="down" small />
      </button>
    </th>
  );
}

/** A checkbox that selects or deselects all listed clips. */
function TickAll({ total }: { readonly total: number }) {
  const [busy, setBusy] = useState(false);
  const n = ticked.value.size;
  const tooMany = total > SELECT_MOST;
  const all = async () => {
    setBusy(true);
    await selectListed();
    setBusy(false);
  };
  return (
    <Checkbox
      label="Select all listed clips"
      {...(tooMany ? { title: `At most ${whole(SELECT_MOST)} clips can be selected: narrow the search` } : {})}
      checked={n === 0 ? false : n >= total ? true : null}
      disabled={busy || total === 0 || (tooMany && n === 0)}
      onChange={() => (n > 0 ? untickAll() : void all())}
    />
  );
}

function NoClips({ set }: { readonly set: DatasetCounts }) {
  const { status = 'all' } = filters.value;
  const narrowed = Object.keys(onlyFilters(filters.value)).length > 0;
  if (search.value.trim() === '' && status === 'all' && !narrowed) {
    return (
      <Empty icon="data" title={`${set.name} is empty`}>
        <p class="dim">
          {set.linked ? (
            <>
              There are no clips in <code>{set.path}</code>.
            </>
          ) : (
            <>
              Drop clips here, or copy them into <code>{set.path}</code>.
            </>
          )}
        </p>
        {!set.linked && (
          <Button kind="outline" icon="upload" onClick={() => (dataDialog.value = { kind: 'import' })}>
            Import clips
          </Button>
        )}
      </Empty>
    );
  }
  return (
    <Empty icon="search" title="No matching clips">
      <p class="dim">
        {narrowed
          ? `No clip of ${set.name} matches the filters.`
          : search.value.trim() === ''
            ? `No clip of ${set.name} has this status.`
            : `No name in ${set.name} contains “${search.value.trim()}”.`}
      </p>
      <Button
        kind="outline"
        onClick={() => {
          filters.value = {};
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
