import { workerData } from 'node:worker_threads';
import { claimSlot, nextSeq, openFrameRing, publishSlot } from '../../src/core/frame-ring.ts';

/** Publishes frames as fast as possible until stopped; each frame is filled with its own number. */
const { buffer, stop, words } = workerData as { buffer: SharedArrayBuffer; stop: Int32Array; words: number };
const ring = openFrameRing(buffer);
const slots = ring.slots.map((slot) => new Uint32Array(slot.buffer, slot.byteOffset, words));
while (Atomics.load(stop, 0) === 0) {
  const slot = claimSlot(ring);
  slots[slot]!.fill(nextSeq(ring));
  publishSlot(ring, slot, 4 * words);
}
