import type { PlaySession } from '../../../../src/protocol/schemas/play.ts';
import type { RecordView } from '../play/record-ring.ts';
import { entryName } from '../play/shared/entry-name.ts';
import type { Chart, Line } from './channels.ts';
import type { PlotData, PlotSource } from './plot-data.ts';

/** An environment of a comparison in the plots. */
export interface ComparedEnv {
  readonly env: number;
  readonly name: string;
}

/** Number of environments that an epoch of a session is multiplied by: see `epoch` of GET /api/plots/play. */
const ENVS = 65_536;

/** Lists the environments of a comparison; null without one. */
export function comparedEnvs(session: PlaySession | null): readonly ComparedEnv[] | null {
  const entries = session?.compare?.entries;
  return entries?.map(({ env }, index) => ({ env, name: entryName(entries, index) })) ?? null;
}

/** Returns the source of the focused environment's record. */
export function recordSource(view: RecordView, still: boolean): PlotSource {
  return {
    title: `Env ${view.env}`,
    fps: view.fps,
    frames: view.rows,
    channels: view.channels,
    columns: view.channels.map((_, at) => ({ values: view.data, at, stride: view.channels.length })),
    refLabel: view.refStride > 0 ? 'reference' : null,
    refs: view.refColumn.map((at) => (at < 0 ? null : { values: view.ref, at, stride: view.refStride })),
    nowLabel: still ? '0 s' : 'live',
  };
}

/** Adds the channels of other environments, row by row beside those of the focused one. Their ids begin with the
 *  environment. Ends with the last row that all have. */
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
  const added = same.flatMap((other) => {
    const stride = other.channels.length;
    const start = (view.first - other.first) * stride;
    return other.channels.map((channel, at) => ({
      channel: { ...channel, id: channelOf(other.env, channel.id) },
      column: { values: other.data, at: start + at, stride },
    }));
  });
  return {
    ...source,
    frames,
    own: source.channels.length,
    channels: [...source.channels, ...added.map(({ channel }) => channel)],
    columns: [...source.columns, ...added.map(({ column }) => column)],
    refs: [...source.refs, ...added.map(() => null)],
  };
}

function channelOf(env: number, id: string): string {
  return `env ${env}: ${id}`;
}

/** Gives each chart of one channel a line for each environment. @param focused environment whose channels have their
 *  plain ids */
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
    return { ...chart, lines };
  });
}
