import { Fragment } from 'preact';
import { AREAS } from '../features/areas.ts';
import { unseenErrors } from '../features/status/log-store.ts';
import { Icon } from '../ui/icon.tsx';
import { area, goTo, layout } from '../ui/layout.ts';
import { plotsShown, togglePlots } from '../ui/plots-shown.ts';
/** Navigation between areas: a column at the left, or a row at the bottom of a phone. */
export function Rail() {
  return (
    <nav class="rail" aria-label="Areas" style={{ gridArea: 'rail' }}>
      {AREAS.map((entry, at) => {
        const on = area.value === entry.id;
        const last = at === AREAS.length - 1;
        const marked = entry.dock?.kind === 'log' && unseenErrors.value > 0 && !on;
        return (
          <Fragment key={entry.id}>
            {last && <PlotsButton />}
            <button
              type="button"
              class={`rail-btn${on ? ' on' : ''}`}
              aria-current={on ? 'page' : undefined}
              title={`${entry.title} (Alt+${entry.key})${marked ? ', errors in the log' : ''}`}
              onClick={() => goTo(entry.id)}
            >
              <Icon name={entry.icon} />
              {entry.title}
              {marked && <span class="dot dot-err rail-dot" />}
            </button>
          </Fragment>
        );
      })}
    </nav>
  );
}

/** Button for plots, which are not an area: Data and Play show them in their dock, a phone as a tab of its sheet. */
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
