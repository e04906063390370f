import { badInput, StudioError } from '../../core/errors.ts';
import { HISTORY_S } from '../../play/plan.ts';
import { copyRecord } from '../../play/record/record-copy.ts';
import { type RecordFile, recordRows } from '../../play/record/record-file.ts';
import { META_COLUMNS } from '../../play/record/row-writer.ts';
import { openPlayRecord, type PlayRecordReplyHeader } from '../../protocol/play-record.ts';
import type { QueryOf } from '../../protocol/route.ts';
import type { downloadPlayRecord } from '../../protocol/routes/play.ts';
import type { getPlayPlots } from '../../protocol/routes/plots.ts';

import type { LiveSession } from './live-session.ts';

export interface PlayRecordsDeps {
  /** Returns the running, paused or failed session. @throws conflict if there is none */
  find(): LiveSession;
  /** Formats a record, or some of its rows, on another thread. */
  npz(record: RecordFile): Promise<readonly Uint8Array[]>;
  csv(record: RecordFile, from: number, to: number): Promise<Uint8Array>;
}

/** A record as a downloadable file, which is built while it is sent. */
export interface RecordDownload {
  readonly name: string;
  /** size in bytes; null: not known before the end */
  readonly size: number | null;
  readonly parts: AsyncIterable<Uint8Array>;
}

/** Number of values formatted as text in one batch; the text has a few hundred kB. */
const CSV_NUMBERS = 32_768;

/** Serves the last minute of a session's environments. Rows are copied from shared memory while the session runs. */
export class PlayRecords {
  readonly #deps: PlayRecordsDeps;

  constructor(deps: PlayRecordsDeps) {
    this.#deps = deps;
  }

  /** @param mayRecord whether the call may start the record of an environment that has none @throws conflict if not */
  plots({ env: asked, since, epoch }: QueryOf<typeof getPlayPlots>, mayRecord: boolean): Uint8Array {
    const { live, env } = this.#find(asked, mayRecord);
    const columns = live.columnsOf(env);
    const generation = epoch === undefined ? null : live.generationOf(env, epoch);
    const from = generation === null ? null : { generation, row: since ?? 0 };
    return copyRecord(live.ring(env), columns, from, (range, fresh) => {
      const header: PlayRecordReplyHeader = {
        epoch: live.epochOf(env, range.generation),
        env,
        fps: live.controlHz,
        start: range.start,
        end: range.end,
        fresh,
        cols: { data: columns.count, ref: columns.ref, meta: META_COLUMNS },
        events: live.eventsOf(env, range.generation, range.start, range.end),
        ...(fresh
          ? {
              channels: live.channelsOf(env),
              ref_cols: live.refColsOf(env),
              clips: live.clips,
              history_s: HISTORY_S,
            }
          : {}),
      };
      return openPlayRecord(header);
    }).bytes;
  }

  /** @param mayRecord as for `plots` @throws conflict */
  async file(
    { env: asked, format = 'npz' }: QueryOf<typeof downloadPlayRecord>,
    mayRecord: boolean,
  ): Promise<RecordDownload> {
    const { live, env } = this.#find(asked, mayRecord);
    const columns = live.columnsOf(env);
    const room = (numbers: number) => new Float32Array(new SharedArrayBuffer(4 * numbers));
    const copied = copyRecord(live.ring(env), columns, null, ({ start, end }) => ({
      data: room((end - start) * columns.count),
      ref: room((end - start) * columns.ref),
      meta: room((end - start) * META_COLUMNS),
    }));
    const record = { channels: live.channelsOf(env), refCols: live.refColsOf(env), ...copied };
    const name = `play-${live.id}-env-${env}.${format}`;
    if (format === 'csv') return { name, size: null, parts: this.#csvOf(record) };
    const parts = await this.#deps.npz(record);
    return { name, size: parts.reduce((sum, part) => sum + part.byteLength, 0), parts: inTurn(parts) };
  }

  /** Formats the record as CSV while it is sent. */
  async *#csvOf(record: RecordFile): AsyncGenerator<Uint8Array> {
    const rows = recordRows(record);
    const width = record.channels.length + record.refCols.length + META_COLUMNS;
    const step = Math.max(1, Math.floor(CSV_NUMBERS / width));
    for (let from = 0; from === 0 || from < rows; from += step)
      yield await this.#deps.csv(record, from, Math.min(rows, from + step));
  }

  #find(asked: number | undefined, mayRecord: boolean): { live: LiveSession; env: number } {
    const live = this.#deps.find();
    const env = asked ?? live.focus;
    if (env >= live.request.numEnvs)
      throw badInput(`env: must be from 0 to ${live.request.numEnvs - 1}, the environments of the session`);
    if (!mayRecord && !live.isRecorded(env))
      throw new StudioError(
        'conflict',
        `environment ${env} is not recorded. A client with the control role starts the recording by opening its plots.`,
      );
    return { live, env };
  }
}

async function* inTurn<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
