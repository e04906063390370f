/** The pace of the stream, as the fan-out measures it; all clients share it. */
export interface Pace {
  /** ms between two frames, at most `SLOWEST_MS` */
  intervalMs: number;
  /** size of the latest frame */
  bytes: number;
  /** When the latest round of sending began and ended. No answer can be read between. */
  roundFromMs: number;
  roundToMs: number;
  /** How late the service itself currently is, ms: a busy event loop reads confirmations late, and no client is to blame */
  ownDelayMs: number;
}

/** Share of the service's own delay that is kept from one frame to the next. */
const OWN_DELAY_KEPT = 0.95;
/** Most of it that is taken into account, ms. A loop that is busy for longer cannot serve a live stream anyway. */
const OWN_DELAY_MOST_MS = 250;

/** By stage: every how many frames a ping follows, and how many frames may be unconfirmed. Stage 0 is for clients that
 *  take longer for a frame than the next one needs to come; the last for those that always keep up. */
const STRIDE = [1, 1, 2, 4, 8, 16, 32, 64] as const;
const WINDOW = [1, 2, 4, 7, 11, 20, 38, 74] as const;
const FIRST_STAGE = 1;
/** Frame bytes that may be sent without a ping between them: they are what a client that suddenly slows down is behind. */
const BLIND_BYTES = 1 << 20;
/** Unconfirmed frames of a client that acknowledges them itself. */
const ACK_WINDOW = 2;
/** A confirmation that comes within so many frame intervals is prompt: with a window of two the client then gets every
 *  frame, while one that needs longer for a frame than the next takes to come answers later. */
const PROMPT_FRAMES = 2;
/** Below this a confirmation is prompt at any frame rate, ms. */
const PROMPT_MS = 8;
/** Times that: a confirmation later than this costs a client that kept up a stage. */
const LATE = 2;
/** One that is later than this costs all stages, ms. */
const FAR_TOO_LATE_MS = 250;
/** As many in a row that are not prompt mean a queue that does not empty: the client falls to stage 0. Fewer may be
 *  anybody's fault, and pings for all make a machine that is overloaded slower still. By stage, as above. */
const LATE_RUN = [1, 2, 3, 3, 3, 3, 3, 3] as const;
const SLOWEST_MS = 33;
/** Prompt confirmations that lift a client by a stage; doubled by each fall, up to the most. */
const STREAK = 4;
const STREAK_MOST = 16;
/** Weight of the latest confirmation in the average transfer time. */
const NEWEST = 0.25;
/** A round trip is measured anew this often for a client of stage 0, ms. */
const PROBE_EVERY_MS = 5000;
/** A longer round trip is taken for a client that was busy when it was measured, ms. */
const ROUND_TRIP_MOST_MS = 250;
/** Most that strides and windows grow at high frame rates. */
const SCALE_MOST = 4;
/** Above every window. */
const RING = 512;

/** What must follow a frame that was sent. */
export const NO_PING = 0;

/** How many frames may be on their way to one client. The kernel takes megabytes of a slow client's frames without a
 *  word, so only what the client itself confirms counts: by `ack` messages, else by pongs. A ping follows each frame of
 *  a slow client, and only one in a megabyte of one that keeps up: a ping and its pong cost as much as 40 KB of frame. */
export class FrameCredit {
  readonly #pace: Pace;
  /** Of the frame with the same count (mod RING): its sequence number, and when its ping left. */
  readonly #seqs = new Float64Array(RING);
  readonly #pingedMs = new Float64Array(RING);
  #sent = 0;
  #confirmed = 0;
  #pinged = 0;
  #acks = false;
  #stage: number = FIRST_STAGE;
  #window: number = WINDOW[FIRST_STAGE];
  #stride: number = STRIDE[FIRST_STAGE];
  #streak = 0;
  #streakNeeded = STREAK;
  /** ms of an empty round trip */
  #roundTripMs = 0;
  /** ms that one frame takes, beside the round trip */
  #transferMs = 0;
  /** Confirmations in a row that were not prompt; those that come at once, after one delay, count as one. */
  #lateRun = 0;
  #lateAtMs = Number.NEGATIVE_INFINITY;
  #probedMs = Number.NEGATIVE_INFINITY;
  #probing = false;

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  get unconfirmed(): number {
    return this.#sent - this.#confirmed;
  }

