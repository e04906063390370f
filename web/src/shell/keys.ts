import type { Command } from '../ui/command.ts';

interface Chord {
  readonly key: string;
  readonly ctrl?: boolean;
  readonly alt?: boolean;
  readonly shift?: boolean;
}

export interface Shortcut {
  readonly command: Command;
  readonly group: 'Playback' | 'View' | 'Page';
  readonly text: string;
  /** key names as shown in the overview of shortcuts */
  readonly keys: readonly string[];
  readonly chords: readonly Chord[];
  /** whether it is a single key, which is ignored while typing and which the user can switch off */
  readonly single: boolean;
}

const one = (
  command: Command,
  group: Shortcut['group'],
  text: string,
  keys: readonly string[],
  ...chords: Chord[]
): Shortcut => ({
  command,
  group,
  text,
  keys,
  chords,
  single: true,
});

const SHORTCUTS: readonly Shortcut[] = [
  one('play', 'Playback', 'Play or pause', ['Space'], { key: ' ' }),
  one('step-back', 'Playback', 'One frame back; in Play, freeze and go back', ['←'], { key: 'ArrowLeft' }),
  one('step-forward', 'Playback', 'One frame forward; in Play, one step', ['→'], { key: 'ArrowRight' }),
  one('second-back', 'Playback', 'One second back', ['Shift', '←'], { key: 'ArrowLeft', shift: true }),
  one('second-forward', 'Playback', 'One second forward', ['Shift', '→'], { key: 'ArrowRight', shift: true }),
  one('first', 'Playback', 'First frame', ['Home'], { key: 'Home' }),
  one('last', 'Playback', 'Last frame', ['End'], { key: 'End' }),
  one('marker-previous', 'Playback', 'Previous finding', [','], { key: ',' }),
  one('marker-next', 'Playback', 'Next finding', ['.'], { key: '.' }),
  one('clip-previous', 'Playback', 'Previous clip or environment', ['['], { key: '[' }),
  one('clip-next', 'Playback', 'Next clip or environment', [']'], { key: ']' }),
  one('restart', 'Playback', 'Restart every environment', ['R'], { key: 'r' }),
  one('push', 'Playback', 'Push the robot', ['P'], { key: 'p' }),
  one('compare', 'Playback', 'Compare policies', ['X'], { key: 'x' }),
  one('faster', 'Playback', 'Faster', ['+'], { key: '+' }, { key: '=' }),
  one('slower', 'Playback', 'Slower', ['−'], { key: '-' }),
  one('real-time', 'Playback', 'Real time', ['1'], { key: '1' }),
  one('camera', 'View', 'Camera: free, follow, follow heading', ['F'], { key: 'f' }),
  one('frame-all', 'View', 'Frame all', ['A'], { key: 'a' }),
  one('contacts', 'View', 'Contacts', ['C'], { key: 'c' }),
  one('tint', 'View', 'Colour bodies by their error', ['E'], { key: 'e' }),
  one('alone', 'View', 'Hide the other environments', ['H'], { key: 'h' }),
  one('ghost', 'View', 'Ghost: source clip, or reference in Play', ['G'], { key: 'g' }),
  one('capture', 'View', 'Save a picture or video of the scene', ['S'], { key: 's' }),
  one('plots', 'Page', 'Plots of the open clip or environment', ['`'], { key: '`' }),
  one('search', 'Page', 'Search clips', ['/'], { key: '/' }),
  one('copy-link', 'Page', 'Copy a link to this view', ['Y'], { key: 'y' }),
  {
    command: 'palette',
    group: 'Page',
    text: 'Search or run a command',
    keys: ['Ctrl', 'K'],
    chords: [{ key: 'k', ctrl: true }],
    single: false,
  },
  one('help', 'Page', 'Help and shortcuts', ['?'], { key: '?' }),
  {
    command: 'close',
    group: 'Page',
    text: 'Close the top dialog or menu',
    keys: ['Esc'],
    chords: [{ key: 'Escape' }],
    single: false,
  },
];

/** Returns all shortcuts: those above, and Alt with a digit for each area. The overview lists them in this order. */
export function shortcutsWith(
  areas: readonly { readonly id: string; readonly title: string; readonly key: string }[],
): readonly Shortcut[] {
  const toAreas = areas.map(
    ({ id, title, key }): Shortcut => ({
      command: `area-${id}`,
      group: 'Page',
      text: title,
      keys: ['Alt', key],
      chords: [{ key, alt: true }],
      single: false,
    }),
  );
  const page = SHORTCUTS.findIndex(({ group }) => group === 'Page');
  return [...SHORTCUTS.slice(0, page), ...toAreas, ...SHORTCUTS.slice(page)];
}

/** Fields of a keyboard event that shortcuts use. */
export interface KeyPress {
  readonly key: string;
  /** physical key, for Alt+digit on layouts where Alt changes the character */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Characters that need Shift on some keyboard layouts: for these, Shift is ignored. */
const SHIFT_FREE = /^[^a-z\s]$/i;

function hits(press: KeyPress, chord: Chord): boolean {
  const ctrl = press.ctrlKey || press.metaKey;
  if (ctrl !== (chord.ctrl ?? false) || press.altKey !== (chord.alt ?? false)) return false;
  const digit = /^Digit(\d)$/.exec(press.code)?.[1];
  // On some layouts, the key left of 1 is a dead key (accent). It still matches.
  const dead = press.key === 'Dead' && press.code === 'Backquote';
  const key = chord.alt === true && digit !== undefined ? digit : dead ? '`' : press.key;
  if (key.toLowerCase() !== chord.key.toLowerCase()) return false;
  return SHIFT_FREE.test(chord.key) || press.shiftKey === (chord.shift ?? false);
}

/** Returns the shortcut of a key press; null if none matches. */
export function shortcutOf(press: KeyPress, shortcuts: readonly Shortcut[]): Shortcut | null {
  return shortcuts.find((shortcut) => shortcut.chords.some((chord) => hits(press, chord))) ?? null;
}
