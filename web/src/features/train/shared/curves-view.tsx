import '../../plots/shared/plots.css';
import '../train.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Segmented, Switch } from '../../../ui/controls.tsx';
import { Slider } from '../../../ui/fields.tsx';
import { Empty, Failed, Skeleton } from '../../../ui/states.tsx';
import { CurveCard } from '../curve-card.tsx';
import { type CurveTab, chartsOf, type RunCurves } from '../curve-charts.ts';
import { curvesBy, followCurves } from '../curves-store.ts';
import { weightAt } from '../smoothing.ts';
import { curveTab, logScale, setSmoothing, smoothing } from '../train-view-store.ts';
import { type CurveSource, keyOf } from '../training-curves.ts';

export interface ShownCurves extends CurveSource {
  readonly label: string;
}

export interface CurvesViewProps {
  readonly sources: readonly ShownCurves[];
  /** iteration to which the x axis extends at least */
  readonly until: number;
  /** further controls, shown after those for smoothing and scale */
  readonly tools?: ComponentChildren;
  /** text to show in place of curves without values */
  readonly empty: string;
}

const TABS: readonly (readonly [CurveTab, string])[] = [
  ['key', 'Key'],
  ['train', 'Train'],
  ['errors', 'Errors'],
  ['rewards', 'Rewards'],
  ['sampling', 'Sampling'],
  ['loss', 'Loss'],
  ['all', 'All'],
];

/** Shows the curves of one run, or of several runs to compare. The curves of a running training are updated. */
export function CurvesView({ sources, until, tools, empty }: CurvesViewProps) {
  const tab = curveTab.value;
  const group = tab === 'key' ? 'all' : tab;
  const keys = sources.map(({ key }) => key).join('\n');
  const [asked, askAgain] = useState(0);
  useEffect(() => followCurves(sources, group), [keys, group, asked]);

  const fetched = sources.map((source) => curvesBy.value.get(keyOf(source, group)));
  const shown = sources.flatMap(({ label }, k): RunCurves[] => {
    const curves = fetched[k]?.curves ?? null;
    return curves === null ? [] : [{ label, colour: k % 8, curves }];
  });
  const charts = chartsOf(shown, tab);
  const error = fetched.find((one) => one?.error != null)?.error ?? null;
  const loading = fetched.some((one) => one === undefined);
  const look = { weight: weightAt(smoothing.value), log: logScale.value, until };
  const single = sources.length === 1;
  return (
    <div class="curves">
      <div class="curve-tools">
        <Segmented
          label="Group of curves"
          value={tab}
          options={TABS}
          onChange={(next) => {
            curveTab.value = next;
          }}
        />
        <span class="grow" />
        <span class="curve-smooth">
          <span class="dim">Smooth</span>
          <Slider
            label="Smoothing"
            text={smoothing.value === 0 ? 'none' : `${Math.round(100 * smoothing.value)} %`}
            min={0}
            max={1}
            step={0.05}
            value={smoothing.value}
            onInput={setSmoothing}
          />
        </span>
        <Switch
          label="Log"
          title="Logarithmic scale; values that are not positive are not drawn"
          on={logScale.value}
          onChange={(on) => {
            logScale.value = on;
          }}
        />
        {tools}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
      <section class="curve-scroll" tabIndex={0} aria-label="Curves">
        {charts.length > 0 && (
          <div class="curve-grid">
            {charts.map((chart) => (
              <CurveCard
                key={chart.tag}
                chart={single ? tinted(chart) : chart}
                look={chart.tag.startsWith('Eval/') ? { ...look, weight: 0 } : look}
              />
            ))}
          </div>
        )}
        {charts.length === 0 && error !== null && (
          <Failed what="The curves could not be read" detail={error} onRetry={() => askAgain(asked + 1)} />
        )}
        {charts.length === 0 && error === null && loading && <Skeleton rows={6} label="Loading the curves" />}
        {charts.length === 0 && error === null && !loading && <Empty icon="train" title={empty} />}
      </section>
    </div>
  );
}

/** Gives the charts of a single run colours by topic. */
function tinted(chart: ReturnType<typeof chartsOf>[number]): ReturnType<typeof chartsOf>[number] {
  const colour = /error_/.test(chart.tag) ? 1 : /^Eval\//.test(chart.tag) ? 2 : /^Policy\//.test(chart.tag) ? 3 : 0;
  return colour === 0 ? chart : { ...chart, lines: chart.lines.map((line) => ({ ...line, colour })) };
}
