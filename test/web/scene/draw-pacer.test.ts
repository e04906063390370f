import { expect, test } from 'vitest';
import { DrawPacer } from '../../../web/src/scene/draw-pacer.ts';

/** Draws for `forMs` as often as the pacer allows; a picture takes `cost` ms at the current scale. */
function run(
  pacer: DrawPacer,
  from: number,
  forMs: number,
  cost: (scale: number) => number,
): { pictures: number; busy: number } {
  let pictures = 0;
  let busy = 0;
  for (let now = from; now < from + forMs; now += 1) {
    if (!pacer.mayDraw(now)) continue;
    const took = cost(pacer.scale);
    pacer.issued(now);
    now += took;
    pacer.completed(now);
    pictures += 1;
    busy += took;
  }
  return { pictures, busy };
}

test('a fast device draws every image at full resolution', () => {
  const pacer = new DrawPacer();
  run(pacer, 0, 5000, () => 8);
  expect(pacer.scale).toBe(1);
});

test('a slow device lowers the resolution until images are fast enough', () => {
  const pacer = new DrawPacer();
  run(pacer, 0, 10_000, (scale) => 100 * scale * scale);
  expect(pacer.scale).toBe(0.5); // 25 ms at this level, 56 ms one level finer
});

test('slow images leave at least a quarter of the time for other work', () => {
  const pacer = new DrawPacer(true);
  const { busy } = run(pacer, 0, 10_000, () => 120);
  expect(busy / 10_000).toBeLessThan(0.75);
});

test('at most one image is being drawn', () => {
  const pacer = new DrawPacer();
  pacer.issued(0);
  expect(pacer.mayDraw(1e6)).toBe(false);
  pacer.abandon(); // the graphics context was lost, so completion is never reported
  expect(pacer.mayDraw(1e6)).toBe(true);
});

test('a level that was too slow is not tried again at once', () => {
  const pacer = new DrawPacer();
  run(pacer, 0, 3000, (scale) => (scale === 1 ? 80 : 10));
  expect(pacer.scale).toBe(0.75);
  run(pacer, 3000, 20_000, (scale) => (scale === 1 ? 80 : 10));
  expect(pacer.scale).toBe(0.75);
});

test('the time of a still image does not affect the resolution of moving ones', () => {
  const pacer = new DrawPacer();
  for (let k = 0; k < 50; k++) {
    pacer.issued(1000 * k);
    pacer.completed(1000 * k + 400, false);
  }
  expect([pacer.scale, pacer.pictureMs]).toEqual([1, 0]);
});
