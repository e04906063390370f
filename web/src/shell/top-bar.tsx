import { UploadChip } from '../features/data/upload-chip.tsx';
import { JobChip } from '../features/jobs/job-chip.tsx';
import { robots, selectedSummary, selecting, selectRobot } from '../features/robots/robots-store.ts';
import { activeTasks } from '../net/busy.ts';
import { identity } from '../net/client-identity.ts';
import { clients, connection, latencyMs, lostText } from '../net/connection.ts';
import { owner } from '../net/scene-owner.ts';
import { IconButton, Progress } from '../ui/controls.tsx';
import { count, fixed, sentence } from '../ui/format.ts';
import { Icon, Logo } from '../ui/icon.tsx';
import { goTo, helpOpen, layout, paletteOpen, theme, toggleTheme } from '../ui/layout.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';

export function TopBar() {
  return (
    <header class="top" style={{ gridArea: 'top' }}>
      <div class="top-side">
        <span class="logo">
          <Logo />
        </span>
        <h1 class="brand">motion-studio</h1>
        <span class="v-line" />
        <RobotPicker />
        <span class="v-line" />
        <OwnerChip />
      </div>
      <CommandField />
      <div class="top-side end">
        <BusyChip />
        <UploadChip />
        <JobChip />
        <Clients />
        <ConnectionState />
        <ThemeButton />
        <IconButton
          icon="help"
          label="Help and shortcuts"
          hint="?"
          onClick={() => {
            helpOpen.value = true;
          }}
        />
      </div>
    </header>
  );
}

function RobotPicker() {
  const list = robots.state.value;
  const summary = selectedSummary.value;
  if (list.value === null) {
    return <span class="top-btn dim">{list.error === null ? 'Loading robots' : 'Robots not read'}</span>;
  }
  const figure = summary?.model === null || summary === null ? '' : count(summary.model.joints, 'joint');
  return (
    <Menu
      label="Select a robot"
      named
      button={
        <>
          <Icon name="robot" />
          <span class="medium ellipsis robot-name">{summary?.name ?? 'No robot'}</span>
          {layout.value !== 'narrow' && <span class="dim">{selecting.value === null ? figure : 'Selecting'}</span>}
          <Icon name="down" small />
        </>
      }
    >
      {list.value.robots.map((robot) => (
        <MenuItem key={robot.id} checked={robot.selected} onSelect={() => void selectRobot(robot.id)}>
          <span class="menu-check">{robot.selected && <Icon name="check" />}</span>
          <span class="ellipsis grow">{robot.name}</span>
          <span class="dim">
            {robot.error !== null ? 'Cannot be loaded' : robot.model !== null && count(robot.model.joints, 'joint')}
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Shows the owner of the scene; a click opens the owner's area. */
function OwnerChip() {
  const now = owner.value;
  if (now === null) return null;
  const area = now === 'import' ? 'robots' : now;
  return (
    <button type="button" class="top-btn" title="What the scene shows" onClick={() => goTo(area)}>
      <span class="dim">Scene</span> <span class="medium">{sentence(now)}</span>
    </button>
  );
}

function CommandField() {
  return (
    <button type="button" class="command-field" aria-haspopup="dialog" onClick={() => (paletteOpen.value = true)}>
      <Icon name="search" />
      <span class="grow ellipsis">Search or run a command</span>
      <span class="keys" aria-hidden="true">
        <kbd>{/mac/i.test(navigator.platform) ? '⌘' : 'Ctrl'}</kbd>
        <kbd>K</kbd>
      </span>
    </button>
  );
}

/** Shows running busy tasks in every area. */
function BusyChip() {
  const running = activeTasks.value;
  const newest = running[0];
  if (newest === undefined) return <span class="visually-hidden" role="status" aria-label="Tasks" />;
  const others = running.length - 1;
  return (
    <button type="button" class="top-btn busy-chip" title={newest.message} onClick={() => goTo('status')}>
      <span class="dim ellipsis" role="status" aria-label="Tasks">
        {newest.label}
        {others > 0 && ` and ${others} more`}
      </span>
      {newest.progress !== null && <span class="medium num">{Math.round(100 * newest.progress)} %</span>}
      <Progress value={newest.progress} label={newest.label} />
    </button>
  );
}

/** Shows how many clients receive the scene, and whether this page may only watch. */
function Clients() {
  const n = clients.value?.length;
  const viewOnly = identity.value?.role === 'view';
  return (
    <>
      {viewOnly && (
        <span class="top-btn still medium" title="You watch. Changes need the token of the service.">
          View only
        </span>
      )}
      {n !== undefined && (
        <button
          type="button"
          class="top-btn"
          title={`${count(n, 'client')} of the scene`}
          onClick={() => goTo('status')}
        >
          <Icon name="users" />
          <span class="num">
            <span class="visually-hidden">Clients </span>
            {n}
          </span>
        </button>
      )}
    </>
  );
}

function ConnectionState() {
  const { state } = connection.value;
  const ms = latencyMs.value;
  const figure = ms === null ? '' : `${ms < 9.95 ? fixed(ms, ms < 0.95 ? 1 : 0) : Math.round(ms)} ms`;
  const [dot, text] =
    state === 'open'
      ? ['ok', figure || 'Connected']
      : state === 'connecting'
        ? ['hollow', 'Connecting']
        : ['warn', lostText.value];
  return (
    <button
      type="button"
      class="top-btn"
      title={state === 'open' ? 'Connected. Round-trip time to the service' : text}
      onClick={() => goTo('status')}
    >
      <span class={`dot dot-${dot}`} />
      <span class="visually-hidden">{state === 'open' ? 'Connected' : ''}</span>
      <span class="num dim">{text}</span>
    </button>
  );
}

function ThemeButton() {
  const dark = theme.value === 'dark';
  return <IconButton icon={dark ? 'sun' : 'moon'} label={dark ? 'Light theme' : 'Dark theme'} onClick={toggleTheme} />;
}
