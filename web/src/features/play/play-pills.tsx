import './play.css';
import { useEffect, useRef } from 'preact/hooks';
import { count, fixed } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { alone, tinted } from '../../viewport/view-state.ts';
import { playHud, session, watchPlayHud } from './session-store.ts';

const GHOST = { overlay: 'Reference', beside: 'Reference beside' } as const;
/** Below this share of the chosen speed, a warning is shown: the machine is too slow. */
const SLOW = 0.95;

/** What the play scene shows: policy, environments, ghost, and a warning if it runs slower than chosen. */
export function PlayPills() {
  const now = session.value;
  if (now === null) return <span class="pill">Play</span>;
  return (
    <>
      <span class="pill">
        <Icon name="play" />
        <span class="ellipsis">
          {now.compare ? 'Comparison' : now.checkpoint === '' ? 'Zero action' : now.checkpoint}
        </span>
      </span>
      <span class="pill num">
        {now.compare ? `${now.num_envs} policies` : count(now.num_envs, 'env')}{' '}
        <span class="dim">· {Math.round(now.control_hz)} Hz</span>
      </span>
      {now.options.ghost !== 'off' && (
        <span class="pill">
          <span class="dot dot-ghost" />
          {GHOST[now.options.ghost]}
        </span>
      )}
      {tinted.value && now.options.ghost !== 'off' && (
        <span class="pill num">
          0 <span class="tint-scale" aria-hidden="true" /> 0.3 m
        </span>
      )}
      {alone.value && now.num_envs > 1 && <span class="pill">Env {now.focus} alone</span>}
      {now.playing ? <SlowPill asked={now.options.speed} /> : <span class="pill dim">Paused</span>}
    </>
  );
}

/** The actual speed of the scene, shown when it is below the chosen speed. */
function SlowPill({ asked }: { readonly asked: number }) {
  const pill = useRef<HTMLSpanElement>(null);
  useEffect(
    () =>
      watchPlayHud(() => {
        const element = pill.current;
        if (element === null) return;
        const factor = playHud.realtimeFactor;
        element.hidden = !(factor < SLOW * asked);
        if (!element.hidden) element.lastChild!.textContent = `${fixed(factor, 2)}× of real time`;
      }),
    [asked],
  );
  return (
    <span class="pill shape-warning" ref={pill} hidden>
      <Icon name="warn" />
      <span class="num" />
    </span>
  );
}
