import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Run } from '../../../../src/protocol/schemas/jobs.ts';
import { IconButton } from '../../ui/controls.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { ago, span } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { layout } from '../../ui/layout.ts';
import { rowWindow } from '../../ui/page-window.ts';
import { Empty, Failed, Skeleton } from '../../ui/states.tsx';
import { allRuns } from '../runs/runs-store.ts';
import { chosenPath, chosenRun, filter, mark, rows, setFilter, tickedRuns, tickRun } from './run-browser-store.ts';
import { type RunSort, shareOf } from './run-rows.ts';

/** Row heights, px. They must equal the CSS variables `--row` and `--row-touch`. */
const ROW = 28;
const ROW_TOUCH = 44;

/** Lists the runs. Renders only visible rows, so that 10,000 runs scroll as smoothly as ten. */
export function RunTable() {
  const box = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ top: 0, height: 600 });
  const { value, error } = allRuns.state.value;
  const list = rows.value;
  const row = layout.value === 'phone' ? ROW_TOUCH : ROW;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setScroll({ top: element.scrollTop, height: element.clientHeight });
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const shown = rowWindow(scroll.top, scroll.height, row, list.length);
  const now = Date.now();
  return (
    <div
      class="runs-scroll"
      ref={box}
      onScroll={(event) => setScroll({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
    >
      <div
        style={{
          paddingTop: `${shown.first * row}px`,
          paddingBottom: `${Math.max(0, list.length - shown.end) * row}px`,
        }}
      >
        <table class="runs-table" aria-label="Runs" aria-rowcount={list.length + 1}>
          <thead>
            <tr>
              <th scope="col" class="run-tick">
                <span class="visually-hidden">Select</span>
              </th>
              <th scope="col" class="run-star">
                <span class="visually-hidden">Favourite</span>
              </th>
              <Head text="Run" sort="run" />
              <Head text="Task" sort="task" wide />
              <Head text="Dataset" sort="dataset" wide />
              <Head text="Score" sort="score" right />
              <Head text="Trained" sort="minutes" right wide />
              <Head text="Created" sort="created" right />
            </tr>
          </thead>
          <tbody>
            {list.slice(shown.first, shown.end).map((run, k) => (
              <Row key={run.path} run={run} index={shown.first + k} now={now} />
            ))}
          </tbody>
        </table>
      </div>
      {value === null && error === null && <Skeleton rows={8} label="Loading runs" />}
      {value === null && error !== null && (
        <Failed what="The runs could not be read" detail={error} onRetry={() => void allRuns.refresh()} />
      )}
      {value !== null && list.length === 0 && (
        <Empty icon="flag" title={value.length === 0 ? 'No runs yet' : 'No matching runs'}>
          <p class="dim">
            {value.length === 0
              ? 'A training writes a run. Runs copied into logs/rsl_rl of the workspace appear here, too.'
              : 'Clear the filters to see all runs.'}
          </p>
        </Empty>
      )}
    </div>
  );
}

interface HeadProps {
  readonly text: string;
  readonly sort: RunSort;
  readonly right?: boolean;
  readonly wide?: boolean;
}

function Head({ text, sort, right = false, wide = false }: HeadProps) {
  const now = filter.value;
  const on = now.sort === sort;
  return (
    <th
      scope="col"
      class={`${right ? 'right' : ''} ${wide ? 'wide-only' : ''}`}
      aria-sort={on ? (now.descending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        class="run-sort"
        onClick={() => setFilter({ sort, descending: on ? !now.descending : sort === 'score' || sort === 'created' })}
      >
        {text}
        {on && <span aria-hidden="true">{now.descending ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  );
}

function Row({ run, index, now }: { readonly run: Run; readonly index: number; readonly now: number }) {
  const ticked = tickedRuns.value.includes(run.path);
  const chosen = chosenRun.value?.path === run.path;
  const choose = () => {
    chosenPath.value = run.path;
  };
  const share = shareOf(run);
  return (
    <tr class={chosen ? 'on' : ''} aria-rowindex={index + 2} aria-selected={chosen} onClick={choose}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: only keeps a click on the box from choosing the row */}
      <td class="run-tick" onClick={(event) => event.stopPropagation()}>
        <Checkbox label={`Select ${run.run}`} checked={ticked} onChange={() => tickRun(run.path)} />
      </td>
      <td class="run-star">
        <IconButton
          icon="pin"
          pressed={run.favourite}
          label={run.favourite ? `Remove ${run.run} from favourites` : `Add ${run.run} to favourites`}
          onClick={() => void mark({ run: run.path, favourite: !run.favourite })}
        />
      </td>
      <td>
        <button
          type="button"
          class="run-open ellipsis"
          title={run.note === '' ? run.path : `${run.path}\n${run.note}`}
          onClick={choose}
        >
          {run.run}
        </button>
        {run.unplayable !== null && (
          <span class="run-warn" title={run.unplayable}>
            <Icon name="warn" />
            <span class="visually-hidden">Cannot be played: {run.unplayable}</span>
          </span>
        )}
        {run.tags.map((tag) => (
          <span key={tag} class="run-tag">
            {tag}
          </span>
        ))}
      </td>
      <td class="wide-only ellipsis dim" title={run.task ?? ''}>
        {run.task ?? '–'}
      </td>
      <td class="wide-only ellipsis dim">{run.dataset ?? '–'}</td>
      <td class="num right">{share < 0 ? '–' : `${Math.round(100 * share)} %`}</td>
      <td class="num right wide-only dim">{run.minutes === null ? '–' : span(60 * run.minutes)}</td>
      <td class="num right dim">{ago(run.created, now)}</td>
    </tr>
  );
}
