/** Decides when and at which resolution to draw, so that drawing never delays the stream.
 *
 *  At most one picture is in progress. If pictures are slow (a software renderer, a weak device), moving pictures are
 *  drawn at a lower resolution. A pause after each slow picture leaves time for other work. When the scene stops
 *  changing, it is drawn once more at full resolution. */
export class DrawPacer {
  /** shares of full resolution, from the finest to the coarsest */
  readonly #levels: readonly number[];
  #level: number;
  #average = 0;
  #underWay = false;
  #issued = Number.NEGATIVE_INFINITY;
  #restUntil = Number.NEGATIVE_INFINITY;
  #changed = 0;
  #heldUntil = Number.NEGATIVE_INFINITY;

  /** @param slow start at the coarsest level, for a known software renderer */
  constructor(slow = false, levels: readonly number[] = [1, 0.75, 0.5]) {
    this.#levels = levels;
    this.#level = slow ? levels.length - 1 : 0;
  }

  /** Share of full resolution at which moving pictures are drawn. */
  get scale(): number {
    return this.#levels[this.#level] ?? 1;
  }

  /** drawing time of a picture, smoothed, ms */
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

  /** Marks the last issued picture as completed.
   *  @param counts false for a picture at full resolution, whose time is not typical of moving pictures and is
   *  ignored */
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

  /** Stops waiting for a picture whose completion will not be reported, because the WebGL context was lost. */
  abandon(): void {
    this.#underWay = false;
  }

  #adapt(now: number): void {
    if (now - this.#changed < SETTLE_MS) return;
    if (this.#average > COARSER_MS && this.#level < this.#levels.length - 1) {
      this.#level += 1;
      this.#heldUntil = now + HOLD_MS; // Finer levels were too slow, so wait before trying them again.
    } else if (this.#average < FINER_MS && this.#level > 0 && now > this.#heldUntil) this.#level -= 1;
    else return;
    this.#changed = now;
    this.#average = 0;
  }
}

/** A picture is slow if it takes longer than this, which is more than two refreshes of a 60 Hz display, ms. */
const SLOW_MS = 34;
/** Pause after a slow picture, as a share of its drawing time. */
const REST_SHARE = 1;
/** Limit of the pause, ms. The first picture includes shader compilation, so its time is not typical of later
 *  pictures. */
const MAX_REST_MS = 300;
const COARSER_MS = 45;
const FINER_MS = 17;
/** Minimum time between two changes of level, ms. The average then describes the new level. */
const SETTLE_MS = 700;
const HOLD_MS = 30_000;
