import './phone.css';
import type { TargetedPointerEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Transport } from '../features/data/dock/transport.tsx';
import { preview } from '../features/data/preview-store.ts';
import { JobDot } from '../features/jobs/job-chip.tsx';
import { importing } from '../features/robot-import/draft-view.ts';
import { PosePanel } from '../features/robots/pose-panel.tsx';
import { RobotsPanel } from '../features/robots/robots-panel.tsx';
import { robots, selectedSummary, selectRobot } from '../features/robots/robots-store.ts';
import { activeTasks } from '../net/busy.ts';
import { connection } from '../net/connection.ts';
import { IconButton, Tabs } from '../ui/controls.tsx';
import { count } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { area, goTo, helpOpen, paletteOpen, type SheetHeight, sheet, theme, toggleTheme } from '../ui/layout.ts';
import { Lazy } from '../ui/lazy.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import type { Area } from './address.ts';
import { firstRunShown } from './first-run.ts';
import {
  ClipInspector,
  DataPanel,
  ImportBody,
  ImportFoot,
  ImportHead,
  LogDock,
  PlayInspector,
  PlayPanel,
  StatusPanel,
} from './later.tsx';

const playTransport = () => import('../features/play/dock/play-transport.tsx').then((part) => part.CompactTransport);
const PlayTransport = () => <Lazy load={playTransport} what="The transport" quiet />;
const plotsSheet = () => import('../features/plots/plots-view.tsx').then((part) => part.PlotsSheet);

const TITLE: Readonly<Record<Area, string>> = {
  robots: 'Robots',
  data: 'Data',
  tasks: 'Tasks',
  train: 'Train',
  play: 'Play',
  status: 'Status',
};
export function PhoneHeader() {
  const summary = selectedSummary.value;
  const running = activeTasks.value;
  const open = preview.value;
  const clip = open?.open === true ? open.clip : null;
  const lost = connection.value.state === 'lost';
  return (
    <header class="top phone-top" style={{ gridArea: 'top' }}>
      <div class="phone-title">
        <h1>{TITLE[area.value]}</h1>
        <p class="dim ellipsis">
          {summary?.name ?? 'motion-studio'}
          {area.value === 'data' && clip !== null
            ? ` · ${clip}`
            : summary?.model != null
              ? ` · ${count(summary.model.joints, 'joint')}`
              : ''}
        </p>
      </div>
      <span class="phone-state" role="status" aria-label="Tasks">
        {lost ? (
          <>
            <span class="dot dot-warn" /> Reconnecting
          </>
        ) : (
          running[0] !== undefined && (
            <>
              <span class="dot dot-accent" /> {running.length === 1 ? '1 task' : `${running.length} tasks`}
            </>
          )
        )}
      </span>
      <JobDot />
      <IconButton icon="search" label="Search or run a command" onClick={() => (paletteOpen.value = true)} />
      <Menu label="More" button={<Icon name="dots" />} buttonClass="icon-btn">
        {(robots.state.value.value?.robots ?? []).map((robot) => (
          <MenuItem key={robot.id} checked={robot.selected} onSelect={() => void selectRobot(robot.id)}>
            <span class="menu-check">{robot.selected && <Icon name="check" />}</span>
            <span class="ellipsis grow">{robot.name}</span>
          </MenuItem>
        ))}
        <MenuItem onSelect={toggleTheme}>
          <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
          {theme.value === 'dark' ? 'Light theme' : 'Dark theme'}
        </MenuItem>
        <MenuItem onSelect={() => (helpOpen.value = true)}>
          <Icon name="help" />
          Help and shortcuts
        </MenuItem>
      </Menu>
    </header>
  );
}

export function PhoneTransport() {
  return (
    <section class="phone-transport" aria-label="Playback" style={{ gridArea: 'transport' }}>
      {area.value === 'play' ? <PlayTransport /> : <Transport compact />}
    </section>
  );
}

