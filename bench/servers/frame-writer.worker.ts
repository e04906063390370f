/** Writes test frames into a frame ring at a steady rate and wakes the reader. */
import { parentPort, workerData } from 'node:worker_threads';
import { PacedClock } from '../harness/paced-clock.ts';
import { fromDist } from '../harness/product.ts';
import { TestFrame } from '../harness/test-frame.ts';

const { claimSlot, nextSeq, openFrameRing, publishSlot } =
  await fromDist<typeof import('../../src/core/frame-ring.ts')>('core/frame-ring.js');
const { buffer, bytes, fps } = workerData as { buffer: SharedArrayBuffer; bytes: number; fps: number };

const ring = openFrameRing(buffer);
const frames = ring.slots.map((slot) => new TestFrame(slot.subarray(0, bytes)));
new PacedClock(fps, () => {
  const slot = claimSlot(ring);
  frames[slot]!.stamp(nextSeq(ring));
  if (publishSlot(ring, slot, bytes)) parentPort!.postMessage(0);
});
