import { useEffect, useState } from 'preact/hooks';
import { Dash } from '../../ui/dash.tsx';
import { fixed } from '../../ui/format.ts';
import type { Chart } from './channels.ts';
import { rangeOf, shareIn } from './chart-drawing.ts';
import type { PlotData } from './plot-data.ts';
import { timeWindow } from './plots-store.ts';
import { frameAt, instantLabel } from './time-window.ts';
import { decimalsOf } from './value-range.ts';

interface ChartHoverProps {
  /** element that the tooltip overlays; positions are relative to it */
  readonly box: { readonly current: HTMLElement | null };
  readonly data: PlotData;
  readonly shown: readonly Chart[];
}

interface Place {
  readonly chart: string;
  readonly frame: number;
  /** position in the box, px */
  readonly x: number;
  readonly y: number;
  /** whether the tooltip is left of the pointer */
  readonly left: boolean;
}

const TIP_PX = 160;

/** Tooltip with the values of the chart under the mouse. The playhead does not move. The table shows the same
 *  values. */
export function ChartHover({ box, data, shown }: ChartHoverProps) {
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const move = (event: PointerEvent) => {
      const plot = event.target instanceof Element ? event.target.closest<HTMLElement>('.chart-plot') : null;
      if (plot === null || event.pointerType !== 'mouse' || event.buttons !== 0) return setPlace(null);
      const { left, top, width } = element.getBoundingClientRect();
      const x = event.clientX - left;
      setPlace({
        chart: plot.dataset['chart'] ?? '',
        frame: frameAt(timeWindow.peek(), shareIn(plot, event.clientX), data.fps, data.frames),
        x,
        y: event.clientY - top,
        left: x + TIP_PX > width,
      });
    };
    const hide = () => setPlace(null);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerdown', hide);
    element.addEventListener('pointerleave', hide);
    element.addEventListener('wheel', hide, { passive: true });
    return () => {
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerdown', hide);
      element.removeEventListener('pointerleave', hide);
      element.removeEventListener('wheel', hide);
    };
  }, [data]);
  const chart = shown.find(({ key }) => key === place?.chart);
  if (place === null || chart === undefined) return null;
  const decimals = decimalsOf(rangeOf({ chart, data, reference: false }));
  return (
    <div
      class={`plots-tip${place.left ? ' left' : ''}`}
      aria-hidden="true"
      style={{ left: `${place.x}px`, top: `${place.y}px` }}
    >
      <p class="dim num">
        {instantLabel(place.frame / data.fps, 2, data)}
        {data.nowLabel === null && ` · ${place.frame}`}
      </p>
      {chart.lines.map(({ channel, label, colour }) => (
        <p key={channel} class="num">
          <Dash colour={colour} />
          {chart.lines.length > 1 && <span class="dim">{label}</span>}
          <span class="grow" />
          {fixed(data.column(channel)[place.frame] ?? Number.NaN, decimals)}
          <span class="dim">{chart.unit}</span>
        </p>
      ))}
    </div>
  );
}
