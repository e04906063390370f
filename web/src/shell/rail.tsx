import { Fragment } from 'preact';
import { plotsShown, togglePlots } from '../features/plots/plots-view-state.ts';
import { unseenErrors } from '../features/status/log-store.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { area, goTo, layout } from '../ui/layout.ts';
import type { Area } from './address.ts';

const ENTRIES: readonly {
  readonly area: Area;
  readonly icon: IconName;
  readonly name: string;
  /** of Alt and this digit */
  readonly digit: number;
}[] = [
  { area: 'robots', icon: 'robot', name: 'Robots', digit: 1 },
  { area: 'data', icon: 'data', name: 'Data', digit: 2 },
  { area: 'tasks', icon: 'tasks', name: 'Tasks', digit: 3 },
  { area: 'train', icon: 'train', name: 'Train', digit: 4 },
  { area: 'play', icon: 'play', name: 'Play', digit: 5 },
  { area: 'status', icon: 'status', name: 'Status', digit: 6 },
];

/** Areas: a column at the left, a row at the bottom of a phone. */
export function Rail() {
  return (
    <nav class="rail" aria-label="Areas" style={{ gridArea: 'rail' }}>
      {ENTRIES.map((entry) => {
        const on = area.value === entry.area;
        const last = entry.area === 'status';
        const marked = last && unseenErrors.value > 0 && !on;
        return (
          <Fragment key={entry.area}>
            {last && <PlotsButton />}
            <button
              type="button"
              class={`rail-btn${on ? ' on' : ''}`}
              aria-current={on ? 'page' : undefined}
              title={`${entry.name} (Alt+${entry.digit})${marked ? ', errors in the log' : ''}`}
              onClick={() => goTo(entry.area)}
            >
              <Icon name={entry.icon} />
              {entry.name}
              {marked && <span class="dot dot-err rail-dot" />}
            </button>
          </Fragment>
        );
      })}
    </nav>
  );
}

/** Plots are no area of their own: they lie in the dock of Data and of Play. A phone has them among the tabs of its sheet. */
function PlotsButton() {
  if (layout.value === 'phone') return null;
  const on = plotsShown.value;
  return (
    <button
      type="button"
      class={`rail-btn below${on ? ' on' : ''}`}
      aria-pressed={on}
      title="Plots (`)"
      onClick={togglePlots}
    >
      <Icon name="plots" />
      Plots
    </button>
  );
}
