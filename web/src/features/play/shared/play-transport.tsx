import '../../../ui/dock.css';
import '../play.css';
import { useEffect, useRef } from 'preact/hooks';
import { IconButton } from '../../../ui/controls.tsx';
import { clock, fixed, whole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { plotsShown, plotsWindow, togglePlots } from '../../../ui/plots-shown.ts';
import { SpeedSelect } from '../../../ui/speed-select.tsx';
import { restart, setOptions, step, togglePlaying } from '../control-store.ts';
import { RecordMenu } from '../record-menu.tsx';
import { stepOf } from '../record-metrics.ts';
import { backToLive, freeze, frozen, record, recordRow } from '../record-store.ts';
import { isLive, playHud, session, watchPlayHud } from '../session-store.ts';

/** The real-time factor is shown in amber if it is below this share of the chosen speed. */
const SLOW = 0.95;

/** Controls of the session: restart, play, step, time and speed. */
export function PlayTransport() {
  const now = session.value;
  const off = !isLive.value;
  return (
    <div class="transport">
      <IconButton
        icon="reset"
        label="Restart every environment"
        hint="R"
        disabled={off}
        onClick={() => void restart()}
      />
      <PlayButton />
      <IconButton icon="stepForward" label="One control step" hint="→" disabled={off} onClick={() => void step()} />
      <span class="v-line" />
      <SimTime />
      <span class="v-line frame-line" />
      <EpisodeStep />
      <span class="v-line frame-line play-factor" />
      <Factor />
      <span class="grow" />
      <LiveButton />
      <Speed />
      {!plotsWindow && (
        <IconButton icon="plots" label="Plots" hint="`" pressed={plotsShown.value} onClick={togglePlots} />
      )}
      {now !== null && !off && <RecordMenu env={now.focus} />}
    </div>
  );
}

/** Compact session controls for phones. */
export function CompactTransport() {
  const off = !isLive.value;
  return (
    <div class="transport compact">
      <PlayButton />
      <IconButton icon="stepForward" label="One control step" disabled={off} onClick={() => void step()} />
      <IconButton icon="reset" label="Restart every environment" disabled={off} onClick={() => void restart()} />
      <span class="grow" />
      <LiveButton />
      <SimTime short />
    </div>
  );
}

function PlayButton() {
  const off = !isLive.value;
  const playing = session.value?.playing === true;
  return (
    <button
      type="button"
      class="play-btn"
      aria-label={playing ? 'Pause' : 'Play'}
      title={off ? 'No session is running' : `${playing ? 'Pause' : 'Play'} (Space)`}
      disabled={off}
      onClick={togglePlaying}
    >
      <Icon name={playing ? 'pause' : 'play'} />
    </button>
  );
}

/** Shows the simulation time. Writes it directly to the DOM, at most once per drawn frame. */
function SimTime({ short = false }: { readonly short?: boolean }) {
  const text = useRef<HTMLSpanElement>(null);
  const off = !isLive.value;
  const told = session.value?.sim_time ?? 0;
  useEffect(() => {
    if (session.peek()?.playing === false) playHud.simTime = told;
    return watchPlayHud(() => {
      if (text.current !== null) text.current.textContent = off ? '–' : clock(playHud.simTime, 2);
    });
  }, [off, told]);
  return (
    <span class="time num">
      <span class={off ? 'dim' : 'medium'} ref={text} />
      {!short && <span class="dim"> sim time</span>}
    </span>
  );
}

function EpisodeStep() {
  const view = record.value;
  const at = view === null ? Number.NaN : stepOf(view, recordRow.value);
  return (
    <span class="frame-field">
      <span class="dim">Step</span>
      <span class="num medium play-step">{Number.isFinite(at) ? whole(at) : '–'}</span>
    </span>
  );
}

function Factor() {
  const text = useRef<HTMLSpanElement>(null);
  const off = !isLive.value;
  const asked = session.value?.options.speed ?? 1;
  const playing = session.value?.playing === true;
  useEffect(
    () =>
      watchPlayHud(() => {
        if (text.current === null) return;
        const factor = playHud.realtimeFactor;
        const known = !off && playing && factor > 0; // The factor is 0 until it is first measured.
        text.current.textContent = known ? `${fixed(factor, 2)}×` : '–';
        text.current.className = known ? (factor < SLOW * asked ? 'num shape-warning' : 'num play-ok') : 'num dim';
      }),
    [off, asked, playing],
  );
  return (
    <span class="frame-field play-factor">
      <span class="dim">Real time</span>
      <span class="num" ref={text} />
    </span>
  );
}

/** Shows whether the charts show live values. A click freezes the record, or makes it live again. */
function LiveButton() {
  const back = frozen.value;
  const off = !isLive.value;
  return (
    <button
      type="button"
      class={`btn btn-default btn-s live-btn${back ? ' back' : ''}`}
      disabled={off}
      aria-pressed={!back}
      title={back ? 'Back to the newest row (End)' : 'Freeze and look back (Home, ←)'}
      onClick={() => (back ? backToLive() : freeze())}
    >
      <span class={back ? 'dot dot-hollow' : 'dot dot-err'} />
      {back ? 'Back to live' : 'Live'}
    </button>
  );
}

function Speed() {
  return (
    <SpeedSelect
      speed={session.value?.options.speed ?? 1}
      disabled={!isLive.value}
      onChange={(speed) => void setOptions({ speed })}
    />
  );
}
