import './play.css';
import { useEffect, useRef } from 'preact/hooks';
import type { PlaySession } from '../../../../src/protocol/schemas/play.ts';
import { count, fixed } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { alone, ghostAligned, ghostPlace, NO_NAMES, robotNames, tinted } from '../../viewport/view-state.ts';
import { playHud, session, watchPlayHud } from './session-store.ts';
import { entryName } from './shared/entry-name.ts';

const GHOST = { overlay: 'Reference', beside: 'Reference beside' } as const;
/** A warning is shown if the real-time factor divided by the chosen speed is below this value, because the machine is
 *  too slow. */
const SLOW = 0.95;

/** Maximum number of environments whose names are shown in the scene. */
const NAMED_ENVS = 64;

/** Shows names at the robots in the scene: those of the policies of a comparison, or of the environments. */
function useRobotNames(now: PlaySession | null): void {
  useEffect(() => {
    const entries = now?.compare?.entries ?? null;
    const named = now !== null && now.num_envs <= NAMED_ENVS;
    robotNames.value =
      entries === null
        ? { nameOf: (robot) => (named ? { text: `Env ${robot}`, team: null } : null), teams: 0 }
        : { nameOf: (robot) => ({ text: entryName(entries, robot), team: robot }), teams: entries.length };
  }, [now?.id, now?.num_envs, now?.compare === null]);
  useEffect(
    () => () => {
      robotNames.value = NO_NAMES;
    },
    [],
  );
}

/** Pills over the scene: policy, environments, reference robot, and a warning if the session runs slower than
 *  chosen. */
export function PlayPills() {
  const now = session.value;
  useRobotNames(now);
  useEffect(() => {
    ghostAligned.value = now?.options.ghost === 'overlay' && ghostPlace.value === 'robot';
  }, [now?.options.ghost, ghostPlace.value]);
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
      {now.condition !== null && (
        <span class="pill" title="Condition of the evaluation">
          <Icon name="flag" />
          <span class="ellipsis">{now.condition.name}</span>
        </span>
      )}
      {now.options.ghost !== 'off' && (
        <span class="pill">
          <span class="dot dot-ghost" />
          {ghostAligned.value ? 'Reference, at the robot' : GHOST[now.options.ghost]}
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

/** Shows the real-time factor if it is below the chosen speed. */
function SlowPill({ asked }: { readonly asked: number }) {
  const pill = useRef<HTMLSpanElement>(null);
  useEffect(
    () =>
      watchPlayHud(() => {
        const element = pill.current;
        if (element === null) return;
        const factor = playHud.realtimeFactor;
        element.hidden = !(factor > 0 && factor < SLOW * asked); // The factor is 0 until it is first measured.
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
