import { badInput, StudioError } from '../../core/errors.ts';
import { HISTORY_S } from '../../play/plan.ts';
import { copyRecord } from '../../play/record/record-copy.ts';
import type { RecordFile } from '../../play/record/record-file.ts';
import { META_COLUMNS } from '../../play/record/row-writer.ts';
import { openPlayRecord, type PlayRecordReplyHeader } from '../../protocol/play-record.ts';
import type { QueryOf } from '../../protocol/route.ts';
import type { downloadPlayRecord } from '../../protocol/routes/play.ts';
import type { getPlayPlots } from '../../protocol/routes/plots.ts';
import type { PlayRecords as PlayRecordsContract } from '../studio.ts';
import type { LiveSession } from './live-session.ts';

export interface PlayRecordsDeps {
  /** the session that stands */
  live(): LiveSession | null;
  /** Not on this thread. */
  format(record: RecordFile, format: 'npz' | 'csv'): Promise<Uint8Array>;
}

/** The last minute of a session's environments, copied out of shared memory: nobody waits for a step. */
export class PlayRecords implements PlayRecordsContract {
  readonly #deps: PlayRecordsDeps;

  constructor(deps: PlayRecordsDeps) {
    this.#deps = deps;
  }

  plots({ env: asked, since, epoch }: QueryOf<typeof getPlayPlots>): Uint8Array {
    const { live, env } = this.#find(asked);
    const generation = epoch === undefined ? null : live.generationOf(env, epoch);
    const from = generation === null ? null : { generation, row: since ?? 0 };
    return copyRecord(live.ring(env), live.columns, from, (range, fresh) => {
      const header: PlayRecordReplyHeader = {
        epoch: live.epochOf(env, range.generation),
        env,
        fps: live.controlHz,
        start: range.start,
        end: range.end,
        fresh,
        cols: { data: live.columns.count, ref: live.columns.ref, meta: META_COLUMNS },
        events: live.eventsOf(env, range.generation, range.start, range.end),
        ...(fresh ? { channels: live.channels, ref_cols: live.refCols, clips: live.clips, history_s: HISTORY_S } : {}),
      };
      return openPlayRecord(header);
    }).bytes;
  }

  async file({
    env: asked,
    format = 'npz',
  }: QueryOf<typeof downloadPlayRecord>): Promise<{ bytes: Uint8Array; name: string }> {
    const { live, env } = this.#find(asked);
    const { columns, channels, refCols } = live;
    const { data, ref, meta } = copyRecord(live.ring(env), columns, null, ({ start, end }) => ({
      data: new Float32Array((end - start) * columns.count),
      ref: new Float32Array((end - start) * columns.ref),
      meta: new Float32Array((end - start) * META_COLUMNS),
    }));
    const bytes = await this.#deps.format({ channels, refCols, data, ref, meta }, format);
    return { bytes, name: `play-${live.id}-env-${env}.${format}` };
  }

  #find(asked: number | undefined): { live: LiveSession; env: number } {
    const live = this.#deps.live();
    if (!live) throw new StudioError('conflict', 'there is no play session: start one with POST /api/play/configure');
    const env = asked ?? live.focus;
    if (env >= live.request.numEnvs)
      throw badInput(`env: the session has the environments 0 to ${live.request.numEnvs - 1}`);
    return { live, env };
  }
}
