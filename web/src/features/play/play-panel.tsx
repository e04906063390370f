import './play.css';
import { useEffect, useRef } from 'preact/hooks';
import { owner } from '../../net/scene-owner.ts';
import { copyText } from '../../ui/clipboard.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { sentence } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { goTo } from '../../ui/layout.ts';
import { Lazy } from '../../ui/lazy.tsx';
import { Empty, WithLoaded } from '../../ui/states.tsx';
import { EvaluateButton } from '../evaluate/shared/evaluate-button.tsx';
import { selectedSummary } from '../robots/robots-store.ts';
import { runs } from '../runs/runs-store.ts';
import { playable } from '../runs/shared/playable.ts';
import { comparing, openCompare } from './compare-store.ts';
import { setPlaying, stopSession } from './control-store.ts';
import { ClipPin, EnvTiles } from './envs.tsx';
import { Pickers } from './pickers.tsx';
import { Disturb, ViewOptions } from './play-options.tsx';
import { RecordMenu } from './record-menu.tsx';
import { isLive, session } from './session-store.ts';
import { buildError, building, chosen, loadClips, loadLibraries, noClips, start } from './setup-store.ts';

const comparison = () => import('./compare/comparison-panel.tsx').then((part) => part.ComparisonPanel);

/** Left panel of the area Play: policy, motion library, environments and display options. */
export function PlayPanel() {
  const now = session.value;
  const path = chosen.value.path;
  const id = selectedSummary.value?.id;
  useEffect(() => void runs.refresh(), [id]);
  useEffect(() => {
    if (path !== null) void loadLibraries(path);
  }, [path]);
  useEffect(() => {
    if (isLive.value) void loadClips();
  }, [now?.id, now?.motion, isLive.value]);
  return (
    <>
      <header class="pane-head">
        <h2>Play</h2>
        <span class="grow" />
        <IconButton
          icon="link"
          label="Copy a link to this view"
          hint="Y"
          onClick={() => void copyText(location.href, 'Link')}
        />
        <IconButton icon="stop" label="Stop the session" disabled={now === null} onClick={() => void stopSession()} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
      <section class="pane-body play-panel" aria-label="What is played" tabIndex={0}>
        <WithLoaded
          loaded={runs.state.value}
          what="The runs could not be read"
          rows={6}
          retry={() => void runs.refresh()}
        >
          {(list) => (list.length === 0 && now === null ? <NoRuns /> : <Body />)}
        </WithLoaded>
      </section>
      <Foot />
    </>
  );
}

function NoRuns() {
  const { loading } = runs.state.value;
  return (
    <Empty icon="play" title="No run to play yet">
      <p class="dim">
        A run is a trained policy: a folder in <code>logs/rsl_rl/</code> of the workspace with <code>model_….pt</code>{' '}
        or <code>exported/policy.onnx</code>.
      </p>
      <div class="empty-actions">
        <Button kind="primary" icon="train" onClick={() => goTo('train')}>
          Train one
        </Button>
        <Button kind="outline" icon="reset" busy={loading} onClick={() => void runs.refresh()}>
          {loading ? 'Reading' : 'Read again'}
        </Button>
      </div>
    </Empty>
  );
}

function Body() {
  const now = session.value;
  const error = buildError.value ?? (now?.state === 'failed' ? now.error : null);
  return (
    <>
      {now?.compare ? <Lazy load={comparison} what="The comparison" /> : <Pickers />}
      {now !== null && <SceneElsewhere />}
      {error !== null && (
        <p class="note note-err" role="alert">
          <Icon name="warn" />
          <span>{error}</span>
        </p>
      )}
      {now !== null && (now.state === 'running' || now.state === 'paused') && (
        <>
          <ClipPin session={now} />
          {now.compare === null && <EnvTiles session={now} />}
          <ViewOptions options={now.options} />
          <Disturb session={now} />
        </>
      )}
    </>
  );
}

/** Tells the user that the scene shows something other than the session, and that the session is paused until the scene
 *  shows it again. */
function SceneElsewhere() {
  const shown = owner.value;
  if (!isLive.value || shown === null || shown === 'play') return null;
  return (
    <div class="note">
      <Icon name="info" />
      <span class="grow">The scene shows {sentence(shown)}.</span>
      <Button small icon="play" onClick={() => void setPlaying(true)}>
        Resume session
      </Button>
    </div>
  );
}

/** Footer of the panel. Its button builds a session. While a session runs, it saves the record instead. */
function Foot() {
  const now = session.value;
  const { run } = chosen.value;
  const busy = building.value !== null || comparing.value || now?.state === 'building';
  const pressed = useRef(false);
  useEffect(() => {
    // The pressed button is gone: the focus of the keyboard goes on to the button that pauses.
    if (!isLive.value || !pressed.current) return;
    pressed.current = false;
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('.play-btn')?.focus();
  }, [isLive.value]);
  if (now !== null && (now.state === 'running' || now.state === 'paused')) {
    return (
      <footer key="live" class="pane-foot">
        <Button
          kind="outline"
          icon="compare"
          title="Plays 2 to 4 policies on the same clip, in lock step (X)"
          onClick={() => openCompare()}
        >
          Compare
        </Button>
        <EvaluateButton run={now.run} />
        <span class="dim ellipsis grow" role="status">
          {busy ? 'Building the next session' : ''}
        </span>
        {busy && <span class="spinner" aria-hidden="true" />}
        <RecordMenu env={now.focus} />
      </footer>
    );
  }
  if (run === null) return null;
  const ready = playable(run);
  if (noClips.value) {
    return (
      <footer key="convert" class="pane-foot">
        <span class="grow" />
        <Button kind="primary" icon="data" onClick={() => goTo('data')}>
          Convert clips
        </Button>
      </footer>
    );
  }
  return (
    <footer key="setup" class="pane-foot">
      {ready && <EvaluateButton run={run.path} />}
      <span class="grow" />
      <Button
        kind="primary"
        icon="play"
        busy={busy}
        disabled={!ready}
        title={
          ready ? 'Builds the environments and plays the policy on them' : (run.error ?? 'This run has no checkpoint')
        }
        onClick={() => {
          pressed.current = true;
          void start();
        }}
      >
        {busy ? 'Building' : now?.state === 'failed' ? 'Try again' : 'Play'}
      </Button>
    </footer>
  );
}
