import './status.css';
import { useEffect, useState } from 'preact/hooks';
import type { Busy } from '../../../../src/protocol/schemas/busy.ts';
import { activeTasks, endedTasks } from '../../net/busy.ts';
import { connection, latencyMs, lostText, service } from '../../net/connection.ts';
import { liveFrames } from '../../net/live-frames.ts';
import { owner } from '../../net/scene-owner.ts';
import { copyText } from '../../ui/clipboard.ts';
import { Button, Progress } from '../../ui/controls.tsx';
import { ago, bytes, count, fixed, sentence, span, timeOfDay, whole } from '../../ui/format.ts';
import { Lazy } from '../../ui/lazy.tsx';
import { noWebGl, sceneFacts } from '../../viewport/view-state.ts';
import { JobsSection } from '../jobs/shared/jobs-section.tsx';
import { ClientsSection } from './clients-section.tsx';
import { Checklist } from './first-run-card.tsx';
import { logEntries } from './log-store.ts';
import { TrashSection } from './trash-section.tsx';

const recordingList = () => import('../recordings/shared/recording-list.tsx').then((part) => part.RecordingList);

export function StatusPanel() {
  return (
    <>
      <header class="pane-head">
        <h2>Status</h2>
        <span class="grow" />
        <Button small icon="copy" onClick={copyDiagnostics}>
          Copy diagnostics
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <section class="pane-body" aria-label="Figures" tabIndex={0}>
        <ConnectionSection />
        <FramesSection />
        <Clients />
        <AllJobs />
        <Lazy load={recordingList} what="The recordings" />
        <TasksSection />
        <AllTrash />
        <section class="section" aria-labelledby="steps-title">
          <h3 id="steps-title">First steps</h3>
          <div class="pad-x folded-steps">
            <Checklist />
          </div>
        </section>
      </section>
    </>
  );
}

/** Renders the component once a second, for values that are not signals. */
function useSecond(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1000);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}

const STATE = {
  open: ['ok', 'Connected'],
  connecting: ['hollow', 'Connecting'],
  lost: ['warn', 'Reconnecting'],
} as const;

function ConnectionSection() {
  useSecond();
  const { state, since } = connection.value;
  const [dot, word] = STATE[state];
  const text = state === 'lost' ? lostText.value : word;
  const ms = latencyMs.value;
  return (
    <section class="section" aria-labelledby="connection-title">
      <h3 id="connection-title">Service</h3>
      <dl class="facts">
        <Fact name="Connection">
          <span class={`dot dot-${dot}`} />
          {text}
          <span class="dim"> for {span((performance.now() - since) / 1000)}</span>
        </Fact>
        <Fact name="Address">
          <span class="mono">{location.host}</span>
        </Fact>
        <Fact name="Round trip">{ms === null ? '–' : `${fixed(ms, 1)} ms`}</Fact>
        <Fact name="Version">{service.value?.version ?? '–'}</Fact>
        <Fact name="Running for">{service.value === null ? '–' : span(service.value.uptimeS)}</Fact>
      </dl>
    </section>
  );
}

function FramesSection() {
  useSecond();
  const { stats } = liveFrames;
  const facts = sceneFacts.value;
  return (
    <section class="section" aria-labelledby="frames-title">
      <h3 id="frames-title">Scene</h3>
      <dl class="facts">
        <Fact name="Shows">{owner.value === null ? '–' : sentence(owner.value)}</Fact>
        <Fact name="Frames">
          {fixed(stats.age < 1500 ? stats.fps : 0, 0)}{' '}
          <span class="dim">per second, {whole(stats.decoded)} in total</span>
        </Fact>
        <Fact name="Drawn">
          {fixed(stats.age < 1500 ? stats.drawFps : 0, 0)}{' '}
          <span class="dim">per second at {Math.round(100 * stats.scale)} % resolution</span>
        </Fact>
        <Fact name="Page script">
          {fixed(stats.scriptMs, 2)} <span class="dim">ms per frame</span>
        </Fact>
        <Fact name="Received">{bytes(stats.bytes)}</Fact>
        {facts !== null && (
          <Fact name="Bodies">
            {whole(facts.bodies)} <span class="dim">per robot, {count(facts.n, 'robot')}</span>
          </Fact>
        )}
        {noWebGl.value !== null && <Fact name="Drawing">stick figure: {noWebGl.value}</Fact>}
      </dl>
    </section>
  );
}

function AllJobs() {
  return <JobsSection now={useSecond()} />;
}

function AllTrash() {
  return <TrashSection now={useSecond()} />;
}

function Clients() {
  return <ClientsSection now={useSecond()} />;
}

function TasksSection() {
  const now = useSecond();
  const all = [...activeTasks.value, ...endedTasks.value].slice(0, 12);
  return (
    <section class="section" aria-labelledby="tasks-title">
      <h3 id="tasks-title">Recent actions</h3>
      {all.length === 0 ? (
        <p class="dim pad-x">No actions yet.</p>
      ) : (
        <ul class="tasks">
          {all.map((task) => (
            <TaskRow key={task.task} task={task} now={now} />
          ))}
        </ul>
      )}
    </section>
  );
}

const TASK = {
  running: ['accent', 'Running'],
  done: ['ok', 'Done'],
  failed: ['err', 'Failed'],
  superseded: ['square', 'Replaced by a newer action'],
} as const;

function TaskRow({ task, now }: { readonly task: Busy; readonly now: number }) {
  const [dot, word] = TASK[task.state];
  const text = task.error ?? task.message;
  return (
    <li>
      <div class="task-row">
        <span class={`dot dot-${dot}`} />
        <span class="medium ellipsis grow">{task.label}</span>
        <span class={task.state === 'failed' ? 'err' : 'dim'}>{word}</span>
        <span class="dim num task-when">{ago(task.ended ?? task.started, now)}</span>
      </div>
      {task.state === 'running' && <Progress value={task.progress} label={task.label} />}
      {text !== '' && <p class={task.error === null ? 'dim' : 'err'}>{text}</p>}
    </li>
  );
}

interface FactProps {
  readonly name: string;
  readonly children: preact.ComponentChildren;
}

function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="num ellipsis">{children}</dd>
    </div>
  );
}

function copyDiagnostics(): void {
  const { stats } = liveFrames;
  const lines = [
    `motion-studio ${service.peek()?.version ?? '?'} at ${location.host}`,
    `connection ${connection.peek().state}, round trip ${latencyMs.peek()?.toFixed(1) ?? '?'} ms`,
    `browser ${navigator.userAgent}`,
    `frames ${JSON.stringify({ ...stats })}`,
    `scene ${JSON.stringify(sceneFacts.peek())}, owner ${owner.peek() ?? '?'}${noWebGl.peek() === null ? '' : `, no WebGL: ${noWebGl.peek()}`}`,
    ...endedTasks
      .peek()
      .filter((task) => task.state === 'failed')
      .map((task) => `task ${task.task}: ${task.error ?? task.message}`),
    ...logEntries
      .peek()
      .slice(-50)
      .map((entry) => `${timeOfDay(entry.time)} ${entry.level} ${entry.source}: ${entry.message}`),
  ];
  void copyText(lines.join('\n'), 'Diagnostics');
}
