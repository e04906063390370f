import type { EntryList } from './clip-entries.ts';
import type { DatasetSnapshot } from './dataset-snapshot.ts';

/** Orders kept per dataset: enough to page through one and to switch between a few. */
const KEPT = 6;
/** An order is computed anew after this multiple of the time that computing took: at most a twentieth of the time is
 *  spent on it while checks report results. */
const REST_FACTOR = 20;

/** What an order depends on, besides the entries that it sorts. */
export interface OrderBasis {
  readonly snapshot: DatasetSnapshot;
  /** of the index; 0 if the order does not depend on its values */
  readonly revision: number;
  readonly failures: ReadonlyMap<string, string>;
}

interface KeptOrder {
  readonly entries: EntryList;
  readonly basis: OrderBasis;
  readonly order: Promise<EntryList>;
  /** clock time until which another revision may be ignored, ms; infinite while it is computed */
  restUntil: number;
}

/** Keeps filtered and sorted listings. An order whose values in the index changed is served for a short time, and a
 *  change is reported after it. */
export class KeptOrders {
  readonly #orders = new Map<string, KeptOrder>();
  readonly #onLate: () => void;
  #late: NodeJS.Timeout | null = null;

  /** @param onLate called when an order that was served is out of date */
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
    else order.then(report, () => {}); // who computes it gets the error
  }
}
