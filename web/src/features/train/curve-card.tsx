import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Dash } from '../../ui/dash.tsx';
import { chartColours } from '../plots/shared/chart-colours.ts';
import { type CurveChart, type CurveLine, figure, lastOf } from './curve-charts.ts';
import { CurveDrawing, type CurveLook } from './curve-drawing.ts';
import { smoothed } from './smoothing.ts';

export interface CurveCardProps {
  readonly chart: CurveChart;
  readonly look: CurveLook;
}

/** One chart with its title and one value: the value under the pointer, otherwise the newest. */
export function CurveCard({ chart, look }: CurveCardProps) {
  const host = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLElement>(null);
  const drawing = useRef<CurveDrawing | null>(null);
  const now = useRef({ chart, look });
  now.current = { chart, look };
  const runs = chart.lines.filter(({ baseline }) => !baseline);
  const [beside] = chart.lines.filter(({ baseline }) => baseline);
  const lines = chart.lines.map((line) => `${line.label}:${line.colour}:${line.baseline}`).join();

  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    const size = () => ({ width: Math.max(80, element.clientWidth), height: Math.max(60, element.clientHeight) });
    const told = (at: number | null, values: readonly (number | null)[]) => {
      if (head.current === null) return;
      head.current.textContent =
        at === null ? newest(now.current.chart, now.current.look) : `${figure(at)}: ${values.map(figure).join('  ')}`;
    };
    drawing.current = new CurveDrawing(element, now.current.chart, now.current.look, size(), told);
    const watch = new ResizeObserver(() => drawing.current?.resize(size()));
    watch.observe(element);
    return () => {
      watch.disconnect();
      drawing.current?.destroy();
      drawing.current = null;
    };
  }, [chart.tag, lines, look.log]);
  useLayoutEffect(() => {
    drawing.current?.show(chart, look);
    if (head.current !== null && host.current?.matches(':hover') !== true)
      head.current.textContent = newest(chart, look);
  }, [chart, look.weight, look.until, look.log]);
  useEffect(() => chartColours.subscribe(() => drawing.current?.recolour()), []);

  return (
    <figure class="curve" aria-label={chart.title}>
      <figcaption>
        <span class="semi ellipsis" title={chart.tag}>
          {chart.title}
        </span>
        {chart.unit !== '' && <span class="dim curve-unit">{chart.unit}</span>}
        <span class="grow" />
        {runs.length === 1 && beside !== undefined && (
          <span class="curve-beside dim num" title={beside.label}>
            <Dash colour={null} />
            <span class="visually-hidden">{beside.label} </span>
            {figure(lastOf(beside.y))}
          </span>
        )}
        <b class="num" ref={head} />
      </figcaption>
      <div class="curve-plot" ref={host} role="img" aria-label={summaryOf(chart)} />
      {runs.length > 1 && (
        <ul class="curve-keys">
          {chart.lines.map((line) => (
            <li key={line.label}>
              <Dash colour={line.baseline ? null : line.colour} />
              <span class="ellipsis dim">{line.label}</span>
              <b class="num">{figure(lastOf(line.y))}</b>
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

/** Returns the newest value of the first line that is not a baseline, smoothed as it is drawn. */
function newest({ lines }: CurveChart, { weight }: CurveLook): string {
  const line = lines.find(({ baseline }) => !baseline) ?? lines[0];
  return line === undefined ? '–' : figure(lastOf(smoothed(line.y, weight)));
}

function summaryOf({ title, unit, lines }: CurveChart): string {
  const text = ({ label, x, y }: CurveLine) => {
    const finite = y.filter((value): value is number => value !== null);
    if (finite.length === 0) return `${label}: no value`;
    const [low, high] = [Math.min(...finite), Math.max(...finite)];
    return `${label}: ${figure(finite.at(-1) ?? null)} at ${x.at(-1)}, ${figure(low)} to ${figure(high)}`;
  };
  return `${title}${unit === '' ? '' : `, ${unit}`}, over iterations. ${lines.map(text).join('. ')}`;
}
