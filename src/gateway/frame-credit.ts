/** The timing of the stream, measured by the fan-out and shared by all clients. */
export interface Pace {
  /** ms between two frames, at most `SLOWEST_MS` */
  intervalMs: number;
  /** size of the latest frame */
  bytes: number;
  /** Start and end of the latest round of sending, ms. The service cannot read a confirmation during a round. */
  roundFromMs: number;
  roundToMs: number;
  /** Current delay caused by the service itself, ms: a busy event loop reads confirmations late although the client
   *  sent them in time. */
  ownDelayMs: number;
}

/** Share of the service's own delay that is kept from one frame to the next. */
const OWN_DELAY_KEPT = 0.95;
/** Largest delay of the service that is taken into account, ms. A loop that is busy for longer cannot serve a live
 *  stream anyway. */
const OWN_DELAY_MOST_MS = 250;

/** Indexed by the stage of a client, 0 to 7: a ping follows every STRIDE frames, and at most WINDOW frames may be
 *  unconfirmed. Stage 0 is for clients that need longer for a frame than the interval between frames; the last stage is
 *  for clients that always keep up. */
const STRIDE = [1, 1, 2, 4, 8, 16, 32, 64] as const;
const WINDOW = [1, 2, 4, 7, 11, 20, 38, 74] as const;
const FIRST_STAGE = 1;
/** Largest number of frame bytes between two pings. A client that suddenly slows down may have this many unread bytes
 *  before the service notices. */
const BLIND_BYTES = 1 << 20;
/** Largest number of unconfirmed frames of a client that sends `ack` messages. */
const ACK_WINDOW = 2;
/** A confirmation within this many frame intervals is prompt. With a window of two, a prompt client gets every frame; a
 *  client that needs longer for a frame than the interval between frames confirms later. */
const PROMPT_FRAMES = 2;
/** A confirmation within this time is prompt at any frame rate, ms. */
const PROMPT_MS = 8;
/** A confirmation later than LATE × the prompt time drops the client one stage. */
const LATE = 2;
/** A confirmation later than this drops the client to stage 0, ms. */
const FAR_TOO_LATE_MS = 250;
/** Number of consecutive late confirmations, by stage, that shows that the queue to the client never empties: the
 *  client then drops to stage 0. A shorter series may have another cause, and more pings would slow down an overloaded
 *  machine further. */
const LATE_RUN = [1, 2, 3, 3, 3, 3, 3, 3] as const;
const SLOWEST_MS = 33;
/** Number of prompt confirmations that raise a client by one stage. Each drop to stage 0 doubles it, up to
 *  STREAK_MOST. */
const STREAK = 4;
const STREAK_MOST = 16;
/** Weight of the latest confirmation in the average transfer time. */
const NEWEST = 0.25;
/** Interval between measurements of the round trip in stage 0, ms. */
const PROBE_EVERY_MS = 5000;
/** Upper limit of a measured round trip, ms: above it the client was busy. */
const ROUND_TRIP_MOST_MS = 250;
/** Largest factor by which strides and windows grow at high frame rates. */
const SCALE_MOST = 4;
/** Number of sent frames to remember, larger than every window. */
const RING = 512;

/** Tag that means: do not send a ping. */
export const NO_PING = 0;

/** Limits the frames in flight to one client. The kernel silently buffers megabytes for a slow client, so a frame
 *  counts as received only when the client confirms it: by an `ack` message, or else by a pong. A slow client gets a
 *  ping after each frame, and a client that keeps up gets one per megabyte, because a ping and its pong cost as much
 *  CPU as 40 KB of frame. */
export class FrameCredit {
  readonly #pace: Pace;
  /** Sequence number of each sent frame and the time of its ping, indexed by the count of sent frames (mod RING). */
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
  /** round trip without a frame, ms */
  #roundTripMs = 0;
  /** time that one frame takes in addition to the round trip, ms */
  #transferMs = 0;
  /** Number of consecutive late confirmations. Several that arrive together after one delay count once. */
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

  /** Returns true if the round trip should be measured before the next frame. */
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

  /** Records a sent frame. @returns the tag of the ping to send after it, or NO_PING */
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

  /** Records that a frame must wait because too many frames are unconfirmed. @returns the tag of a ping to send, or
   *  NO_PING. Without this ping the last sent frames would stay unconfirmed */
  held(): number {
    if (this.#acks) return NO_PING;
    if (this.#pinged === this.#sent) return NO_PING;
    this.#pinged = this.#sent;
    return this.#sent;
  }

  /** Handles the pong of a frame's ping. @returns true if it confirms a frame */
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

  /** Handles an acknowledgement of frame `seq`. From then on, acknowledgements confirm frames instead of pongs.
   *  @returns true if the frame was in flight to this client */
  ack(seq: number): boolean {
    // A sequence number that was never sent is ignored.
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

  /** Returns the earliest time at which the answer to a ping can be read: after the round of sending in which the ping
   *  was sent. */
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

  /** Sets stride and window of the stage. Adds the frames of one round trip to the window, so that a distant but fast
   *  client gets every frame. Does not add them while a measurement of the round trip is due, because that needs an
   *  empty connection. */
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

  /** Strides and windows grow above 120 frames/s, so that they span the same time. */
  #scale(): number {
    return Math.min(SCALE_MOST, Math.max(1, Math.round(PROMPT_MS / this.#pace.intervalMs)));
  }
}

/** The pace before the first frame. */
export function newPace(): Pace {
  return { intervalMs: 1000 / 60, bytes: 0, roundFromMs: 0, roundToMs: 0, ownDelayMs: 0 };
}

/** Updates the pace before sending a frame of `bytes` bytes at `nowMs`, `delayMs` after the frame was published. */
export function keepPace(pace: Pace, nowMs: number, bytes: number, delayMs: number): void {
  // Delay caused by this process itself. A busy event loop and the round of sending delay frames and acknowledgements
  // equally, so this delay is not attributed to the network.
  const ownMs = Math.min(OWN_DELAY_MOST_MS, delayMs + pace.roundToMs - pace.roundFromMs);
  pace.ownDelayMs = Math.max(ownMs, OWN_DELAY_KEPT * pace.ownDelayMs);
  pace.intervalMs += 0.1 * (Math.min(nowMs - pace.roundFromMs, SLOWEST_MS) - pace.intervalMs);
  pace.roundFromMs = nowMs;
  pace.bytes = bytes;
}
