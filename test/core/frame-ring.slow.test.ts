import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import {
  claimSlot,
  createFrameRing,
  framesKept,
  keepFrames,
  nextSeq,
  publishSlot,
  readLatest,
  readNext,
} from '../../src/core/frame-ring.ts';
import { threadEntry } from '../../src/workers/thread-entry.ts';

const publish = (ring: ReturnType<typeof createFrameRing>, value: number) => {
  const slot = claimSlot(ring);
  ring.slots[slot]!.fill(value);
  return publishSlot(ring, slot, 8);
};

test('a reader gets the newest frame once, and never a skipped one', () => {
  const ring = createFrameRing(64);
  expect(readLatest(ring, 0, () => expect.unreachable())).toBe(0); // nothing is published yet
  for (let value = 1; value <= 9; value++) publish(ring, value);
  const seen: number[] = [];
  const seq = readLatest(ring, 0, (bytes) => seen.push(...bytes));
  expect(seq).toBe(9);
  expect(seen).toEqual(Array(8).fill(9));
  expect(readLatest(ring, seq, () => expect.unreachable())).toBe(9);
});

test('frames published during a read do not change the frame that is read', () => {
  const ring = createFrameRing(64);
  publish(ring, 1);
  readLatest(ring, 0, (bytes) => {
    for (let value = 2; value <= 20; value++) publish(ring, value);
    expect(new Set(bytes)).toEqual(new Set([1]));
  });
  readLatest(ring, 1, (bytes, seq) => expect([seq, bytes[0]]).toEqual([20, 20]));
});

test('only the first frame after the reader was woken wakes it again', () => {
  const ring = createFrameRing(64);
  expect([publish(ring, 1), publish(ring, 2), publish(ring, 3)]).toEqual([true, false, false]);
});

test('frame numbers continue those of the previous ring', () => {
  expect(nextSeq(createFrameRing(64, 41))).toBe(42);
});

test('a recording reads every frame in order while the ring keeps it; a late recording continues with the oldest frame', () => {
  const ring = createFrameRing(64);
  keepFrames(ring, true);
  let last = 0;
  let published = 0;
  const take = (): number[] => {
    const seen: number[] = [];
    for (;;) {
      const seq = readNext(ring, last, (bytes, number) => {
        expect(new Set(bytes)).toEqual(new Set([number % 256]));
        seen.push(number);
      });
      if (seq === last) return seen;
      last = seq;
    }
  };
  for (let round = 0; round < 5; round++) {
    for (let k = 0; k < framesKept(ring); k++) publish(ring, ++published % 256);
    expect(take()).toEqual(Array.from({ length: framesKept(ring) }, (_, k) => published - framesKept(ring) + 1 + k));
  }
  for (let k = 0; k < 500; k++) publish(ring, ++published % 256);
  const rest = take();
  expect(rest.at(-1)).toBe(published);
  expect(rest.length).toBeGreaterThanOrEqual(framesKept(ring));
  expect(rest).toEqual(Array.from(rest, (_, k) => rest[0]! + k));
});

test.each([
  ['the newest', readLatest],
  ['the kept', readNext],
] as const)(
  'none of 100,000 frames read while another thread writes at full speed is torn: %s',
  async (_, read) => {
    const words = 2048; // 8 KiB: writing a frame takes long enough for a read during the write
    const ring = createFrameRing(4 * words);
    keepFrames(ring, read === readNext);
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const { url, execArgv } = threadEntry('frame-ring-writer', import.meta.url);
    const worker = new Worker(url, { execArgv, workerData: { buffer: ring.buffer, stop, words } });
    const ended = new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
    const views = ring.slots.map((slot) => new Uint32Array(slot.buffer, slot.byteOffset, words));
    let last = 0;
    let count = 0;
    let torn = 0;
    while (count < 100_000) {
      for (let burst = 0; burst < 500; burst++) {
        last = read(ring, last, (bytes, number) => {
          count += 1;
          const content = views[ring.slots.findIndex((slot) => slot.byteOffset === bytes.byteOffset)]!;
          for (let k = 0; k < words; k++) if (content[k] !== number) torn += 1;
        });
      }
      await new Promise((resolve) => setImmediate(resolve)); // the worker starts only when this thread yields
    }
    Atomics.store(stop, 0, 1);
    await ended;
    expect(torn).toBe(0);
    expect(last).toBeGreaterThanOrEqual(count);
  },
  120_000,
);
