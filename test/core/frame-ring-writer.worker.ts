import { workerData } from 'node:worker_threads';
import { claimSlot, nextSeq, openFrameRing, publishSlot } from '../../src/core/frame-ring.ts';

/** Publishes `frames` frames as fast as it can, each filled with its own number from end to end. */
const { buffer, frames, words } = workerData as { buffer: SharedArrayBuffer; frames: number; words: number };
const ring = openFrameRing(buffer);
const slots = ring.slots.map((slot) => new Uint32Array(slot.buffer, slot.byteOffset, words));
for (let k = 0; k < frames; k++) {
  const slot = claimSlot(ring);
  slots[slot]!.fill(nextSeq(ring));
  publishSlot(ring, slot, 4 * words);
}
