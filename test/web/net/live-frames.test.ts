import { expect, test } from 'vitest';
import { blobOffset, type FrameHeader } from '../../../src/protocol/frame.ts';
import { LiveFrames } from '../../../web/src/net/live-frames.ts';

function frameBytes(seq: number, values: readonly number[]): ArrayBuffer {
  const header: FrameHeader = {
    seq,
    time: 0,
    n: 1,
    nbody: 1,
    owner: 'robots',
    hud: { text: [] },
    model_version: 1,
    terrain_version: 1,
    focus: 0,
    poses: { offset: 0, count: values.length },
    ghost: null,
    overlays: [],
  };
  const json = new TextEncoder().encode(JSON.stringify(header));
  const start = blobOffset(json.length);
  const bytes = new ArrayBuffer(start + 4 * values.length);
  new DataView(bytes).setUint32(0, json.length, true);
  new Uint8Array(bytes).set(json, 4);
  new Float32Array(bytes, start).set(values);
  return bytes;
}

test('the newest frame is available, and its number is returned for the acknowledgement', () => {
  const frames = new LiveFrames();
  expect(frames.take(frameBytes(7, [1, 2, 3]))).toBe(7);
  expect(frames.latest?.header.seq).toBe(7);
  expect([...(frames.latest?.blob ?? [])]).toEqual([1, 2, 3]);
});

test('gaps in frame numbers are counted as missed frames, except across a new connection', () => {
  const frames = new LiveFrames();
  for (const seq of [1, 2, 5]) frames.take(frameBytes(seq, []));
  expect(frames.stats.missed).toBe(2);
  frames.restart();
  frames.take(frameBytes(900, []));
  expect(frames.stats).toMatchObject({ decoded: 4, missed: 2, seq: 900 });
});

test('listeners get every frame without a copy until they unsubscribe', () => {
  const frames = new LiveFrames();
  const heard: number[] = [];
  const leave = frames.listen(({ header }, bytes) => {
    heard.push(header.seq, bytes.byteLength);
  });
  const bytes = frameBytes(1, [0]);
  frames.take(bytes);
  leave();
  frames.take(frameBytes(2, [0]));
  expect(heard).toEqual([1, bytes.byteLength]);
});

test('bytes that are not a frame are refused and change nothing', () => {
  const frames = new LiveFrames();
  expect(() => frames.take(new ArrayBuffer(2))).toThrow(RangeError);
  expect(frames.stats.decoded).toBe(0);
});
