import '../../../ui/dock.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { IconButton } from '../../../ui/controls.tsx';
import { clock, whole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { plotsShown, plotsWindow, togglePlots } from '../../../ui/plots-shown.ts';
import { SpeedSelect } from '../../../ui/speed-select.tsx';
import { Timeline } from '../dock/timeline.tsx';
import {
  duration,
  isOpen,
  playhead,
  preview,
  seek,
  setOptions,
  step,
  togglePlaying,
  watchPlayhead,
} from '../preview-store.ts';

interface TransportProps {
  /** one row, for phones */
  readonly compact?: boolean;
  /** shown in the middle while plots are shown */
  readonly overview?: ComponentChildren;
}

/** Play and step buttons, frame and speed of the open clip. */
export function Transport({ compact = false, overview = null }: TransportProps) {
  const open = preview.value;
  const off = !isOpen.value;
  const playing = open?.playing === true;
  const loop = open?.options.loop ?? true;
  const playButton = (
    <button
      type="button"
      class="play-btn"
      aria-label={playing ? 'Pause' : 'Play'}
      title={off ? 'No clip is open' : `${playing ? 'Pause' : 'Play'} (Space)`}
      disabled={off}
      onClick={togglePlaying}
    >
      <Icon name={playing ? 'pause' : 'play'} />
    </button>
  );
  if (compact) {
    return (
      <div class="transport compact">
        {playButton}
        <IconButton icon="stepForward" label="Step forward" disabled={off} onClick={() => void step(1)} />
        <Timeline bare />
        <Time short />
      </div>
    );
  }
  return (
    <div class="transport">
      <IconButton icon="first" label="First frame" hint="Home" disabled={off} onClick={() => seek(0)} />
      <IconButton icon="stepBack" label="Step back" hint="←" disabled={off} onClick={() => void step(-1)} />
      {playButton}
      <IconButton icon="stepForward" label="Step forward" hint="→" disabled={off} onClick={() => void step(1)} />
      <IconButton
        icon="last"
        label="Last frame"
        hint="End"
        disabled={off}
        onClick={() => void step(open?.frames ?? 0)}
      />
      <IconButton
        icon="loop"
        label="Loop"
        pressed={loop && !off}
        disabled={off}
        onClick={() => void setOptions({ loop: !loop })}
      />
      <span class="v-line" />
      <Time />
      <span class="v-line frame-line" />
      <FrameField />
      {plotsShown.value && overview !== null ? overview : <span class="grow" />}
      <Speed />
      {!plotsWindow && (
        <IconButton icon="plots" label="Plots" hint="`" pressed={plotsShown.value} onClick={togglePlots} />
      )}
    </div>
  );
}

/** Shows the time of the playhead. Writes it directly to the DOM for each drawn image. */
function Time({ short = false }: { readonly short?: boolean }) {
  const text = useRef<HTMLSpanElement>(null);
  const off = !isOpen.value;
  useEffect(() => {
    const write = (value: string) => {
      if (text.current !== null) text.current.textContent = value;
    };
    if (off) return write('–');
    return watchPlayhead(() => write(clock(playhead.time, 2)));
  }, [off]);
  return (
    <span class="time num">
      <span class={off ? 'dim' : 'medium'} ref={text} />
      {!short && <span class="dim"> / {off ? '–' : clock(duration.value, 2)}</span>}
    </span>
  );
}

function FrameField() {
  const field = useRef<HTMLInputElement>(null);
  const off = !isOpen.value;
  const last = Math.max(0, (preview.value?.frames ?? 0) - 1);
  useEffect(() => {
    if (off) {
      if (field.current !== null) field.current.value = '';
      return;
    }
    return watchPlayhead(() => {
      const element = field.current;
      if (element !== null && document.activeElement !== element) element.value = String(playhead.frame);
    });
  }, [off]);
  const commit = (input: HTMLInputElement) => {
    const frame = input.valueAsNumber;
    if (Number.isFinite(frame) && frame !== playhead.frame) seek(frame);
    else input.value = String(playhead.frame);
  };
  return (
    <label class="frame-field">
      <span class="dim">Frame</span>
      <input
        ref={field}
        type="number"
        aria-label="Frame"
        class="num"
        min={0}
        max={last}
        step={1}
        disabled={off}
        onChange={(event) => commit(event.currentTarget)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
          if (event.key === 'Escape') {
            event.currentTarget.value = String(playhead.frame);
            event.currentTarget.blur();
          }
        }}
      />
      <span class="dim num">of {off ? '–' : whole(last + 1)}</span>
    </label>
  );
}

function Speed() {
  return (
    <SpeedSelect
      speed={preview.value?.options.speed ?? 1}
      disabled={!isOpen.value}
      onChange={(speed) => void setOptions({ speed })}
    />
  );
}
