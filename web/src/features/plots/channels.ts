import { splitSide } from '../../../../src/protocol/part-sides.ts';
import { sentence } from '../../ui/format.ts';
import type { Channel } from '../data/shared/plot-reply.ts';

/** One group of the channel tree. */
export interface ChannelGroup {
  readonly name: string;
  readonly title: string;
  /** remark beside the title that explains how to interpret the values */
  readonly note: string | null;
  readonly channels: readonly Channel[];
}

const GROUPS: Readonly<Record<string, readonly [title: string, note: string | null]>> = {
  root: ['Root', null],
  joints: ['Joints', null],
  torques: ['Torques', 'estimate'],
  actions: ['Actions', null],
  rewards: ['Rewards', null],
  observations: ['Observations', null],
  feet: ['Feet', null],
  velocities: ['Velocities', null],
};

/** Groups channels in the service's order.
 *  @param measured whether torques come from the simulation; the remark about estimated torques is then omitted */
export function groupChannels(channels: readonly Channel[], measured = false): readonly ChannelGroup[] {
  const groups = new Map<string, Channel[]>();
  for (const channel of channels) {
    const group = groups.get(channel.group);
    if (group === undefined) groups.set(channel.group, [channel]);
    else group.push(channel);
  }
  return [...groups].map(([name, members]) => {
    const [title, note] = GROUPS[name] ?? [capital(name), null];
    return { name, title, note: measured ? null : note, channels: members };
  });
}

/** Groups of a clip's channels by the first word of their ids, in the service's order. */
const CLIP_GROUPS = {
  root: 'root',
  ground: 'root',
  joint: 'joints',
  torque: 'torques',
  height: 'feet',
  speed: 'feet',
  vel: 'velocities',
} as const;
export type ClipGroup = (typeof CLIP_GROUPS)[keyof typeof CLIP_GROUPS];
export const ALL_CLIP_GROUPS: readonly ClipGroup[] = [...new Set(Object.values(CLIP_GROUPS))];

/** Returns the groups to request first, so that the channels `ids` are drawn early. Omits torques, which the service
 *  computes most slowly, unless no other group is needed. @returns at least one group */
export function firstGroups(ids: readonly string[]): readonly ClipGroup[] {
  const words = new Set(ids.map((id) => id.split('.', 1)[0]!));
  const groups = [...new Set(Object.entries(CLIP_GROUPS).flatMap(([word, group]) => (words.has(word) ? [group] : [])))];
  const soon = groups.filter((group) => group !== 'torques');
  if (soon.length > 0) return soon;
  return groups.length > 0 ? groups : ['root'];
}

const ROOT_NAME: Readonly<Record<string, string>> = {
  'root.pos': 'Position',
  'root.rpy': 'Rotation',
  'root.vel': 'Velocity',
};

interface Parts {
  /** measured quantity without side and axis */
  readonly subject: string;
  /** side or axis of the channel; null if there is only one */
  readonly member: string | null;
}

/** Splits a channel id: `joint.left_knee_joint` is the member `left` of the subject `knee`.
 *  @param parts names of all joints and bodies, from `partNames` */
function partsOf(id: string, parts: readonly string[]): Parts {
  const root = rootParts(id);
  if (root !== null) return root;
  const element = /^(obs\..+)\[(\d+)\]$/.exec(id);
  if (element !== null) return { subject: element[1]!, member: element[2]! };
  const { side, rest } = splitSide(partName(id), parts);
  return { subject: `${id.slice(0, id.indexOf('.'))}.${rest}`, member: side };
}

function rootParts(id: string): Parts | null {
  const root = /^(root\.(?:pos|rpy|vel))\.(\w+)$/.exec(id);
  return root && { subject: root[1]!, member: root[2]! };
}

/** Returns the joint or body of a channel: `left_knee` for `joint.left_knee_joint`. */
const partName = (id: string) => bareName(id.slice(id.indexOf('.') + 1));

const partNames = (channels: readonly Channel[]) => [...new Set(channels.map(({ id }) => partName(id)))];

/** Returns a name without `_joint`, `_link` and `_body` at its end. */
const bareName = (name: string) => name.replace(/[_.-]?(?:joint|link|body)$/i, '');

