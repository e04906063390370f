/** Everything a key can ask for. */
export type Command =
  | 'play'
  | 'step-forward'
  | 'step-back'
  | 'second-forward'
  | 'second-back'
  | 'first'
  | 'last'
  | 'marker-previous'
  | 'marker-next'
  | 'clip-previous'
  | 'clip-next'
  | 'faster'
  | 'slower'
  | 'real-time'
  | 'camera'
  | 'frame-all'
  | 'contacts'
  | 'ghost'
  | 'restart'
  | 'tint'
  | 'alone'
  | 'push'
  | 'area-1'
  | 'area-2'
  | 'area-3'
  | 'area-4'
  | 'area-5'
  | 'area-6'
  | 'plots'
  | 'search'
  | 'copy-link'
  | 'palette'
  | 'help'
  | 'close';

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
  /** as printed in the overview */
  readonly keys: readonly string[];
  readonly chords: readonly Chord[];
  /** a single key that rests while typing and can be switched off */
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

const toArea = (command: Command, text: string, digit: string): Shortcut => ({
  command,
  group: 'Page',
  text,
  keys: ['Alt', digit],
  chords: [{ key: digit, alt: true }],
  single: false,
});

/** The one map of keys: what works, and what the overview prints. */
export const SHORTCUTS: readonly Shortcut[] = [
  one('play', 'Playback', 'Play or pause', ['Space'], { key: ' ' }),
  one('step-back', 'Playback', 'One frame back; in Play, freeze and go back', ['←'], { key: 'ArrowLeft' }),
  one('step-forward', 'Playback', 'One frame forward; in Play, one step', ['→'], { key: 'ArrowRight' }),
  one('second-back', 'Playback', 'One second back', ['Shift', '←'], { key: 'ArrowLeft', shift: true }),
  one('second-forward', 'Playback', 'One second forward', ['Shift', '→'], { key: 'ArrowRight', shift: true }),
  one('first', 'Playback', 'First frame', ['Home'], { key: 'Home' }),
  one('last', 'Playback', 'Last frame', ['End'], { key: 'End' }),
  one('marker-previous', 'Playback', 'Previous marker', [','], { key: ',' }),
  one('marker-next', 'Playback', 'Next marker', ['.'], { key: '.' }),
  one('clip-previous', 'Playback', 'Previous clip or environment', ['['], { key: '[' }),
  one('clip-next', 'Playback', 'Next clip or environment', [']'], { key: ']' }),
  one('restart', 'Playback', 'Restart every environment', ['R'], { key: 'r' }),
  one('push', 'Playback', 'Push the robot', ['P'], { key: 'p' }),
  one('faster', 'Playback', 'Faster', ['+'], { key: '+' }, { key: '=' }),
  one('slower', 'Playback', 'Slower', ['−'], { key: '-' }),
  one('real-time', 'Playback', 'Real time', ['1'], { key: '1' }),
  one('camera', 'View', 'Camera: free, follow, follow heading', ['F'], { key: 'f' }),
  one('frame-all', 'View', 'Frame all', ['A'], { key: 'a' }),
  one('contacts', 'View', 'Contacts', ['C'], { key: 'c' }),
  one('tint', 'View', 'Tint bodies by their error', ['E'], { key: 'e' }),
  one('alone', 'View', 'Hide the other environments', ['H'], { key: 'h' }),
  one('ghost', 'View', 'Ghost: the raw source, the reference', ['G'], { key: 'g' }),
  toArea('area-1', 'Robots', '1'),
  toArea('area-2', 'Data', '2'),
  toArea('area-3', 'Tasks', '3'),
  toArea('area-4', 'Train', '4'),
  toArea('area-5', 'Play', '5'),
  toArea('area-6', 'Status', '6'),
  one('plots', 'Page', 'Plots of the open clip or environment', ['`'], { key: '`' }),
  one('search', 'Page', 'Search clips', ['/'], { key: '/' }),
  one('copy-link', 'Page', 'Copy a link to this view', ['Y'], { key: 'y' }),
  {
    command: 'palette',
    group: 'Page',
    text: 'Find or run anything',
    keys: ['Ctrl', 'K'],
    chords: [{ key: 'k', ctrl: true }],
    single: false,
  },
  one('help', 'Page', 'This overview', ['?'], { key: '?' }),
  {
    command: 'close',
    group: 'Page',
    text: 'Close the topmost thing',
    keys: ['Esc'],
    chords: [{ key: 'Escape' }],
    single: false,
  },
];

/** What of a keyboard event decides. */
export interface KeyPress {
  readonly key: string;
  /** physical key, for Alt+digit on layouts where Alt changes the character */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Characters that need Shift on some layouts: there Shift does not count. */
const SHIFT_FREE = /^[^a-z\s]$/i;

function hits(press: KeyPress, chord: Chord): boolean {
  const ctrl = press.ctrlKey || press.metaKey;
  if (ctrl !== (chord.ctrl ?? false) || press.altKey !== (chord.alt ?? false)) return false;
  const digit = /^Digit(\d)$/.exec(press.code)?.[1];
  // the key left of 1 waits for a second key on layouts where it makes an accent
  const dead = press.key === 'Dead' && press.code === 'Backquote';
  const key = chord.alt === true && digit !== undefined ? digit : dead ? '`' : press.key;
  if (key.toLowerCase() !== chord.key.toLowerCase()) return false;
  return SHIFT_FREE.test(chord.key) || press.shiftKey === (chord.shift ?? false);
}

/** The shortcut a key press means; null when it means none. */
export function shortcutOf(press: KeyPress): Shortcut | null {
  return SHORTCUTS.find((shortcut) => shortcut.chords.some((chord) => hits(press, chord))) ?? null;
}