type SheetTab = 'main' | 'inspect' | 'plots' | 'log';
const TABS: Readonly<Record<Area, readonly (readonly [SheetTab, string])[]>> = {
  robots: [
    ['main', 'Robots'],
    ['inspect', 'Pose'],
  ],
  data: [
    ['main', 'Clips'],
    ['inspect', 'Clip'],
    ['plots', 'Plots'],
  ],
  tasks: [['main', 'Tasks']],
  train: [['main', 'Train']],
  play: [
    ['main', 'Play'],
    ['inspect', 'Rewards'],
    ['plots', 'Plots'],
  ],
  status: [
    ['main', 'Status'],
    ['log', 'Log'],
  ],
};

const NEXT: Readonly<Record<SheetHeight, SheetHeight>> = { half: 'full', full: 'peek', peek: 'half' };
const SWIPE_PX = 24;

/** The lower half: tabs of the area, drawn up or down by its handle. */
export function PhoneSheet() {
  const now = area.value;
  const [chosen, setTab] = useState<SheetTab>('main');
  if (importing.value && now === 'robots') return <ImportSheet />;
  const tab = TABS[now].some(([key]) => key === chosen) ? chosen : 'main';
  const onPointerDown = (event: TargetedPointerEvent<HTMLButtonElement>) => {
    const from = event.clientY;
    const handle = event.currentTarget;
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener(
      'pointerup',
      (end) => {
        const by = end.clientY - from;
        if (Math.abs(by) < SWIPE_PX) return;
        end.preventDefault();
        sheet.value = by < 0 ? (sheet.peek() === 'peek' ? 'half' : 'full') : sheet.peek() === 'full' ? 'half' : 'peek';
        swiped = true;
      },
      { once: true },
    );
  };
  let swiped = false;
  return (
    <section class={`sheet sheet-${sheet.value}`} aria-label={TITLE[now]} style={{ gridArea: 'sheet' }}>
      <button
        type="button"
        class="sheet-handle"
        aria-label={sheet.value === 'full' ? 'Lower the panel' : 'Raise the panel'}
        onPointerDown={onPointerDown}
        onClick={() => {
          if (!swiped) sheet.value = NEXT[sheet.peek()];
          swiped = false;
        }}
      />
      <Tabs
        label={TITLE[now]}
        value={tab}
        tabs={TABS[now]}
        onChange={(next) => {
          setTab(next);
          if (sheet.peek() === 'peek') sheet.value = 'half';
        }}
      />
      {sheet.value !== 'peek' && (
        <div class="sheet-body" role="tabpanel" aria-labelledby={`tab-${tab}`}>
          <h2 class="visually-hidden">{TABS[now].find(([key]) => key === tab)?.[1]}</h2>
          <SheetBody area={now} tab={tab} />
        </div>
      )}
      {firstRunShown.value && now === 'robots' && (
        <p class="visually-hidden">
          <button type="button" onClick={() => goTo('data')}>
            Watch a clip
          </button>
        </p>
      )}
    </section>
  );
}

/** The wizard on a phone: it has the sheet to itself. */
function ImportSheet() {
  return (
    <section class={`sheet sheet-${sheet.value}`} aria-label="Add robot" style={{ gridArea: 'sheet' }}>
      <button
        type="button"
        class="sheet-handle"
        aria-label={sheet.value === 'full' ? 'Lower the panel' : 'Raise the panel'}
        onClick={() => {
          sheet.value = NEXT[sheet.peek()];
        }}
      />
      <ImportHead />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keys */}
      <div class="sheet-body sheet-import" tabIndex={0}>
        <ImportBody />
      </div>
      <ImportFoot />
    </section>
  );
}

function SheetBody({ area: now, tab }: { readonly area: Area; readonly tab: SheetTab }) {
  if (tab === 'log') return <LogDock />;
  if (tab === 'plots') return <Lazy load={plotsSheet} what="The plots" />;
  if (now === 'robots') return tab === 'main' ? <RobotsPanel /> : <PosePanel />;
  if (now === 'play') return tab === 'main' ? <PlayPanel /> : <PlayInspector />;
  if (now === 'data') return tab === 'main' ? <DataPanel /> : <ClipInspector />;
  return <StatusPanel />;
}