/** Returns the channel's name for the tree: the name in the file without `_joint` and `_link`. */
export function channelName(channel: Channel): string {
  const root = rootParts(channel.id);
  if (root !== null) return `${ROOT_NAME[root.subject]!} ${root.member}`;
  if (channel.id.startsWith('ground.')) return sentence(channel.name);
  return bareName(channel.name);
}

/** Returns the unit of a channel. Replaces the service's unit `raw` of velocities by the known unit. */
export function channelUnit(channel: Channel, jointUnit: (name: string) => string | null): string {
  if (channel.unit !== 'raw') return channel.unit;
  if (channel.id.startsWith('root.vel.') || channel.id.startsWith('speed.')) return 'm/s';
  if (!channel.id.startsWith('vel.')) return 'raw';
  const unit = jointUnit(channel.id.slice('vel.'.length));
  return unit === null ? 'raw' : `${unit}/s`;
}

/** Returns whether a channel matches the search: its name, id or group must contain every word. */
export function channelMatches(channel: Channel, query: string): boolean {
  const text = `${channelName(channel)} ${channel.id} ${channel.group}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** How channels are combined into charts: left and right together, one chart per channel, or one chart per group. */
export type Layout = 'pairs' | 'single' | 'group';

/** One line of a chart. */
export interface Line {
  /** index into the clip's channels */
  readonly channel: number;
  readonly label: string;
  /** index of the line colour, 0..7 */
  readonly colour: number;
  /** environment of a comparison that the line belongs to */
  readonly env?: number;
}

export interface Chart {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
}

/** Suffix of a chart title, for groups that show other quantities of the same joints. */
const SUFFIX: Readonly<Record<string, string>> = {
  torque: ' torque',
  vel: ' velocity',
  height: ' height',
  action: ' action',
  reward: ' reward',
  obs: ' observation',
};

/** Distributes the chosen channels to charts, in the service's order. */
export function layCharts(channels: readonly Channel[], chosen: ReadonlySet<string>, layout: Layout): readonly Chart[] {
  const jointUnit = (name: string) => channels.find((channel) => channel.id === `joint.${name}`)?.unit ?? null;
  const parts = partNames(channels);
  const charts = new Map<string, { title: string; unit: string; lines: Line[] }>();
  for (const [index, channel] of channels.entries()) {
    if (!chosen.has(channel.id)) continue;
    const { subject, member } = partsOf(channel.id, parts);
    const unit = channelUnit(channel, jointUnit);
    const key = chartKey(channel, subject, unit, layout);
    let chart = charts.get(key);
    if (chart === undefined) {
      chart = { title: layout === 'group' ? groupTitle(channel) : chartTitle(channel, subject), unit, lines: [] };
      charts.set(key, chart);
    }
    const label = layout === 'group' ? channelName(channel) : (member ?? channelName(channel));
    chart.lines.push({ channel: index, label, colour: colourOf(chart.lines, layout === 'group' ? null : member) });
  }
  return [...charts].map(([key, chart]) => ({ key, ...chart }));
}

function chartKey(channel: Channel, subject: string, unit: string, layout: Layout): string {
  if (layout === 'single') return channel.id;
  if (layout === 'group') return `${channel.group} ${unit}`;
  // Give the height a separate chart, because it changes by centimetres, but x and y by metres.
  return channel.id === 'root.pos.z' ? channel.id : `${subject} ${unit}`;
}

function groupTitle(channel: Channel): string {
  return GROUPS[channel.group]?.[0] ?? capital(channel.group);
}

function chartTitle(channel: Channel, subject: string): string {
  const root = ROOT_NAME[subject];
  if (root !== undefined) return `Root ${root.toLowerCase()}`;
  const dot = subject.indexOf('.');
  if (dot < 0) return capital(channel.name);
  return capital(wordsOf(subject.slice(dot + 1))) + (SUFFIX[subject.slice(0, dot)] ?? '');
}

/** Returns the line colour: the first for left, the second for right; other members follow their order in the chart. */
function colourOf(before: readonly Line[], member: string | null): number {
  if (member === 'left') return 0;
  if (member === 'right') return 1;
  return before.length % 8;
}

/** Separates the words of a name, such as `HipYaw` or `hip-roll`, by spaces. */
function wordsOf(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_.\-\s]+/g, ' ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
