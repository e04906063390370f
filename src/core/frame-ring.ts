/** Latest-frame ring in shared memory for one writer thread and two reader threads: the gateway and a recording. It
 *  needs no lock, and the writer never waits.
 *
 *  `[i32 control, 64 bytes per line][slot header lines][slot 0][slot 1]…`
 *
 *  Each reader announces the slot it reads; the writer takes a slot that is neither the latest nor being read, so with
 *  four slots one is always free and a frame that is being read is never overwritten. While a recording runs, the
 *  writer takes more slots in turn, so that the recording can read several frames at once: a thread that wakes for each
 *  frame spends more CPU on waking, with cold caches, than on the frame. */
const LINE = 16; // i32 per 64-byte cache line; frequently written words lie in different lines
const LEAST_SLOTS = 4;
const MOST_SLOTS = 32;
/** Limit of the memory of the additional slots. */
const KEPT_BYTES = 16 << 20;
/** Words of the control block, as indices into its Int32Array. */
const CTRL = {
  seq: 0,
  latest: LINE,
  gateway: 2 * LINE,
  wake: 3 * LINE,
  slotBytes: 4 * LINE,
  recording: 5 * LINE,
  /** 1: the writer keeps frames for a recording */
  keeps: 6 * LINE,
  /** 1: the recording shall wake */
  wakeRecording: 7 * LINE,
} as const;
/** Words of a slot's header line. The number is 0 while the slot is written. */
const SLOT = { bytes: 0, seq: 1, publishedMs: 2 /* f64 over two words */, start: 4 } as const;
const slotHeader = (slot: number) => (8 + slot) * LINE;
const DATA_START = slotHeader(MOST_SLOTS) * 4;
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
  const buffer = new SharedArrayBuffer(DATA_START + slotCount(aligned) * aligned);
  const control = new Int32Array(buffer, 0, DATA_START / 4);
  control[CTRL.seq] = seq;
  control[CTRL.latest] = NO_SLOT;
  control[CTRL.gateway] = NO_SLOT;
  control[CTRL.recording] = NO_SLOT;
  control[CTRL.slotBytes] = aligned;
  return openFrameRing(buffer);
}

