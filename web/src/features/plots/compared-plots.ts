import type { PlaySession } from '../../../../src/protocol/schemas/play.ts';
import { compared } from '../play/compared-store.ts';
import type { RecordView } from '../play/record-store.ts';
import { entryName } from '../play/shared/entry-name.ts';
import type { Chart, Line } from './channels.ts';
import type { Column, PlotData, PlotSource } from './plot-data.ts';

export { compared };

/** An environment of a comparison in the plots. */
export interface ComparedEnv {
  readonly env: number;
  readonly name: string;
}

/** Factor of the session's epoch in `epoch` of GET /api/plots/play; the remainder is the environment. */
const ENVS = 65_536;

/** Lists the environments of a comparison; null without one. */
export function comparedEnvs(session: PlaySession | null): readonly ComparedEnv[] | null {
  const entries = session?.compare?.entries;
  return entries?.map(({ env }, index) => ({ env, name: entryName(entries, index) })) ?? null;
}

/** Adds the channels of other environments, row by row beside the rows of the focused one. Their ids begin with the
 *  environment. Ends with the last row that all environments have. */
export function withCompared(
  source: PlotSource,
  view: RecordView,
  others: ReadonlyMap<number, RecordView>,
): PlotSource {
  const generation = (epoch: number) => Math.floor(epoch / ENVS);
  const same = [...others.values()].filter(
    (other) => other.rows > 0 && generation(other.epoch) === generation(view.epoch) && other.env !== view.env,
  );
  const end = Math.min(...[view, ...same].map(({ first, rows }) => first + rows));
  const frames = end - view.first;
  if (same.length === 0 || frames < 2) return source;
  const columns = same.flatMap((other): Column[] => {
    const stride = other.channels.length;
    const start = (view.first - other.first) * stride;
    return other.channels.map((_, at) => ({ values: other.data, at: start + at, stride }));
  });
  return {
    ...source,
    frames,
    own: source.channels.length,
    channels: mergedChannels(view, same),
    columns: [...source.columns, ...columns],
    refs: [...source.refs, ...columns.map(() => null)],
  };
}

/** Cache of merged channels by the channels of the focused environment. */
const merged = new WeakMap<object, { readonly parts: readonly object[]; readonly channels: RecordView['channels'] }>();

/** Returns the channels of several records. Returns the same array for the same channels, so that charts are not
 *  rebuilt. */
function mergedChannels(view: RecordView, others: readonly RecordView[]): RecordView['channels'] {
  const parts = others.map(({ channels }) => channels);
  const known = merged.get(view.channels);
  if (known?.parts.length === parts.length && known.parts.every((part, k) => part === parts[k])) return known.channels;
  const added = others.flatMap(({ env, channels }) =>
    channels.map((channel) => ({ ...channel, id: channelOf(env, channel.id) })),
  );
  const channels = [...view.channels, ...added];
  merged.set(view.channels, { parts, channels });
  return channels;
}

function channelOf(env: number, id: string): string {
  return `env ${env}: ${id}`;
}

/** Gives each chart of one channel a line for each environment.
 *  @param focused environment whose channels have ids without a prefix */
export function overlaid(
  charts: readonly Chart[],
  data: PlotData,
  envs: readonly ComparedEnv[],
  focused: number,
): readonly Chart[] {
  return charts.map((chart) => {
    const channel = data.channels[chart.lines[0]?.channel ?? -1];
    if (channel === undefined) return chart;
    const lines = envs.flatMap(({ env, name }): Line[] => {
      const index = data.indexOf(env === focused ? channel.id : channelOf(env, channel.id));
      return index < 0 ? [] : [{ channel: index, label: name, colour: env, env }];
    });
    const { label } = chart.lines[0]!;
    const title = chart.title.toLowerCase().includes(label.toLowerCase()) ? chart.title : `${chart.title}, ${label}`;
    return { ...chart, title, lines };
  });
}
