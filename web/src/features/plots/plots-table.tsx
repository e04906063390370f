import { useEffect, useRef, useState } from 'preact/hooks';
import { fixed } from '../../ui/format.ts';
import { rowWindow, scrollTo } from '../../ui/page-window.ts';
import { cursorFrame, seekCursor, watchCursor } from './cursor.ts';
import type { PlotData } from './plot-data.ts';
import { charts, plots, referenceShown, timeWindow } from './plots-store.ts';
import { decimalsOf } from './value-range.ts';

const ROW_PX = 28;

/** The charts' values as a table with a row for each frame of the window. Only visible rows are rendered. */
export function PlotsTable() {
  const { data } = plots.value;
  return data === null ? null : <Table data={data} />;
}

function Table({ data }: { readonly data: PlotData }) {
  const box = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ top: 0, height: 400 });
  const [at, setAt] = useState(cursorFrame());
  const { from, to } = timeWindow.value;
  const first = Math.max(0, Math.ceil(from * data.fps - 1e-6));
  const last = Math.min(data.frames - 1, Math.floor(to * data.fps + 1e-6));
  const total = Math.max(0, last - first + 1);
  const rows = rowWindow(scroll.top, scroll.height, ROW_PX, total);
  const columns = charts.value.flatMap((chart) =>
    chart.lines.flatMap(({ channel, label }) => {
      const extent = data.extent(channel);
      const decimals = decimalsOf({ low: extent?.min ?? 0, high: extent?.max ?? 1 });
      const name = `${chart.title}${chart.lines.length > 1 ? ` ${label}` : ''}`;
      const ref = referenceShown.value ? data.refColumn(channel) : null;
      return [
        { key: `${channel}`, name, unit: chart.unit, values: data.column(channel), decimals },
        ...(ref === null
          ? []
          : [{ key: `r${channel}`, name: `${name}, ${data.refName}`, unit: chart.unit, values: ref, decimals }]),
      ];
    }),
  );

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => setScroll({ top: element.scrollTop, height: element.clientHeight }));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useEffect(
    () =>
      watchCursor(() => {
        setAt(cursorFrame());
        const element = box.current;
        if (element === null || cursorFrame() < first || cursorFrame() > last) return;
        element.scrollTop = scrollTo(cursorFrame() - first, element.scrollTop, element.clientHeight - ROW_PX, ROW_PX);
      }),
    [first, last],
  );
  return (
    <section
      class="plots-table"
      aria-label="Values of the charts"
      ref={box}
      onScroll={(event) => setScroll({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
    >
      <div
        style={{ paddingTop: `${rows.first * ROW_PX}px`, paddingBottom: `${Math.max(0, total - rows.end) * ROW_PX}px` }}
      >
        <table aria-rowcount={total + 1}>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">Frame</th>
              <th scope="col">
                Time <span class="dim">s</span>
              </th>
              {columns.map(({ key, name, unit }) => (
                <th scope="col" key={key}>
                  {name} <span class="dim">{unit}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: rows.end - rows.first }, (_, k) => {
              const frame = first + rows.first + k;
              return (
                <tr key={frame} aria-rowindex={frame - first + 2} class={frame === at ? 'on' : ''}>
                  <th scope="row">
                    <button type="button" class="num" title={`Show frame ${frame}`} onClick={() => seekCursor(frame)}>
                      {frame}
                    </button>
                  </th>
                  <td class="num">{(frame / data.fps).toFixed(3)}</td>
                  {columns.map(({ key, values, decimals }) => (
                    <td class="num" key={key}>
                      {fixed(values[frame] ?? Number.NaN, decimals)}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