function slotCount(slotBytes: number): number {
  return Math.min(MOST_SLOTS, LEAST_SLOTS + Math.floor(KEPT_BYTES / slotBytes));
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
    slots: Array.from(
      { length: slotCount(slotBytes) },
      (_, k) => new Uint8Array(buffer, DATA_START + k * slotBytes, slotBytes),
    ),
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
export function claimSlot({ control, slots }: FrameRing): number {
  const latest = Atomics.load(control, CTRL.latest);
  const keeps = Atomics.load(control, CTRL.keeps) === 1;
  const count = keeps ? slots.length : LEAST_SLOTS;
  // The slots are used in turn, so the slot after the latest one contains the oldest frame.
  const first = keeps ? latest + 1 : 0;
  for (let k = 0; k < count; k++) {
    const slot = (first + k) % count;
    if (slot !== latest && slot !== Atomics.load(control, CTRL.gateway) && take(control, slot)) return slot;
  }
  throw new Error('no free slot: the ring has more than two readers');
}

/** Ends the frame in a slot. @returns false if the recording reads it */
function take(control: Int32Array, slot: number): boolean {
  const word = slotHeader(slot) + SLOT.seq;
  const former = control[word]!;
  Atomics.store(control, word, 0);
  // The recording announces a slot before it checks the number: one of both sees the other.
  if (Atomics.load(control, CTRL.recording) !== slot) return true;
  Atomics.store(control, word, former);
  return false;
}

/** Writer: makes `bytes` bytes of the claimed slot, from `start` on, the latest frame.
 *  @returns true if the caller must wake the reader; false if a wake-up is already under way */
export function publishSlot(ring: FrameRing, slot: number, bytes: number, start = 0): boolean {
  const { control, times } = ring;
  const header = slotHeader(slot);
  const seq = nextSeq(ring);
  control[header + SLOT.bytes] = bytes;
  control[header + SLOT.start] = start;
  times[(header + SLOT.publishedMs) / 2] = monotonicMs();
  Atomics.store(control, header + SLOT.seq, seq);
  Atomics.store(control, CTRL.latest, slot);
  Atomics.store(control, CTRL.seq, seq);
  return Atomics.exchange(control, CTRL.wake, 1) === 0;
}

/** Reader: acknowledges the wake-up. Call it before `readLatest`. */
export function acknowledgeWake(ring: FrameRing): void {
  Atomics.store(ring.control, CTRL.wake, 0);
}

/** Recording: makes the writer keep frames, or not any more. */
export function keepFrames({ control }: FrameRing, keeps: boolean): void {
  Atomics.store(control, CTRL.keeps, keeps ? 1 : 0);
}

/** Returns how many frames the writer keeps beside those that it needs itself. */
export function framesKept({ slots }: FrameRing): number {
  return slots.length - LEAST_SLOTS;
}

/** Recording: blocks the thread until `wakeRecording` is called or `limitMs` have passed. */
export function sleepUntilWoken({ control }: FrameRing, limitMs: number): void {
  Atomics.wait(control, CTRL.wakeRecording, 0, limitMs);
  Atomics.store(control, CTRL.wakeRecording, 0);
}

/** Wakes the thread in `sleepUntilWoken`, or at its next call. */
export function wakeRecording({ control }: FrameRing): void {
  Atomics.store(control, CTRL.wakeRecording, 1);
  Atomics.notify(control, CTRL.wakeRecording);
}

/** Receives a frame in place. `bytes` is shared memory, valid only during the call.
 *  @param publishedMs time at which the frame was published, by the clock of `monotonicMs` */
export type FrameVisitor = (bytes: Uint8Array, seq: number, publishedMs: number) => void;

/** Gateway: visits the newest frame if it is newer than `after`.
 *  @returns its sequence number, or `after` if there is no newer frame */
export function readLatest(ring: FrameRing, after: number, visit: FrameVisitor): number {
  const { control } = ring;
  let slot = Atomics.load(control, CTRL.latest);
  while (slot !== NO_SLOT) {
    Atomics.store(control, CTRL.gateway, slot);
    const now = Atomics.load(control, CTRL.latest);
    if (now === slot) break;
    slot = now;
  }
  if (slot === NO_SLOT) return after;
  try {
    const seq = control[slotHeader(slot) + SLOT.seq]!;
    if (seq <= after) return after;
    visitSlot(ring, slot, seq, visit);
    return seq;
  } finally {
    Atomics.store(control, CTRL.gateway, NO_SLOT);
  }
}

/** Recording: visits the oldest kept frame that is newer than `after`.
 *  @returns its sequence number, or `after` if there is no newer frame */
export function readNext(ring: FrameRing, after: number, visit: FrameVisitor): number {
  const { control, slots } = ring;
  for (;;) {
    let slot = NO_SLOT;
    let seq = 0;
    for (let k = 0; k < slots.length; k++) {
      const number = Atomics.load(control, slotHeader(k) + SLOT.seq);
      if (number > after && (slot === NO_SLOT || number < seq)) {
        slot = k;
        seq = number;
      }
    }
    if (slot === NO_SLOT) return after;
    Atomics.store(control, CTRL.recording, slot);
    try {
      // The writer may have taken the slot meanwhile.
      if (Atomics.load(control, slotHeader(slot) + SLOT.seq) !== seq) continue;
      visitSlot(ring, slot, seq, visit);
      return seq;
    } finally {
      Atomics.store(control, CTRL.recording, NO_SLOT);
    }
  }
}

function visitSlot({ control, times, slots }: FrameRing, slot: number, seq: number, visit: FrameVisitor): void {
  const header = slotHeader(slot);
  const start = control[header + SLOT.start]!;
  const bytes = slots[slot]!.subarray(start, start + control[header + SLOT.bytes]!);
  visit(bytes, seq, times[(header + SLOT.publishedMs) / 2]!);
}

/** Source of complete frames, for code that forwards them. */
export interface FrameFeed {
  /** Calls `listener` on this thread whenever a newer frame may be available. @returns a function that removes it */
  onFrame(listener: () => void): () => void;
  /** Visits the newest frame in place if it is newer than `after` (0: any frame).
   *  @returns its sequence number, or `after` if there is no newer frame */
  readLatest(after: number, visit: FrameVisitor): number;
}
