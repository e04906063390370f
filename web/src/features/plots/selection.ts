import { sideOf } from '../../../../src/protocol/part-sides.ts';
import type { Channel } from '../data/shared/plot-reply.ts';
import type { ClipGroup, Layout } from './channels.ts';

/** The channels and layout chosen for a robot's clips; stored in the browser. */
export interface Choice {
  /** channel ids */
  readonly ids: readonly string[];
  readonly layout: Layout;
  readonly reference: boolean;
}

const LAYOUTS: readonly Layout[] = ['pairs', 'single', 'group'];
const MOST_IDS = 500;

/** Groups of the default channels, shown before the user has chosen any. */
export const DEFAULT_GROUPS: readonly ClipGroup[] = ['root', 'joints', 'feet'];

/** Returns the default channels: height of the root, one pair of joints that moves in every gait, and both feet. */
export function defaultIds(channels: readonly Channel[]): readonly string[] {
  const joints = channels.filter((channel) => channel.id.startsWith('joint.'));
  const feet = channels.filter((channel) => channel.group === 'feet').slice(0, 2);
  const knees = joints.filter((channel) => /knee/i.test(channel.id));
  const names = joints.map(({ name }) => name);
  const sided = joints.filter(({ name }) => sideOf(name, names) !== null);
  const pair = [knees, sided, joints].find((some) => some.length > 0) ?? [];
  const root = channels.filter((channel) => channel.id === 'root.pos.z');
  const total = channels.filter((channel) => channel.id === 'reward.total');
  const ids = [...root, ...pair.slice(0, 2), ...feet, ...total].map((channel) => channel.id);
  return ids.length > 0 ? ids : channels.slice(0, 1).map((channel) => channel.id);
}

export function writeChoice(choice: Choice): string {
  return JSON.stringify(choice);
}

/** Parses the text of `writeChoice`; null for any other text. */
export function readChoice(text: string | null): Choice | null {
  if (text === null) return null;
  try {
    const found = JSON.parse(text) as Partial<Record<keyof Choice, unknown>> | null;
    if (found === null || !Array.isArray(found.ids)) return null;
    const ids = found.ids.filter((id): id is string => typeof id === 'string').slice(0, MOST_IDS);
    return {
      ids,
      layout: LAYOUTS.find((layout) => layout === found.layout) ?? 'pairs',
      reference: found.reference !== false,
    };
  } catch {
    return null; // edited by hand or written by another version: use the defaults
  }
}
