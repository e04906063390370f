import { useMemo } from 'preact/hooks';
import type { PlaySession } from '../../../../src/protocol/schemas/play.ts';
import { Badge, IconButton } from '../../ui/controls.tsx';
import { fixed } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { focusEnv, pinClip } from './control-store.ts';
import { shadeOf } from './record-metrics.ts';
import type { PlayClip } from './session-setup.ts';
import { clips } from './setup-store.ts';

/** Maximum number of tiles. `[`, `]` or a click in the scene focuses the other environments. */
const TILES_MOST = 256;

const NO_CLIPS: readonly PlayClip[] = [];

interface SessionProps {
  readonly session: PlaySession;
}

/** Lets the user select the clip that the focused environment repeats, or none. */
export function ClipPin({ session }: SessionProps) {
  const pinned = session.pins.find(({ env }) => env === session.focus)?.clip ?? null;
  const list = clips.value.value ?? NO_CLIPS;
  const options = useMemo(
    () =>
      list.map(({ index, name }) => (
        <option key={index} value={name}>
          {name}
        </option>
      )),
    [list],
  );
  const title = session.compare ? 'Clip of all robots' : `Clip of env ${session.focus}`;
  return (
    <section class="section play-section" aria-label={title}>
      <div class="play-head">
        <h3>{title}</h3>
        {pinned !== null && <Badge kind="accent">Pinned</Badge>}
      </div>
      <div class="play-row">
        <span class="select outlined grow">
          <Icon name="pin" />
          <select
            aria-label={title}
            value={pinned ?? ''}
            disabled={list.length === 0}
            onChange={(event) => void pinClip(event.currentTarget.value === '' ? null : event.currentTarget.value)}
          >
            <option value="">{list.length === 0 && clips.value.loading ? 'Loading' : 'Chosen by the task'}</option>
            {pinned !== null && !list.some(({ name }) => name === pinned) && <option value={pinned}>{pinned}</option>}
            {options}
          </select>
          <Icon name="down" small />
        </span>
        <IconButton icon="close" label="Unpin" disabled={pinned === null} onClick={() => void pinClip(null)} />
      </div>
      {clips.value.error !== null && <p class="field-note err">{clips.value.error}</p>}
    </section>
  );
}

/** Shows the environments as tiles. The shade of a tile is the distance of the robot from its reference. A click
 *  focuses the environment. */
export function EnvTiles({ session }: SessionProps) {
  const { num_envs, focus, figures } = session;
  const shown = Math.min(num_envs, TILES_MOST);
  return (
    <section class="section play-section" aria-label="Environments">
      <div class="play-head">
        <h3>Environments</h3>
        <span class="dim">{figures === undefined ? '' : 'tracking error'}</span>
      </div>
      <div class="env-tiles">
        {Array.from({ length: shown }, (_, env) => {
          const error = figures?.errors[env];
          const shade = shadeOf(error);
          const known = error !== null && error !== undefined;
          return (
            <button
              type="button"
              key={env}
              class={`env-tile num${env === focus ? ' on' : ''}${shade >= 0.5 ? ' far' : ''}`}
              style={{ '--shade': `${Math.round(100 * shade)}%` }}
              aria-pressed={env === focus}
              aria-label={`Environment ${env}${known ? `, error ${fixed(error, 3)} m` : ''}`}
              title={known ? `Env ${env}: ${fixed(error, 3)} m from the reference` : `Env ${env}`}
              onClick={() => void focusEnv(env)}
            >
              {env}
            </button>
          );
        })}
      </div>
      {num_envs > shown && <p class="dim play-more">and {num_envs - shown} more: [ and ] or a click in the scene</p>}
    </section>
  );
}
