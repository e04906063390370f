import './play.css';
import { useEffect, useState } from 'preact/hooks';
import type { PlaySession } from '../../../../src/protocol/schemas/play.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { clock, fixed } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { layout, showInspector } from '../../ui/layout.ts';
import { Empty } from '../../ui/states.tsx';
import { weightsToPreset } from '../tasks/shared/weights-preset.ts';
import { resetWeights } from './control-store.ts';
import { rewardFigures } from './record-metrics.ts';
import { record, recordRow, useRecord } from './record-store.ts';
import { RewardRow } from './reward-row.tsx';
import { isLive, session } from './session-store.ts';
import { Tracking } from './tracking.tsx';

/** Shows the rewards, the tracking metrics and the last failed episode. */
export function PlayInspector() {
  useEffect(useRecord, []);
  const now = session.value;
  const live = isLive.value && now !== null;
  const phone = layout.value === 'phone';
  const { terms, total } = rewardFigures(record.value, recordRow.value + 1, now?.rewards ?? []);
  const most = Math.max(1e-9, ...terms.map(({ value }) => (Number.isFinite(value) ? Math.abs(value) : 0)));
  const [all, showAll] = useState(false);
  const idle = terms.filter(({ weight, default: first }) => weight === 0 && first === 0);
  const weighed = terms.filter((term) => !idle.includes(term));
  const changed = terms.filter((term) => term.weight !== term.default).length;
  return (
    <>
      <header class="pane-head">
        <h2>Rewards</h2>
        <span class="grow" />
        {live && (
          <span class="play-total num">
            {fixed(total, 2)} <span class="dim">/s</span>
          </span>
        )}
        {!phone && <IconButton icon="panel" label="Hide inspector" onClick={() => showInspector(false)} />}
      </header>
      {!live ? (
        <Empty icon="play" title="No session">
          <p class="dim">Rewards and errors of the focused environment show here while a policy plays.</p>
        </Empty>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
          <section class="pane-body rewards-body" aria-label="Rewards and tracking" tabIndex={0}>
            <div class="reward-scroll">
              <div class="reward-columns dim">
                <span>Per second, mean of the last second</span>
                <span>Weight</span>
              </div>
              <ul class="rewards">
                {weighed.map((term) => (
                  <RewardRow key={term.name} term={term} most={most} />
                ))}
                {all && idle.map((term) => <RewardRow key={term.name} term={term} most={most} />)}
              </ul>
              {terms.length === 0 && <p class="dim play-none">This task has no rewards.</p>}
              {terms.length > 0 && (
                <div class="rewards-foot">
                  <span class="dim grow num">{changed === 0 ? 'Weights from run' : `${changed} changed`}</span>
                  {idle.length > 0 && (
                    <Button kind="quiet" small onClick={() => showAll(!all)}>
                      {all ? 'Hide' : 'Show'} {idle.length} with weight 0
                    </Button>
                  )}
                  <Button
                    kind="quiet"
                    small
                    icon="reset"
                    disabled={changed === 0}
                    title="Resets every term to its weight in the run"
                    onClick={() => void resetWeights()}
                  >
                    Reset
                  </Button>
                  <Button
                    kind="quiet"
                    small
                    disabled={changed === 0 || now === null}
                    title="Creates a preset of this task with the changed weights"
                    onClick={() => now !== null && void weightsToPreset(now)}
                  >
                    Save as preset…
                  </Button>
                </div>
              )}
            </div>
            <Tracking session={now} />
            {phone && <LastFall session={now} />}
          </section>
          {!phone && <LastFall session={now} />}
        </>
      )}
    </>
  );
}

/** Shows the last episode that ended by a failure in any environment. */
function LastFall({ session: now }: { readonly session: PlaySession }) {
  const last = now.figures?.ends[0];
  if (last === undefined) return null;
  return (
    <section class="last-fall" aria-label="Last fall">
      <Icon name="flag" />
      <div>
        <p class="medium">
          Env {last.env} failed at <span class="num">{clock(last.sim_time, 2)}</span>
        </p>
        <p class="dim">{last.text}</p>
        <p class="dim mono ellipsis" title={last.cause}>
          {last.cause}
          {last.clip === '' ? '' : `, ${last.clip}`}
        </p>
      </div>
    </section>
  );
}
