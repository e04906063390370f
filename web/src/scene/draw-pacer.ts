/** Decides when and how finely to draw so that drawing never holds up the stream.
 *
 *  At most one picture is under way. Where pictures are slow (a software renderer, a weak device) moving ones are drawn
 *  more coarsely, and between two of them the machine rests long enough for everything else; a scene that stands still
 *  is then drawn once more at full resolution. */
export class DrawPacer {
  /** shares of full resolution, from the finest */
  readonly #levels: readonly number[];
  #level: number;
  #average = 0;
  #underWay = false;
  #issued = Number.NEGATIVE_INFINITY;
  #restUntil = Number.NEGATIVE_INFINITY;
  #changed = 0;
  #heldUntil = Number.NEGATIVE_INFINITY;

  /** @param slow begins coarse: the renderer is known to be software */
  constructor(slow = false, levels: readonly number[] = [1, 0.75, 0.5]) {
    this.#levels = levels;
    this.#level = slow ? levels.length - 1 : 0;
  }

  /** Share of full resolution for moving pictures. */
  get scale(): number {
    return this.#levels[this.#level] ?? 1;
  }

  /** ms a picture takes, smoothed */
  get pictureMs(): number {
    return this.#average;
  }

  get underWay(): boolean {
    return this.#underWay;
  }

  /** @param now ms */
  mayDraw(now: number): boolean {
    return !this.#underWay && now >= this.#restUntil;
  }

  issued(now: number): void {
    this.#underWay = true;
    this.#issued = now;
  }

  /** The picture issued last is done. @param counts false for one of full resolution, which says nothing of moving ones */
  completed(now: number, counts = true): void {
    if (!this.#underWay) return;
    this.#underWay = false;
    const took = now - this.#issued;
    if (!counts) {
      this.#restUntil = Number.NEGATIVE_INFINITY;
      return;
    }
    this.#average = this.#average === 0 ? took : this.#average + 0.2 * (took - this.#average);
    this.#restUntil = took > SLOW_MS ? now + Math.min(MAX_REST_MS, REST_SHARE * took) : Number.NEGATIVE_INFINITY;
    this.#adapt(now);
  }

  /** A picture whose completion nobody tells (its context was lost). */
  abandon(): void {
    this.#underWay = false;
  }

  #adapt(now: number): void {
    if (now - this.#changed < SETTLE_MS) return;
    if (this.#average > COARSER_MS && this.#level < this.#levels.length - 1) {
      this.#level += 1;
      this.#heldUntil = now + HOLD_MS; // this level was needed: finer ones are not tried again soon
    } else if (this.#average < FINER_MS && this.#level > 0 && now > this.#heldUntil) this.#level -= 1;
    else return;
    this.#changed = now;
    this.#average = 0;
  }
}

/** Above this a picture costs more than two of the display's. */
const SLOW_MS = 34;
/** Rest after a slow picture, as a share of its time. */
const REST_SHARE = 1;
/** The first picture waits for compilers: what it took says little. */
const MAX_REST_MS = 300;
const COARSER_MS = 45;
const FINER_MS = 17;
/** Between two changes of level, ms: the average must speak of the new one. */
const SETTLE_MS = 700;
const HOLD_MS = 30_000;
