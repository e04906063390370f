import '../plots/shared/plots.css';
import './train.css';
import { useEffect } from 'preact/hooks';
import { owner } from '../../net/scene-owner.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { showInspector } from '../../ui/layout.ts';
import { LogBox } from '../../ui/log-box.tsx';
import { jobTab } from '../jobs/job-tab-store.ts';
import { jobLog } from '../jobs/jobs-store.ts';
import { parseLogLine } from '../jobs/shared/job-log-line.ts';
import { session } from '../play/session-store.ts';
import { building } from '../play/setup-store.ts';
import { useFreshRuns } from '../runs/shared/use-fresh-runs.ts';
import { playCheckpoint } from './checkpoints.tsx';
import { CurveCard } from './curve-card.tsx';
import { type Curves, chartsOf, figure, lastOf } from './curve-charts.ts';
import { curvesBy, followCurves } from './curves-store.ts';
import { chosenJob, chosenRun } from './train-view-store.ts';
import { type CurveSource, keyOf } from './training-curves.ts';

const LOG_LINES = 60;

/** Shows the newest checkpoint with its evaluation and a button that plays it, and below them the end of the log. */
export function TrainInspector() {
  const job = chosenJob.value;
  useFreshRuns(job);
  const run = chosenRun.value;
  const latest = run?.latest ?? null;
  const live = session.value;
  const playing = run !== null && live !== null && live.run === run.path;
  const busy = run !== null && building.value?.run === run.path;
  return (
    <>
      <header class="pane-head">
        <h2>Newest checkpoint</h2>
        <span class="grow" />
        <span class="mono dim ellipsis">{latest ?? 'none yet'}</span>
        <IconButton icon="panel" label="Hide inspector" onClick={() => showInspector(false)} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
      <section class="pane-body train-newest" aria-label="Newest checkpoint" tabIndex={0}>
        <div class="newest-play">
          <Button
            icon="play"
            busy={busy}
            disabled={run === null || latest === null}
            title={latest === null ? 'The run has saved no checkpoint yet' : `Plays ${latest}; the training continues`}
            onClick={() => run !== null && latest !== null && playCheckpoint(run.path, latest)}
          >
            Play this checkpoint
          </Button>
          <p class="dim">
            {owner.value === 'play' && playing && live !== null
              ? `The scene shows ${live.checkpoint === '' ? 'zero action' : live.checkpoint} of this run.`
              : 'The scene does not show this run.'}
          </p>
        </div>
        {job !== null && job.kind === 'train' && <Evaluation job={job.name} />}
        <LogTail />
      </section>
    </>
  );
}

const ROWS: readonly (readonly [tag: string, name: string, unit: string, zero: string | null])[] = [
  ['Eval/tracking', 'Tracking', '', 'Eval/zero_action_tracking'],
  ['Eval/mean_episode_length', 'Episode length', 'steps', 'Eval/zero_action_mean_episode_length'],
  ['Eval/full_episodes', 'Full episodes', '', null],
  ['Eval/error_body_pos', 'Body error', 'm', null],
  ['Eval/error_joint_pos', 'Joint error', 'rad', null],
];

/** Shows the metrics of the policy without exploration noise beside those of zero action. */
function Evaluation({ job }: { readonly job: string }) {
  const source: CurveSource = { key: `job ${job}`, job, run: null };
  useEffect(() => followCurves([source], 'train'), [job]);
  const curves = curvesBy.value.get(keyOf(source, 'train'))?.curves ?? null;
  const value = (tag: string | null) => {
    const series = curves?.series.find((one) => one.tag === tag);
    return series === undefined ? null : lastOf(series.y);
  };
  const rows = ROWS.map(([tag, name, unit, zero]) => ({ tag, name, unit, now: value(tag), zero: value(zero) }));
  const chart = curves === null ? undefined : evaluationChart(curves, job);
  return (
    <section class="evaluation" aria-labelledby="evaluation-title">
      <h3 id="evaluation-title">Evaluation, deterministic</h3>
      {rows.every(({ now }) => now === null) ? (
        <p class="dim">From time to time the policy is evaluated without noise and compared with zero action.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span class="visually-hidden">Figure</span>
              </th>
              <th scope="col">Policy</th>
              <th scope="col">Zero action</th>
            </tr>
          </thead>
          <tbody>
            {rows
              .filter(({ now }) => now !== null)
              .map(({ tag, name, unit, now, zero }) => (
                <tr key={tag}>
                  <th scope="row" class="dim">
                    {name}
                  </th>
                  <td class="num">
                    <span class="medium">{figure(now)}</span> {unit !== '' && <span class="dim">{unit}</span>}
                  </td>
                  <td class="num dim">{figure(zero)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
      {chart !== undefined && <CurveCard chart={chart} look={{ weight: 0, log: false, until: 0 }} />}
    </section>
  );
}

function evaluationChart(curves: Curves, label: string) {
  const chart = chartsOf([{ label, colour: 2, curves }], 'train').find(({ tag }) => tag === 'Eval/mean_episode_length');
  // Omit the word for evaluated values, because the heading above contains it.
  return chart?.lines.some(({ x }) => x.length > 1) === true ? { ...chart, title: 'Episode length' } : undefined;
}

function LogTail() {
  const log = jobLog.value;
  const lines = (log?.lines ?? []).slice(-LOG_LINES).map(parseLogLine);
  return (
    <section class="log-tail" aria-labelledby="tail-title">
      <div class="tail-head">
        <h3 id="tail-title">Log</h3>
        <span class="grow" />
        <Button
          small
          kind="quiet"
          onClick={() => {
            jobTab.value = 'log';
          }}
        >
          Whole log
        </Button>
      </div>
      <LogBox
        label="End of the log"
        end={log?.lines.length === undefined ? 0 : `${log.lines.length} ${log.lines.at(-1)}`}
      >
        {lines.map((line, k) => (
          <div key={k} class={`tail-line log-${line.level}`}>
            {line.text}
          </div>
        ))}
        {lines.length === 0 && <div class="tail-line dim">Nothing was logged yet.</div>}
      </LogBox>
    </section>
  );
}