  /** Whether the client confirms by `ack`. */
  get acks(): boolean {
    return this.#acks;
  }

  get stage(): number {
    return this.#stage;
  }

  /** Whether one more frame may be sent. */
  get open(): boolean {
    return this.#sent - this.#confirmed < this.#window;
  }

  /** Whether the round trip is to be measured before the next frame. */
  probeDue(nowMs: number): boolean {
    return !this.#acks && this.#stage === 0 && this.unconfirmed === 0 && nowMs - this.#probedMs > PROBE_EVERY_MS;
  }

  probeSent(nowMs: number): void {
    this.#probedMs = nowMs;
    this.#probing = true;
  }

  probeReturned(nowMs: number): void {
    if (!this.#probing) return;
    this.#probing = false;
    this.#roundTripMs = Math.min(nowMs - this.#probedMs, ROUND_TRIP_MOST_MS);
  }

  /** A frame was sent. @returns the tag of the ping to send after it, or NO_PING */
  frameSent(seq: number): number {
    this.#sent += 1;
    this.#seqs[this.#sent % RING] = seq;
    if (this.#acks || this.#sent - this.#pinged < this.#stride) return NO_PING;
    this.#pinged = this.#sent;
    return this.#sent;
  }

  pingSent(tag: number, nowMs: number): void {
    this.#pingedMs[tag % RING] = nowMs;
  }

  /** A frame waits because too many are unconfirmed: the client does not keep up.
   *  @returns the tag of a ping to send, or NO_PING. Without it the frames after the last ping would never be confirmed */
  held(): number {
    if (this.#acks) return NO_PING;
    if (this.#pinged === this.#sent) return NO_PING;
    this.#pinged = this.#sent;
    return this.#sent;
  }

  /** The pong of a frame's ping came. @returns whether it confirms anything */
  pong(tag: number, nowMs: number): boolean {
    if (this.#acks || tag <= this.#confirmed || tag > this.#pinged) return false;
    const frames = tag - this.#confirmed;
    this.#confirmed = tag;
    const tookMs = nowMs - this.#answerableMs(this.#pingedMs[tag % RING]!);
    this.#roundTripMs = Math.min(this.#roundTripMs, tookMs);
    const lateMs = tookMs - this.#roundTripMs;
    if (this.#stage === 0) this.#transferMs += NEWEST * (lateMs / frames - this.#transferMs);
    const promptMs = Math.max(PROMPT_FRAMES * this.#pace.intervalMs, PROMPT_MS) + this.#pace.ownDelayMs;
    if (lateMs < promptMs) {
      this.#lateRun = 0;
      this.#prompt(nowMs);
    } else if (nowMs - this.#lateAtMs > promptMs) this.#late(lateMs, promptMs, nowMs);
    return true;
  }

  /** The client says that it has taken frame `seq`: from now on its word counts instead of pongs.
   *  @returns whether it was a frame on its way to this client */
  ack(seq: number): boolean {
    // A number beyond what was sent is no acknowledgement.
    if (this.#sent === 0 || seq > this.#seqs[this.#sent % RING]!) return false;
    const oldest = this.#acks ? this.#confirmed : Math.max(0, this.#sent - RING + 1);
    let confirmed = this.#sent;
    while (confirmed > oldest && this.#seqs[confirmed % RING]! > seq) confirmed -= 1;
    if (confirmed === oldest) return false;
    this.#acks = true;
    this.#window = ACK_WINDOW;
    this.#confirmed = confirmed;
    return true;
  }

  /** From when on the answer to a ping can have been taken: not while the round that it was part of went on. */
  #answerableMs(pingedMs: number): number {
    const { roundFromMs, roundToMs } = this.#pace;
    return pingedMs >= roundFromMs && pingedMs < roundToMs ? roundToMs : pingedMs;
  }

  #late(lateMs: number, promptMs: number, nowMs: number): void {
    this.#lateRun += 1;
    this.#lateAtMs = nowMs;
    if (this.#lateRun >= LATE_RUN[this.#stage]! || lateMs > FAR_TOO_LATE_MS + this.#pace.ownDelayMs) this.#fall(nowMs);
    else if (this.#stage > FIRST_STAGE && lateMs > LATE * promptMs) this.#enter(this.#stage - 1, nowMs);
    else this.#size(nowMs);
  }

  #fall(nowMs: number): void {
    if (this.#stage > 0) this.#streakNeeded = Math.min(STREAK_MOST, 2 * this.#streakNeeded);
    this.#enter(0, nowMs);
  }

  #prompt(nowMs: number): void {
    this.#streak += 1;
    if (this.#streak < this.#streakNeeded) {
      this.#size(nowMs);
      return;
    }
    const next = this.#stage + 1;
    if (next < STRIDE.length && this.#strideOf(next) * this.#pace.bytes <= BLIND_BYTES) {
      this.#enter(next, nowMs);
      return;
    }
    this.#streakNeeded = Math.max(STREAK, this.#streakNeeded / 2);
    this.#streak = 0;
    this.#size(nowMs);
  }

  #enter(stage: number, nowMs: number): void {
    this.#stage = stage;
    this.#streak = 0;
    this.#size(nowMs);
  }

  /** Stride and window of the stage. A round trip's worth of frames may be on their way beside them, so that a client
   *  that is far but quick gets every frame; not while the round trip is to be measured, for which the way must be empty. */
  #size(nowMs: number): void {
    while (this.#stage > 1 && this.#strideOf(this.#stage) * this.#pace.bytes > BLIND_BYTES) this.#stage -= 1;
    const measure = this.#stage === 0 && nowMs - this.#probedMs > PROBE_EVERY_MS;
    const ahead = measure ? 0 : Math.floor(this.#roundTripMs / Math.max(this.#pace.intervalMs, this.#transferMs));
    this.#stride = this.#strideOf(this.#stage);
    this.#window = Math.min(RING - 1, WINDOW[this.#stage]! * (this.#stage === 0 ? 1 : this.#scale()) + ahead);
  }

  #strideOf(stage: number): number {
    return stage > 1 ? STRIDE[stage]! * this.#scale() : STRIDE[stage]!;
  }

  /** At more than 120 frames/s strides and windows grow, so that they stay as long in time. */
  #scale(): number {
    return Math.min(SCALE_MOST, Math.max(1, Math.round(PROMPT_MS / this.#pace.intervalMs)));
  }
}

/** A pace that nothing is known of yet. */
export function newPace(): Pace {
  return { intervalMs: 1000 / 60, bytes: 0, roundFromMs: 0, roundToMs: 0, ownDelayMs: 0 };
}

/** Updates the pace: a frame of `bytes` is about to be sent at `nowMs`, `delayMs` after it was published. */
export function keepPace(pace: Pace, nowMs: number, bytes: number, delayMs: number): void {
  // A frame that waited for the loop waited as long as a confirmation does, and a round of sending delays both.
  const ownMs = Math.min(OWN_DELAY_MOST_MS, delayMs + pace.roundToMs - pace.roundFromMs);
  pace.ownDelayMs = Math.max(ownMs, OWN_DELAY_KEPT * pace.ownDelayMs);
  pace.intervalMs += 0.1 * (Math.min(nowMs - pace.roundFromMs, SLOWEST_MS) - pace.intervalMs);
  pace.roundFromMs = nowMs;
  pace.bytes = bytes;
}
