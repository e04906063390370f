/** Latest-frame ring in shared memory for one writer thread and two reader threads: the gateway and a recording. It needs
 *  no lock, and the writer never waits.
 *
 *  `[i32 control, 64 bytes per line][slot header lines][slot 0]…[slot 3]`
 *
 *  Each reader announces the slot it reads; the writer takes a slot that is neither the latest nor being read, so with
 *  four slots one is always free and a frame that is being read is never overwritten. */
const LINE = 16; // number of i32 in a 64-byte cache line; frequently written words lie in different lines
const SLOTS = 4;
/** Words of the control block, as indices into its Int32Array. */
const CTRL = {
  seq: 0,
  latest: LINE,
  gateway: 2 * LINE,
  wake: 3 * LINE,
  slotBytes: 4 * LINE,
  recording: 5 * LINE,
} as const;
/** The two readers. Each is one thread. */
type RingReader = 'gateway' | 'recording';
/** Words of a slot's header line. */
const SLOT = { bytes: 0, seq: 1, publishedMs: 2 /* f64 that occupies two words */, start: 4 } as const;
const slotHeader = (slot: number) => (6 + slot) * LINE;
const DATA_START = (6 + SLOTS) * LINE * 4;
const NO_SLOT = -1;

export interface FrameRing {
  readonly buffer: SharedArrayBuffer;
  readonly slotBytes: number;
  readonly control: Int32Array;
  readonly times: Float64Array;
  readonly slots: readonly Uint8Array[];
}

/** Creates a ring whose slots hold `slotBytes` bytes each. Sequence numbers continue from `seq`. */
export function createFrameRing(slotBytes: number, seq = 0): FrameRing {
  const aligned = Math.ceil(slotBytes / 64) * 64;
  const buffer = new SharedArrayBuffer(DATA_START + SLOTS * aligned);
  const control = new Int32Array(buffer, 0, DATA_START / 4);
  control[CTRL.seq] = seq;
  control[CTRL.latest] = NO_SLOT;
  control[CTRL.gateway] = NO_SLOT;
  control[CTRL.recording] = NO_SLOT;
  control[CTRL.slotBytes] = aligned;
  return openFrameRing(buffer);
}

/** Opens a ring that another thread created. */
export function openFrameRing(buffer: SharedArrayBuffer): FrameRing {
  const control = new Int32Array(buffer, 0, DATA_START / 4);
  const slotBytes = control[CTRL.slotBytes]!;
  return {
    buffer,
    slotBytes,
    control,
    times: new Float64Array(buffer, 0, DATA_START / 8),
    slots: Array.from({ length: SLOTS }, (_, k) => new Uint8Array(buffer, DATA_START + k * slotBytes, slotBytes)),
  };
}

/** Returns the time of the machine's monotonic clock in ms, which is the same in all threads of the process. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** Returns the sequence number of the next published frame. */
export function nextSeq(ring: FrameRing): number {
  return ring.control[CTRL.seq]! + 1;
}

/** Writer: returns the slot for the next frame. Write to `ring.slots[slot]`, then publish. */
export function claimSlot(ring: FrameRing): number {
  const latest = Atomics.load(ring.control, CTRL.latest);
  const gateway = Atomics.load(ring.control, CTRL.gateway);
  const recording = Atomics.load(ring.control, CTRL.recording);
  for (let slot = 0; slot < SLOTS; slot++) if (slot !== latest && slot !== gateway && slot !== recording) return slot;
  throw new Error('no free slot: the ring has more than two readers');
}

/** Writer: makes `bytes` bytes of the claimed slot, from `start` on, the latest frame.
 *  @returns true if the caller must wake the reader; false if a wake-up is already under way */
export function publishSlot(ring: FrameRing, slot: number, bytes: number, start = 0): boolean {
  const { control, times } = ring;
  const header = slotHeader(slot);
  const seq = nextSeq(ring);
  control[header + SLOT.bytes] = bytes;
  control[header + SLOT.start] = start;
  control[header + SLOT.seq] = seq;
  times[(header + SLOT.publishedMs) / 2] = monotonicMs();
  Atomics.store(control, CTRL.latest, slot);
  Atomics.store(control, CTRL.seq, seq);
  // Wakes a thread in `waitForFrame`. Costs under 0.1 µs if there is none.
  Atomics.notify(control, CTRL.seq);
  return Atomics.exchange(control, CTRL.wake, 1) === 0;
}

/** Reader: acknowledges the wake-up. Call it before `readLatest`. */
export function acknowledgeWake(ring: FrameRing): void {
  Atomics.store(ring.control, CTRL.wake, 0);
}

/** Reader: blocks the thread until a frame newer than `after` is published, `wakeWaiting` is called or `limitMs` have
 *  passed. For a thread that does nothing else. */
export function waitForFrame({ control }: FrameRing, after: number, limitMs: number): void {
  if (Atomics.load(control, CTRL.seq) === after) Atomics.wait(control, CTRL.seq, after, limitMs);
}

/** Wakes the thread in `waitForFrame` without a frame. */
export function wakeWaiting({ control }: FrameRing): void {
  Atomics.notify(control, CTRL.seq);
}

/** Receives a frame in place. `bytes` is shared memory, valid only during the call.
 *  @param publishedMs time at which the frame was published, by the clock of `monotonicMs` */
export type FrameVisitor = (bytes: Uint8Array, seq: number, publishedMs: number) => void;

/** Reader: visits the newest frame if it is newer than `after`.
 *  @returns its sequence number, or `after` if there is no newer frame */
export function readLatest(
  ring: FrameRing,
  after: number,
  visit: FrameVisitor,
  reader: RingReader = 'gateway',
): number {
  const { control, times, slots } = ring;
  const reading = CTRL[reader];
  let slot = Atomics.load(control, CTRL.latest);
  while (slot !== NO_SLOT) {
    Atomics.store(control, reading, slot);
    const now = Atomics.load(control, CTRL.latest);
    if (now === slot) break;
    slot = now;
  }
  if (slot === NO_SLOT) return after;
  try {
    const header = slotHeader(slot);
    const seq = control[header + SLOT.seq]!;
    if (seq <= after) return after;
    const start = control[header + SLOT.start]!;
    const bytes = slots[slot]!.subarray(start, start + control[header + SLOT.bytes]!);
    visit(bytes, seq, times[(header + SLOT.publishedMs) / 2]!);
    return seq;
  } finally {
    Atomics.store(control, reading, NO_SLOT);
  }
}

/** Source of complete frames, for code that forwards them. */
export interface FrameFeed {
  /** Calls `listener` on this thread whenever a newer frame may be available. @returns a function that removes it */
  onFrame(listener: () => void): () => void;
  /** Visits the newest frame in place if it is newer than `after` (0: any frame).
   *  @returns its sequence number, or `after` if there is no newer frame */
  readLatest(after: number, visit: FrameVisitor): number;
}
