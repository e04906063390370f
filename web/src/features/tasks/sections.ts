import type { Knob } from '../../../../src/protocol/schemas/presets.ts';
import { termPathOf } from './term-paths.ts';

/** A term, or a knob that does not belong to a term. */
export interface Item {
  /** path of the term, or of the knob */
  readonly path: string;
  readonly isTerm: boolean;
  /** path that is shown in grey before the name: `motion / rsi` */
  readonly place: string;
  readonly name: string;
  readonly description: string;
  /** knobs that are shown by default */
  readonly main: readonly Knob[];
  /** knobs that are shown on request */
  readonly more: readonly Knob[];
}

export interface Section {
  readonly key: string;
  readonly title: string;
  readonly items: readonly Item[];
  /** path where terms can be added; null if none can be added */
  readonly container: string | null;
  /** true if the section is open at first */
  readonly open: boolean;
}

interface Term {
  readonly path: string;
  readonly description: string;
}

const TITLES: Readonly<Record<string, string>> = {
  rewards: 'Rewards',
  terminations: 'Terminations',
  events: 'Events',
  scene: 'Scene',
  commands: 'Motion command',
  actions: 'Actions',
  sim: 'Physics',
  episode: 'Episode',
  agent: 'Learning',
};
const OPEN: ReadonlySet<string> = new Set(['observations.actor', 'rewards', 'terminations', 'events', 'scene']);
const ORDER = ['observations.actor', 'observations', ...Object.keys(TITLES)];

/** Returns the section to which a path belongs: `observations.actor`, `rewards`, `episode`. */
function sectionOf(path: string): string {
  const [first = '', second = ''] = path.split('.');
  if (first === 'observations') return `observations.${second}`;
  return first === 'episode_length_s' || first === 'decimation' ? 'episode' : first;
}

/** Groups knobs for the editor: by section, then by term. */
export function sectionsOf(knobs: readonly Knob[], terms: readonly Term[]): readonly Section[] {
  const descriptions = new Map(terms.map((term) => [term.path, term.description]));
  const sections = new Map<string, Map<string, Knob[]>>();
  for (const knob of knobs) {
    const key = sectionOf(knob.path);
    const items = sections.get(key) ?? new Map<string, Knob[]>();
    sections.set(key, items);
    const path = termPathOf(knob.path) ?? knob.path;
    items.set(path, [...(items.get(path) ?? []), knob]);
  }
  return [...sections]
    .map(
      ([key, items]): Section => ({
        key,
        title: titleOf(key),
        // Terms come before other knobs; added terms come last among the terms.
        items: [...items]
          .map(([path, own]) => itemOf(path, own, descriptions.get(path)))
          .sort((a, b) => Number(b.isTerm) - Number(a.isTerm)),
        container: containerOf(key),
        open: OPEN.has(key),
      }),
    )
    .sort((a, b) => rank(a.key) - rank(b.key));
}

function titleOf(key: string): string {
  if (!key.startsWith('observations.')) return TITLES[key] ?? key;
  const group = key.slice('observations.'.length);
  return `${group.charAt(0).toUpperCase()}${group.slice(1)} observations`;
}

function containerOf(key: string): string | null {
  if (key.startsWith('observations.')) return `${key}.terms`;
  return key === 'rewards' || key === 'terminations' || key === 'events' ? key : null;
}

function rank(key: string): number {
  const at = ORDER.indexOf(key);
  return at >= 0 ? at : ORDER.indexOf(key.split('.')[0] ?? '');
}

function itemOf(path: string, knobs: readonly Knob[], description: string | undefined): Item {
  const keys = path.split('.');
  const name = keys.at(-1) ?? path;
  const isTerm = termPathOf(path) === path;
  if (!isTerm) {
    const place = keys
      .slice(1, -1)
      .filter((key) => key !== 'joint_pos')
      .join(' / ');
    return { path, isTerm, place, name, description: knobs[0]?.description ?? '', main: knobs, more: [] };
  }
  const main = knobs.filter((knob) => isMain(path, knob, knobs));
  const shown = main.length > 0 ? main : knobs.slice(0, 1);
  return {
    path,
    isTerm,
    place: '',
    name,
    description: description ?? '',
    main: shown,
    more: knobs.filter((knob) => !shown.includes(knob)),
  };
}

/** Returns true if a knob is shown by default, because it is often changed. */
function isMain(term: string, knob: Knob, all: readonly Knob[]): boolean {
  const name = knob.path.slice(term.length + 1);
  const value = (other: string) => all.find(({ path }) => path === `${term}.${other}`)?.value;
  if (term.startsWith('rewards.')) return name === 'weight';
  if (term.startsWith('terminations.')) return name.startsWith('params.') && knob.type === 'number';
  if (term.startsWith('events.'))
    return name.startsWith('params.')
      ? knob.type !== 'enum'
      : name === 'interval_range_s' && value('mode') === 'interval';
  const isNoisy = value('noise.n_max') !== 0;
  return isNoisy ? name === 'noise_scale' : name === 'history_length';
}

/** Returns the part of a knob's path that its row shows after the name of the term: `weight`, or `std` for
 *  `params.std`. */
export function knobName(item: Item, knob: Knob): string {
  if (!item.isTerm) return '';
  return knob.path.slice(item.path.length + 1).replace(/^params\./, '');
}
