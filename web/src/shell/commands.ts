import { AREAS, areaSpec } from '../features/areas.ts';
import { clipAt, dataset, listing, needPages, rowOf } from '../features/data/data-store.ts';
import { PAGE_SIZE } from '../features/data/dataset-browser.ts';
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
import { copyText } from '../ui/clipboard.ts';
import type { AreaCommand, Command } from '../ui/command.ts';
import { area, goTo, helpOpen, paletteOpen, singleKeys } from '../ui/layout.ts';
import { plotsOf, togglePlots } from '../ui/plots-shown.ts';
import { failed } from '../ui/toasts.ts';
import { captureOpen, cycleFollow, viewer } from '../viewport/view-state.ts';
import { shortcutOf, shortcutsWith } from './keys.ts';

/** All shortcuts of the page. */
export const SHORTCUTS = shortcutsWith(AREAS);

/** Focuses the search field of the area, or of the first area that has one. An existing field is focused without delay,
 *  because the following keys are meant for it. */
function focusSearch(): void {
  const here = areaSpec(area.peek()).searchField;
  const target =
    here === undefined ? AREAS.find(({ searchField }) => searchField !== undefined) : areaSpec(area.peek());
  if (target === undefined) return;
  if (here === undefined) goTo(target.id);
  const field = () => document.getElementById(target.searchField ?? '');
  if (field() !== null) field()?.focus();
  else requestAnimationFrame(() => field()?.focus());
}

/** Loads the clip before or after the open clip in the listing. */
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

const RUN: Readonly<Record<Exclude<Command, AreaCommand>, () => void>> = {
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
  compare: () => {},
  tint: () => {},
  alone: () => {},
  plots: togglePlots,
  capture: () => {
    captureOpen.value = !captureOpen.peek();
  },
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

/** Commands that Play handles differently; its code is loaded with the area. */
const IN_PLAY: ReadonlySet<Command> = new Set<Command>([
  'play',
  'restart',
  'push',
  'compare',
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

const isArea = (command: Command): command is AreaCommand => command.startsWith('area-');

export function run(command: Command): void {
  if (isArea(command)) goTo(command.slice('area-'.length));
  else if (IN_PLAY.has(command) && (area.peek() === 'play' || plotsOf.peek() === 'play')) {
    import('../features/play/play-keys.ts').then(
      (keys) => keys.runInPlay(command),
      (error: unknown) => failed('Play could not be loaded', error),
    );
  } else RUN[command]();
}

/** Elements that handle keys themselves. */
const TYPING =
  'input:not([type=checkbox]), select, textarea, [contenteditable], [role=slider], [role=listbox], [role=menu], [role=tablist]';

function keyIsTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(TYPING) !== null) return true;
  return (key === ' ' || key === 'Enter') && target.closest('button, a, input, summary') !== null;
}

/** Handles the keys of the whole page. Single keys are ignored while typing, in dialogs, and when switched off. */
export function startKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const shortcut = shortcutOf(event, SHORTCUTS);
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
