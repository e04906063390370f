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

test('a fast device draws every picture at full resolution', () => {
  const pacer = new DrawPacer();
  run(pacer, 0, 5000, () => 8);
  expect(pacer.scale).toBe(1);
});

test('a slow device draws coarser until pictures are quick enough', () => {
  const pacer = new DrawPacer();
  run(pacer, 0, 10_000, (scale) => 100 * scale * scale);
  expect(pacer.scale).toBe(0.5); // 25 ms at this level, 56 ms one level finer
});

test('slow pictures leave at least a quarter of the time to everything else', () => {
  const pacer = new DrawPacer(true);
  const { busy } = run(pacer, 0, 10_000, () => 120);
  expect(busy / 10_000).toBeLessThan(0.75);
});

test('at most one picture is under way', () => {
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

test('a still picture of full resolution says nothing about moving ones', () => {
  const pacer = new DrawPacer();
  for (let k = 0; k < 50; k++) {
    pacer.issued(1000 * k);
    pacer.completed(1000 * k + 400, false);
  }
  expect([pacer.scale, pacer.pictureMs]).toEqual([1, 0]);
});
