import './phone.css';
import type { TargetedPointerEvent } from 'preact';
import { useState } from 'preact/hooks';
import { AREAS, type AreaSpec, areaSpec, type Wizard } from '../features/areas.ts';
import { JobDot } from '../features/jobs/job-chip.tsx';
import { robots, selectedSummary, selectRobot } from '../features/robots/robots-store.ts';
import { activeTasks } from '../net/busy.ts';
import { identity } from '../net/client-identity.ts';
import { connection, lostText } from '../net/connection.ts';
import { IconButton, Tabs } from '../ui/controls.tsx';
import { count } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { area, goTo, helpOpen, paletteOpen, sheet, theme, toggleTheme } from '../ui/layout.ts';
import { Lazy } from '../ui/lazy.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import type { SheetHeight } from '../ui/page-layout.ts';
import { captureOpen } from '../viewport/view-state.ts';
import { firstRunShown } from './first-run.ts';

export function PhoneHeader() {
  const summary = selectedSummary.value;
  const running = activeTasks.value;
  const spec = areaSpec(area.value);
  const subject = spec.subject?.() ?? null;
  const lost = connection.value.state === 'lost';
  return (
    <header class="top phone-top" style={{ gridArea: 'top' }}>
      <div class="phone-title">
        <h1>{spec.title}</h1>
        <p class="dim ellipsis">
          {identity.value?.role === 'view' && 'View only · '}
          {summary?.name ?? 'motion-studio'}
          {subject !== null
            ? ` · ${subject}`
            : summary?.model != null
              ? ` · ${count(summary.model.joints, 'joint')}`
              : ''}
        </p>
      </div>
      <span class="phone-state" role="status" aria-label="Tasks">
        {lost ? (
          <>
            <span class="dot dot-warn" /> {lostText.value}
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
        <MenuItem onSelect={() => (captureOpen.value = true)}>
          <Icon name="photo" />
          Save a picture or video
        </MenuItem>
        <MenuItem onSelect={() => (helpOpen.value = true)}>
          <Icon name="help" />
          Help and shortcuts
        </MenuItem>
      </Menu>
    </header>
  );
}

/** The transport of the area, or of the first area that has one. */
export function PhoneTransport() {
  const spec = areaSpec(area.value).dock?.kind === 'player' ? areaSpec(area.value) : AREAS.find(isPlayer);
  if (spec?.dock?.kind !== 'player') return null;
  return (
    <section class="phone-transport" aria-label="Playback" style={{ gridArea: 'transport' }}>
      <Lazy key={spec.id} load={spec.dock.compact} what="The transport" quiet />
    </section>
  );
}

const isPlayer = (spec: AreaSpec) => spec.dock?.kind === 'player';

const NEXT: Readonly<Record<SheetHeight, SheetHeight>> = { half: 'full', full: 'peek', peek: 'half' };
const SWIPE_PX = 24;

/** The lower half: tabs of the area. Its handle raises and lowers it. */
export function PhoneSheet() {
  const spec = areaSpec(area.value);
  const [chosen, setTab] = useState('');
  const tab = spec.phoneTabs.find(({ id }) => id === chosen) ?? spec.phoneTabs[0];
  if (spec.wizard?.isOpen() === true) return <WizardSheet wizard={spec.wizard} />;
  if (tab === undefined) return null;
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
    <section class={`sheet sheet-${sheet.value}`} aria-label={spec.title} style={{ gridArea: 'sheet' }}>
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
        label={spec.title}
        value={tab.id}
        tabs={spec.phoneTabs.map(({ id, title }) => [id, title] as const)}
        onChange={(next) => {
          setTab(next);
          if (sheet.peek() === 'peek') sheet.value = 'half';
        }}
      />
      {sheet.value !== 'peek' && (
        <div class="sheet-body" role="tabpanel" aria-labelledby={`tab-${tab.id}`}>
          <h2 class="visually-hidden">{tab.title}</h2>
          <Lazy key={`${spec.id}-${tab.id}`} load={tab.load} what={tab.title} />
        </div>
      )}
      {firstRunShown.value && spec === AREAS[0] && (
        <p class="visually-hidden">
          <button type="button" onClick={() => goTo('data')}>
            Watch a clip
          </button>
        </p>
      )}
    </section>
  );
}

/** The sheet while the wizard is open: only the wizard. */
function WizardSheet({ wizard }: { readonly wizard: Wizard }) {
  return (
    <section class={`sheet sheet-${sheet.value}`} aria-label={wizard.title} style={{ gridArea: 'sheet' }}>
      <button
        type="button"
        class="sheet-handle"
        aria-label={sheet.value === 'full' ? 'Lower the panel' : 'Raise the panel'}
        onClick={() => {
          sheet.value = NEXT[sheet.peek()];
        }}
      />
      <Lazy load={wizard.head} what={wizard.title} quiet />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <div class="sheet-body sheet-import" tabIndex={0}>
        <Lazy load={wizard.body} what={wizard.title} />
      </div>
      <Lazy load={wizard.foot} what={wizard.title} quiet />
    </section>
  );
}
