/** Writes test frames into a frame ring at a steady rate and wakes the reader. Replaces the simulation, at the lowest
 *  cost that a thread with a clock can have. */
import { parentPort, workerData } from 'node:worker_threads';
import { fromDist } from '../harness/product.ts';
import { TestFrame } from '../harness/test-frame.ts';

const { claimSlot, nextSeq, openFrameRing, publishSlot } =
  await fromDist<typeof import('../../src/core/frame-ring.ts')>('core/frame-ring.js');
const { buffer, bytes, fps } = workerData as { buffer: SharedArrayBuffer; bytes: number; fps: number };

const ring = openFrameRing(buffer);
const frames = ring.slots.map((slot) => new TestFrame(slot.subarray(0, bytes)));
const never = new Int32Array(new SharedArrayBuffer(4));
const periodMs = 1e3 / fps;
for (let dueMs = performance.now(); ; dueMs = Math.max(dueMs + periodMs, performance.now())) {
  Atomics.wait(never, 0, 0, Math.max(0, dueMs - performance.now()));
  const slot = claimSlot(ring);
  frames[slot]!.stamp(nextSeq(ring));
  if (publishSlot(ring, slot, bytes)) parentPort!.postMessage(0);
}
