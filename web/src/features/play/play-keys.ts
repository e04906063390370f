import type { Command } from '../../ui/command.ts';
import { alone, tinted } from '../../viewport/view-state.ts';
import { openCompare } from './compare-store.ts';
import {
  changeSpeed,
  cycleGhost,
  focusNext,
  push,
  restart,
  setOptions,
  setPlaying,
  setTint,
  step,
  togglePlaying,
} from './control-store.ts';
import { backToLive, frozen, holdAt, moveBy, moveSeconds, moveToEvent } from './record-store.ts';
import { isLive, session } from './session-store.ts';

/** Actions of the keys in Play. While the record is frozen, keys move in the record instead of stepping the session. */
const RUN: Partial<Readonly<Record<Command, () => void>>> = {
  play: togglePlaying,
  restart: () => void restart(),
  push: () => void push(),
  'step-forward': () => (frozen.peek() ? moveBy(1) : void step()),
  'step-back': () => {
    if (session.peek()?.playing === true && !frozen.peek()) void setPlaying(false);
    moveBy(-1);
  },
  'second-forward': () => moveSeconds(1),
  'second-back': () => moveSeconds(-1),
  first: () => holdAt(0),
  last: backToLive,
  'marker-previous': () => moveToEvent(-1),
  'marker-next': () => moveToEvent(1),
  'clip-previous': () => focusNext(-1),
  'clip-next': () => focusNext(1),
  faster: () => changeSpeed(1),
  slower: () => changeSpeed(-1),
  'real-time': () => void setOptions({ speed: 1 }),
  ghost: cycleGhost,
  tint: () => setTint(!tinted.peek()),
  alone: () => {
    alone.value = !alone.peek();
  },
  contacts: () => void setOptions({ contacts: session.peek()?.options.contacts !== true }),
  compare: () => openCompare(),
  search: () => document.querySelector<HTMLElement>('.channels input[type=search]')?.focus(),
};

export function runInPlay(command: Command): void {
  if (isLive.peek()) RUN[command]?.();
}
