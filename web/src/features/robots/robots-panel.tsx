import './robots.css';
import { useEffect, useRef } from 'preact/hooks';
import type { ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { Robot, RobotSummary } from '../../../../src/protocol/schemas/robots.ts';
import { Button, Switch } from '../../ui/controls.tsx';
import { count, fixed } from '../../ui/format.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { goTo } from '../../ui/layout.ts';
import { WithLoaded } from '../../ui/states.tsx';
import { clipsOf } from '../data/shared/counts.ts';
import { openImport, openRobot } from './import-request-store.ts';
import { RobotCard, UnfinishedCards } from './robot-card.tsx';
import { robot, robots, selectedSummary, setShowWiring } from './robots-store.ts';

type RobotList = ReplyOf<RouteByKey['GET /api/robots']>;

export function RobotsPanel() {
  const list = robots.state.value;
  const cards = useRef<HTMLUListElement>(null);
  const selected = list.value?.selected;
  useEffect(() => {
    cards.current?.querySelector('.card.on')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    <>
      <header class="pane-head pane-head-kept">
        <h2>Robots</h2>
        {list.value !== null && <span class="count">{list.value.robots.length}</span>}
        <span class="grow" />
        <Button icon="plus" onClick={() => openImport()}>
          Add robot
        </Button>
      </header>
      <div class="pane-body">
        <WithLoaded loaded={list} what="The robots could not be read" retry={() => void robots.refresh()} rows={6}>
          {(value: RobotList) => (
            <ul class="cards" ref={cards}>
              {value.robots.map((summary) => (
                <li key={summary.id}>
                  <RobotCard summary={summary} />
                </li>
              ))}
              <UnfinishedCards />
            </ul>
          )}
        </WithLoaded>
        {list.value !== null && <RobotDetails />}
      </div>
    </>
  );
}

function RobotDetails() {
  const summary = selectedSummary.value;
  return (
    <>
      <section class="section" aria-labelledby="model-title">
        <h3 id="model-title">Model</h3>
        {summary?.model === null || summary === null ? (
          <p class="dim pad-x">{summary?.error ?? 'Not read yet.'}</p>
        ) : (
          <dl class="figures">
            <Figure name="Bodies" value={String(summary.model.bodies)} />
            <Figure name="Joints" value={String(summary.model.joints)} />
            <Figure name="Actuators" value={String(summary.model.actuators)} />
            <Figure name="Mass" value={fixed(summary.model.mass, 3)} unit="kg" />
            <Figure name="Height" value={fixed(summary.model.height, 3)} unit="m" />
            <Figure name="Source" value={summary.source === 'builtin' ? 'Built-in' : `robots/${summary.id}`} />
          </dl>
        )}
      </section>
      <WithLoaded loaded={robot.state.value} what="The robot could not be read" retry={() => void robot.refresh()}>
        {(value: Robot) => <Wiring robot={value} />}
      </WithLoaded>
      {summary !== null && <UsedBy summary={summary} />}
    </>
  );
}

function Figure({ name, value, unit }: { readonly name: string; readonly value: string; readonly unit?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value}
        {unit !== undefined && <span class="dim"> {unit}</span>}
      </dd>
    </div>
  );
}

function Wiring({ robot: { id, source, wiring, options } }: { readonly robot: Robot }) {
  return (
    <section class="section" aria-labelledby="wiring-title">
      <div class="section-head">
        <h3 id="wiring-title">Wiring</h3>
        <Switch label="Show markers" on={options.show_wiring} onChange={(on) => void setShowWiring(on)} />
      </div>
      <dl class="wiring">
        <div>
          <dt>Anchor</dt>
          <dd>
            <span class="dot dot-anchor" />
            <span class="mono ellipsis">{wiring.anchor}</span>
          </dd>
        </div>
        <div>
          <dt>Feet</dt>
          <dd>
            <span class="dot dot-foot" />
            <span class="mono wiring-names">
              {wiring.feet.length === 0 && 'none'}
              {wiring.feet.map((name, k) => (
                <span key={name} class="ellipsis" title={name}>
                  {k < wiring.feet.length - 1 ? `${name}, ` : name}
                </span>
              ))}
            </span>
          </dd>
        </div>
        <div>
          <dt>Key bodies</dt>
          <dd>
            <span class="dot dot-keybody" />
            <details class="more">
              <summary>{wiring.keybodies.length === 1 ? '1 body' : `${wiring.keybodies.length} bodies`}</summary>
              <ul class="mono">
                {wiring.keybodies.map((name) => (
                  <li key={name}>{name}</li>
                ))}
              </ul>
            </details>
            {source === 'created' && (
              <button type="button" class="link wiring-edit" onClick={() => openRobot(id)}>
                Edit wiring
              </button>
            )}
          </dd>
        </div>
      </dl>
    </section>
  );
}

function UsedBy({ summary: { datasets, tasks, runs } }: { readonly summary: RobotSummary }) {
  const clips = datasets.reduce((n, set) => n + clipsOf(set), 0);
  const presets = tasks.filter((name) => name.includes('--')).length;
  return (
    <section class="section" aria-labelledby="used-title">
      <h3 id="used-title">Used by</h3>
      <Use
        icon="data"
        name="Datasets"
        figures={datasets.length === 0 ? null : `${datasets.length} · ${count(clips, 'clip')}`}
        onOpen={() => goTo('data')}
      />
      <Use
        icon="tasks"
        name="Tasks"
        figures={tasks.length === 0 ? null : `${tasks.length}${presets === 0 ? '' : ` · ${count(presets, 'preset')}`}`}
        onOpen={() => goTo('tasks')}
      />
      <Use
        icon="table"
        name="Runs"
        figures={runs.length === 0 ? null : String(runs.length)}
        onOpen={() => goTo('runs')}
      />
    </section>
  );
}

interface UseProps {
  readonly icon: IconName;
  readonly name: string;
  /** null is shown as "none" */
  readonly figures: string | null;
  readonly onOpen: () => void;
}

function Use({ icon, name, figures, onOpen }: UseProps) {
  return (
    <button type="button" class="list-row" onClick={onOpen}>
      <Icon name={icon} />
      <span>{name}</span>
      <span class="grow" />
      <span class="dim num">{figures ?? 'none'}</span>
      <Icon name="right" small />
    </button>
  );
}
