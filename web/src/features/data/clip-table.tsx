import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DatasetCounts } from '../../../../src/protocol/schemas/data.ts';
import { Button } from '../../ui/controls.tsx';
import { dataDialog } from '../../ui/dialogs.ts';
import { Checkbox } from '../../ui/fields.tsx';
import { whole } from '../../ui/format.ts';
import { layout } from '../../ui/layout.ts';
import { pagesOf, rowWindow, scrollTo } from '../../ui/page-window.ts';
import { Empty, Failed, Skeleton } from '../../ui/states.tsx';
import { failed } from '../../ui/toasts.ts';
import { ClipRow } from './clip-row.tsx';
import {
  clipAt,
  filters,
  listing,
  needPages,
  refreshListing,
  rowsVersion,
  search,
  tick,
  ticked,
  tickListed,
  untickAll,
  visiblePages,
} from './data-store.ts';
import { PAGE_SIZE, TICK_MOST } from './dataset-browser.ts';

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
    const from = range && lastTicked.current >= 0 ? Math.min(lastTicked.current, index) : index;
    const to = range && lastTicked.current >= 0 ? Math.max(lastTicked.current, index) : index;
    const names: string[] = [];
    for (let k = from; k <= to; k++) {
      const clip = clipAt(k);
      if (clip !== null) names.push(clip.name);
    }
    tick(names, on);
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
          <thead>
            <tr>
              <th scope="col" class="clip-tick">
                <TickAll total={total ?? 0} />
              </th>
              <th scope="col">Clip</th>
              <th scope="col" class="right clip-length">
                Length
              </th>
              <th scope="col" class="right clip-fps">
                fps
              </th>
              <th scope="col" class="clip-status">
                Status
              </th>
              <th scope="col" class="clip-qa">
                QA
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

/** A checkbox that ticks or unticks all listed clips. */
function TickAll({ total }: { readonly total: number }) {
  const [busy, setBusy] = useState(false);
  const n = ticked.value.size;
  const tooMany = total > TICK_MOST;
  const all = async () => {
    setBusy(true);
    try {
      await tickListed();
    } catch (error) {
      failed('The clips could not be ticked', error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Checkbox
      label="Tick all listed clips"
      {...(tooMany ? { title: `At most ${whole(TICK_MOST)} clips are ticked at once: narrow the search` } : {})}
      checked={n === 0 ? false : n >= total ? true : null}
      disabled={busy || total === 0 || (tooMany && n === 0)}
      onChange={() => (n > 0 ? untickAll() : void all())}
    />
  );
}

function NoClips({ set }: { readonly set: DatasetCounts }) {
  const { status = 'all', ...others } = filters.value;
  const narrowed = Object.keys(others).length > 0;
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
    <Empty icon="search" title="No clip fits">
      <p class="dim">
        {narrowed
          ? `None of ${set.name} fits the filter.`
          : search.value.trim() === ''
            ? `None of ${set.name} has this status.`
            : `None of ${set.name} is called “${search.value.trim()}”.`}
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
