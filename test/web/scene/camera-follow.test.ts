import { expect, test } from 'vitest';
import { elapsedS, followShare } from '../../../web/src/scene/camera.ts';
import { CameraRig, type Followed } from '../../../web/src/scene/camera-rig.ts';

const TAU = 0.3;

/** Returns what remains of 1 m after a second, drawn with this number of pictures per second. */
function remains(fps: number): number {
  let ahead = 1;
  for (let k = 0; k < fps; k++) ahead *= 1 - followShare(ahead, 1 / fps, TAU, 10);
  return ahead;
}

test('after a second, the camera has covered the same way at 5 and at 60 pictures per second', () => {
  expect(remains(5)).toBeCloseTo(Math.exp(-1 / TAU), 10);
  expect(remains(60)).toBeCloseTo(Math.exp(-1 / TAU), 10);
});

test('a robot that is farther than the picture allows is brought back at once', () => {
  expect((1 - followShare(2, 1 / 60, TAU, 0.8)) * 2).toBeCloseTo(0.8, 12);
  expect((1 - followShare(2, 5, TAU, 0.8)) * 2).toBeLessThan(1e-6); // a longer time covers more
  expect(followShare(0, 0.2, TAU, 0.8)).toBeCloseTo(1 - Math.exp(-0.2 / TAU), 12);
});

test('the camera moves by the time since the last picture, after a rest by the time since the first change', () => {
  expect(elapsedS(1200, 1000, 1016, 300)).toBe(0.2); // 5 pictures per second
  expect(elapsedS(2300, 1000, 1016, 300)).toBe(1.3); // 16 robots in software
  expect(elapsedS(90_020, 1000, 90_000, 300)).toBe(0.02);
  expect(elapsedS(1200, 1000, 0, 300)).toBe(0.2); // only the camera moves
});

/** A flip: 3 m/s forwards for 1.5 s, with a leap of 0.6 m, as fast as flips of the LAFAN and SONIC clips. */
function flipAt(t: number): Followed {
  const leap = t > 0.4 && t < 1 ? Math.sin((Math.PI * (t - 0.4)) / 0.6) : 0;
  return { x: 0, y: 3 * Math.min(t, 1.5), z: 0.75 + 0.6 * leap, yaw: 0 };
}

/** Returns the farthest that the robot was from the middle of the pictures, as shares of half their width and
 *  height. */
function farthest(fps: number): { across: number; up: number; atEnd: number } {
  const rig = new CameraRig(false);
  rig.resize(1600, 1000);
  rig.frame([-0.3, -0.3, 0, 0.3, 0.3, 1.3], true, null);
  rig.orbit.azimuth = 0; // y lies across the picture
  rig.orbit.elevation = 0;
  const offset = flipAt(0).z - rig.orbit.target[2];
  rig.reanchor(flipAt(0));
  const half = rig.orbit.distance * Math.tan(rig.fov / 2);
  let across = 0;
  let up = 0;
  for (let k = 1; k <= 3 * fps; k++) {
    const robot = flipAt(k / fps);
    rig.step(1 / fps, robot);
    across = Math.max(across, Math.abs(robot.y - rig.orbit.target[1]) / (1.6 * half));
    up = Math.max(up, (robot.z - offset - rig.orbit.target[2]) / half);
  }
  return { across, up, atEnd: Math.abs(flipAt(3).y - rig.orbit.target[1]) };
}

test.each([5, 60])('at %i pictures per second, a robot that flips stays in the picture', (fps) => {
  const { across, up, atEnd } = farthest(fps);
  expect(across).toBeLessThanOrEqual(0.5 + 1e-9); // half of the half is left for its arms
  expect(up).toBeLessThanOrEqual(0.3 + 1e-9); // it fills 70 % of the height
  expect(atEnd).toBeLessThan(0.03);
});

test('a robot that crouches does not move the camera', () => {
  const rig = new CameraRig(false);
  rig.resize(1600, 1000);
  rig.frame([-0.3, -0.3, 0, 0.3, 0.3, 1.3], true, null);
  rig.reanchor({ x: 0, y: 0, z: 0.75, yaw: 0 });
  const before = rig.orbit.target[2];
  for (let k = 0; k < 60; k++) rig.step(1 / 60, { x: 0, y: 0, z: 0.35, yaw: 0 });
  expect(rig.orbit.target[2]).toBe(before);
});
