import { expect, test } from 'vitest';
import { withDuration } from '../../../web/src/viewport/capture/webm-duration.ts';

const EBML = [0x1a, 0x45, 0xdf, 0xa3, 0x80];
const LIVE = [0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const INFO = [0x15, 0x49, 0xa9, 0x66];
const MILLISECONDS = [0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40];
const CLUSTER = [0x1f, 0x43, 0xb6, 0x75, 0x81, 0x07];

test('a live recording gets a duration in the units of its file, and is otherwise unchanged', () => {
  const file = Uint8Array.from([...EBML, ...LIVE, ...INFO, 0x80 + MILLISECONDS.length, ...MILLISECONDS, ...CLUSTER]);
  const written = withDuration(file, 2500);
  const at = written.findIndex((byte, k) => byte === 0x44 && written[k + 1] === 0x89);
  expect(new DataView(written.buffer).getFloat64(at + 3)).toBe(2500);
  expect([...written.subarray(0, 17)]).toEqual([...EBML, ...LIVE]);
  expect([...written.subarray(17, 29)]).toEqual([...INFO, 1, 0, 0, 0, 0, 0, 0, MILLISECONDS.length + 11]);
  expect([...written.subarray(-CLUSTER.length)]).toEqual(CLUSTER);
  expect(withDuration(written, 9)).toEqual(written); // it has a duration already
});

test('a file of another layout, or one that ends early, stays unchanged', () => {
  for (const bytes of [[], EBML, [0, 0, 0, 24], [...EBML, ...LIVE], [...EBML, ...LIVE, ...INFO, 0x90, 1]]) {
    const file = Uint8Array.from(bytes);
    expect(withDuration(file, 1000)).toBe(file);
  }
});
