import type { Logger } from '../../core/logger.ts';
import type { PlayEvent } from '../../play/plan.ts';
import { copyRecord } from '../../play/record/record-copy.ts';
import { META_COLUMNS } from '../../play/record/row-writer.ts';
import { timeName } from '../../recording/recording-files.ts';
import type { ExplodedOrder } from '../../recording/write-exploded.ts';
import type { LiveSession } from '../play/live-session.ts';

/** Name of the termination that ends an episode whose state is not finite. */
const CAUSE = 'nan_detection';
const LAST_S = 1;
/** Minimum time between two of these files, ms, and maximum number of them per run of the service. */
const PAUSE_MS = 10_000;
const MOST = 10;

export interface ExplodedDeps {
  readonly folder: string;
  readonly logger: Logger;
  live(): LiveSession | null;
  /** Writes the file on another thread. */
  write(order: ExplodedOrder): Promise<void>;
}

/** When the physics of a recorded environment explodes (its state is not finite), saves the last second as a
 *  recording. */
export class Exploded {
  readonly #deps: ExplodedDeps;
  #written = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(deps: ExplodedDeps) {
    this.#deps = deps;
  }

  playEvents(events: readonly PlayEvent[]): void {
    const event = events.find(({ kind, cause }) => kind === 'failure' && cause === CAUSE);
    const live = this.#deps.live();
    const now = performance.now();
    if (!event || !live || this.#written >= MOST || now - this.#lastMs < PAUSE_MS) return;
    const order = this.#orderOf(live, event);
    if (!order) return;
    this.#lastMs = now;
    this.#written += 1;
    const { logger } = this.#deps;
    this.#deps.write(order).then(
      () =>
        logger.warn(`The physics of environment ${event.env} exploded; its last second is the recording ${order.name}`),
      (error: unknown) => logger.warn({ err: error }, `the recording ${order.name} could not be written`),
    );
  }

  #orderOf(live: LiveSession, { env, generation, row, clip, text }: PlayEvent): ExplodedOrder | null {
    const ring = live.recorded(env);
    if (!ring) return null;
    const columns = live.columnsOf(env);
    const { stepS } = live.threads.shapeOf(env);
    const since = { generation, row: Math.max(0, row + 1 - Math.round(LAST_S / stepS)) };
    const copied = copyRecord(ring, columns, since, ({ start, end }, fresh) => ({
      isOther: fresh,
      data: new Float32Array((end - start) * columns.count),
      ref: new Float32Array((end - start) * columns.ref),
      meta: new Float32Array((end - start) * META_COLUMNS),
    }));
    const rows = row + 1 - since.row;
    if (copied.isOther || copied.data.length < rows * columns.count) return null;
    const now = new Date();
    const { facts, physicsPath } = live.plan;
    return {
      folder: this.#deps.folder,
      name: `exploded-${timeName(now)}`,
      robot: facts.id,
      physicsPath,
      bodies: facts.bodies.map((body) => body.name),
      created: now.toISOString(),
      stepS,
      text: [`${live.request.run} · ${live.request.checkpoint || 'zero action'}`, `env ${env} · ${clip} · ${text}`],
      columns,
      joints: facts.joints.length,
      channels: live.channelsOf(env).map(({ id }) => id),
      data: copied.data.slice(0, rows * columns.count),
    };
  }
}
