import { clipAt, dataset, listing, needPages, PAGE_SIZE, rowOf } from '../features/data/data-store.ts';
import {
  changeSpeed,
  isOpen,
  loadClip,
  preview,
  seek,
  setOptions,
  step,
  stepIssue,
  stepSeconds,
  togglePlaying,
} from '../features/data/preview-store.ts';
import { plotsOf, togglePlots } from '../features/plots/plots-view-state.ts';
import { robot, setShowWiring } from '../features/robots/robots-store.ts';
import { copyText } from '../ui/clipboard.ts';
import { area, goTo, helpOpen, paletteOpen, singleKeys } from '../ui/layout.ts';
import { failed } from '../ui/toasts.ts';
import { cycleFollow, viewer } from '../viewport/view-state.ts';
import { type Command, shortcutOf } from './keys.ts';

/** Puts the focus into the search of clips, in Tasks of knobs, at once where it is there: the next keys are already meant for it. */
function focusSearch(): void {
  const inTasks = area.peek() === 'tasks';
  if (!inTasks) goTo('data');
  const field = () => document.querySelector<HTMLElement>(inTasks ? '#knob-search' : '#clip-search');
  if (field() !== null) field()?.focus();
  else requestAnimationFrame(() => field()?.focus());
}

/** Loads the clip before or after the open one in the listing. */
function neighbour(direction: 1 | -1): void {
  const open = preview.peek()?.clip;
  const name = dataset.peek()?.name;
  if (name === undefined) return;
  const at = open === null || open === undefined ? -1 : rowOf(open);
  const row = at < 0 ? 0 : at + direction;
  if (row < 0 || row >= (listing.peek().total ?? 0)) return;
  const clip = clipAt(row);
  if (clip === null) needPages([Math.floor(row / PAGE_SIZE) + 1]);
  else void loadClip(name, clip.name);
}

const RUN: Readonly<Record<Command, () => void>> = {
  play: togglePlaying,
  'step-forward': () => void step(1),
  'step-back': () => void step(-1),
  'second-forward': () => stepSeconds(1),
  'second-back': () => stepSeconds(-1),
  first: () => seek(0),
  last: () => void step(preview.peek()?.frames ?? 0),
  'marker-previous': () => stepIssue(-1),
  'marker-next': () => stepIssue(1),
  'clip-previous': () => neighbour(-1),
  'clip-next': () => neighbour(1),
  faster: () => changeSpeed(1),
  slower: () => changeSpeed(-1),
  'real-time': () => void setOptions({ speed: 1 }),
  camera: cycleFollow,
  'frame-all': () => viewer.peek()?.frameAll(),
  ghost: () => void setOptions({ ghost: preview.peek()?.options.ghost !== true }),
  contacts: () => void setOptions({ contacts: preview.peek()?.options.contacts !== true }),
  restart: () => {},
  push: () => {},
  tint: () => {},
  alone: () => {},
  'area-1': () => goTo('robots'),
  'area-2': () => goTo('data'),
  'area-3': () => goTo('tasks'),
  'area-4': () => goTo('train'),
  'area-5': () => goTo('play'),
  'area-6': () => goTo('status'),
  plots: togglePlots,
  search: focusSearch,
  'copy-link': () => void copyText(location.href, 'Link'),
  palette: () => {
    paletteOpen.value = true;
  },
  help: () => {
    helpOpen.value = true;
  },
  close: () => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  },
};

/** What keys do in Play where they do something else there; its code comes with the area. */
const IN_PLAY: ReadonlySet<Command> = new Set<Command>([
  'play',
  'restart',
  'push',
  'step-forward',
  'step-back',
  'second-forward',
  'second-back',
  'first',
  'last',
  'marker-previous',
  'marker-next',
  'clip-previous',
  'clip-next',
  'faster',
  'slower',
  'real-time',
  'ghost',
  'contacts',
  'tint',
  'alone',
  'search',
]);

export function run(command: Command): void {
  if (IN_PLAY.has(command) && (area.peek() === 'play' || plotsOf.peek() === 'play')) {
    import('../features/play/play-keys.ts').then(
      (keys) => keys.runInPlay(command),
      (error: unknown) => failed('Play could not be loaded', error),
    );
  } else RUN[command]();
}

export function toggleWiring(): void {
  const current = robot.value;
  if (current !== null) void setShowWiring(!current.options.show_wiring);
}

/** Elements that use keys themselves. */
const TYPING =
  'input:not([type=checkbox]), select, textarea, [contenteditable], [role=slider], [role=listbox], [role=menu], [role=tablist]';

function keyIsTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(TYPING) !== null) return true;
  return (key === ' ' || key === 'Enter') && target.closest('button, a, input, summary') !== null;
}

/** Listens to the whole page's keys. Single keys rest while typing, in dialogs, and when switched off. */
export function startKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const shortcut = shortcutOf(event);
    if (shortcut === null) return;
    if (shortcut.single) {
      if (!singleKeys.peek() || document.querySelector('dialog[open]') !== null) return;
      if (keyIsTaken(event.target, event.key)) return;
      const playback = isOpen.peek() || area.peek() === 'data' || plotsOf.peek() === 'play';
      if (shortcut.group === 'Playback' && !playback) return;
    } else if (shortcut.command === 'close') return run('close');
    event.preventDefault();
    run(shortcut.command);
  });
}
