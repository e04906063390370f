import type { Area } from '../logic/address.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { unseenErrors } from '../service/log.ts';
import { area, goTo } from '../state/ui.ts';

const ENTRIES: readonly {
  readonly area: Area;
  readonly icon: IconName;
  readonly name: string;
  readonly below?: true;
}[] = [
  { area: 'robots', icon: 'robot', name: 'Robots' },
  { area: 'data', icon: 'data', name: 'Data' },
  { area: 'status', icon: 'status', name: 'Status', below: true },
];

/** Areas: a column at the left, a row at the bottom of a phone. */
export function Rail() {
  return (
    <nav class="rail" aria-label="Areas" style={{ gridArea: 'rail' }}>
      {ENTRIES.map((entry, k) => {
        const on = area.value === entry.area;
        const marked = entry.area === 'status' && unseenErrors.value > 0 && !on;
        return (
          <button
            type="button"
            key={entry.area}
            class={`rail-btn${on ? ' on' : ''}${entry.below === true ? ' below' : ''}`}
            aria-current={on ? 'page' : undefined}
            title={`${entry.name} (Alt+${k + 1})${marked ? ', errors in the log' : ''}`}
            onClick={() => goTo(entry.area)}
          >
            <Icon name={entry.icon} />
            {entry.name}
            {marked && <span class="dot dot-err rail-dot" />}
          </button>
        );
      })}
    </nav>
  );
}
