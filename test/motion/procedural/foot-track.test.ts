import { expect, test } from 'vitest';
import { footTrack, type Swing } from '../../../src/motion/procedural/foot-track.ts';
import { FOOT } from '../../../src/robots/humanoid/collisions.ts';
import { SIZE } from '../../../src/robots/humanoid/links.ts';

const swing: Swing = {
  start: 1,
  end: 1.4,
  to: { x: 0.6, y: 0.1, yaw: 0 },
  lift: 0.02,
  push: 0.5,
  before: 0.25,
  strike: 0.2,
  after: 0.1,
};
const track = footTrack({ x: 0, y: 0.1, yaw: 0 }, [swing]);

/** Centre of the sole's rounded end in the x–z plane, m. */
function endAt(t: number, end: number): { readonly x: number; readonly z: number } {
  const foot = track(t);
  const below = FOOT.radius - SIZE.ankle;
  return {
    x: foot.x + end * Math.cos(foot.pitch) + below * Math.sin(foot.pitch),
    z: foot.z - end * Math.sin(foot.pitch) + below * Math.cos(foot.pitch),
  };
}

test('before and after the swing the foot stands flat on its prints', () => {
  expect(track(0.5)).toEqual({ x: 0, y: 0.1, z: SIZE.ankle, pitch: 0, yaw: 0 });
  expect(track(2).x).toBeCloseTo(0.6, 12);
  expect(track(2).z).toBeCloseTo(SIZE.ankle, 12);
});

test('the heel rises while the toe rolls on the floor without slipping', () => {
  for (const t of [0.8, 0.9, 1]) {
    const toe = endAt(t, FOOT.toe);
    expect(toe.z).toBeCloseTo(FOOT.radius, 12);
    // A wheel with the sole's radius rolls forward by radius × angle.
    expect(toe.x).toBeCloseTo(FOOT.toe + FOOT.radius * track(t).pitch, 12);
  }
  expect(track(1).pitch).toBeCloseTo(0.5, 12);
});

test('the foot lands on the heel with the toe up and rolls down', () => {
  expect(track(1.4).pitch).toBeCloseTo(-0.2, 9);
  expect(endAt(1.4, FOOT.heel).z).toBeCloseTo(FOOT.radius, 9);
  expect(endAt(1.4, FOOT.toe).z).toBeGreaterThan(FOOT.radius + 0.02);
});

test('position and velocity are continuous between rolling and swinging', () => {
  const h = 1e-4;
  for (const t of [1, 1.4]) {
    const [a, b, c] = [track(t - h), track(t), track(t + h)];
    for (const name of ['x', 'z', 'pitch'] as const) {
      expect(Math.abs((c[name] - b[name]) / h - (b[name] - a[name]) / h)).toBeLessThan(0.05);
    }
  }
});

test('during the swing, neither end of the sole is below the floor', () => {
  for (let t = 1; t <= 1.4; t += 0.01) {
    expect(Math.min(endAt(t, FOOT.heel).z, endAt(t, FOOT.toe).z)).toBeGreaterThan(FOOT.radius - 1e-3);
  }
});
