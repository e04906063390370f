import type { EntryList } from './clip-entries.ts';
import type { DatasetSnapshot } from './dataset-snapshot.ts';

/** Maximum number of cached orders per dataset. Enough to page through one order and to switch between a few. */
const KEPT = 6;
/** A cached order may be used for this multiple of the time that its computation took. While checks report results,
 *  sorting therefore takes at most a twentieth of the time. */
const REST_FACTOR = 20;

/** The inputs of an order, besides the sorted entries. */
export interface OrderBasis {
  readonly snapshot: DatasetSnapshot;
  /** revision of the index; 0 if the order does not depend on values in the index */
  readonly revision: number;
  readonly failures: ReadonlyMap<string, string>;
}

interface KeptOrder {
  readonly entries: EntryList;
  readonly basis: OrderBasis;
  readonly order: Promise<EntryList>;
  /** clock time until which a new revision of the index is ignored, ms; infinite during the computation */
  restUntil: number;
}

/** Caches filtered and sorted listings. If values in the index change, the old order is returned for a short time.
 *  After this time, the change is reported. */
export class KeptOrders {
  readonly #orders = new Map<string, KeptOrder>();
  readonly #onLate: () => void;
  #late: NodeJS.Timeout | null = null;

  /** @param onLate called when a previously returned order is out of date */
  constructor(onLate: () => void) {
    this.#onLate = onLate;
  }

  async get(entries: EntryList, key: string, basis: OrderBasis, compute: () => Promise<EntryList>): Promise<EntryList> {
    const kept = this.#orders.get(key);
    const { snapshot, failures, revision } = basis;
    const isSame =
      kept?.entries === entries &&
      kept.basis.failures === failures &&
      kept.basis.snapshot.config.marksDigest === snapshot.config.marksDigest;
    if (kept && isSame) {
      if (kept.basis.revision === revision) return kept.order;
      if (performance.now() < kept.restUntil) {
        this.#reportLate(kept);
        return kept.order;
      }
    }
    const start = performance.now();
    const order = compute();
    const next: KeptOrder = { entries, basis, order, restUntil: Number.POSITIVE_INFINITY };
    this.#orders.delete(key);
    this.#orders.set(key, next);
    for (const oldest of this.#orders.keys()) if (this.#orders.size > KEPT) this.#orders.delete(oldest);
    try {
      return await order;
    } catch (error) {
      this.#orders.delete(key);
      throw error;
    } finally {
      const now = performance.now();
      next.restUntil = now + REST_FACTOR * (now - start);
    }
  }

  close(): void {
    if (this.#late) clearTimeout(this.#late);
    this.#late = null;
    this.#orders.clear();
  }

  #reportLate({ order, restUntil }: KeptOrder): void {
    if (this.#late) return;
    const report = () => {
      this.#late = null;
      this.#onLate();
    };
    if (Number.isFinite(restUntil)) this.#late = setTimeout(report, restUntil - performance.now()).unref();
    else order.then(report, () => {}); // the caller that computes the order handles the error
  }
}
