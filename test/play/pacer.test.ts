import { describe, expect, test } from 'vitest';
import { Pacer } from '../../src/play/pacer.ts';

const STEP_S = 0.02;
const FRAME_S = 1 / 60;

/** Plays `seconds` of wall time in ticks of `tickS`. Each step needs `costS`. @returns number of steps */
function play(pacer: Pacer, seconds: number, { tickS = FRAME_S, costS = 0.001 } = {}): number {
  let steps = 0;
  let busyS = 0;
  for (let wall = 0; wall < seconds - 1e-9; wall += tickS) {
    pacer.pass(tickS);
    busyS = Math.max(0, busyS - tickS);
    if (busyS > 0) continue;
    const taken = pacer.take();
    pacer.took(taken, taken * costS);
    // Carry over only the part of the computing time that exceeds this tick.
    busyS = Math.max(0, taken * costS - tickS);
    steps += taken;
  }
  return steps;
}

describe('the pace of a session', () => {
  test.each([0.05, 0.5, 1, 2, 8])('the pace of a session is %f × real time if steps are cheap', (speed) => {
    const pacer = new Pacer(STEP_S, FRAME_S);
    pacer.speed = speed;
    pacer.start();
    const steps = play(pacer, 20);
    expect(steps * STEP_S).toBeGreaterThan(20 * speed - STEP_S - FRAME_S * speed);
    expect(steps * STEP_S).toBeLessThanOrEqual(20 * speed + 1e-9);
    expect(pacer.realtimeFactor).toBeCloseTo(speed, 3);
  });

  test('the pacer drops steps that do not fit into a frame, and reports it', () => {
    const pacer = new Pacer(STEP_S, FRAME_S);
    pacer.start();
    const steps = play(pacer, 20, { costS: 0.04 });
    expect(steps * STEP_S).toBeLessThan(13);
    expect(pacer.realtimeFactor).toBeCloseTo((steps * STEP_S) / 20, 1);
  });

  test('the pacer catches up after a short delay, not after a long one', () => {
    const pacer = new Pacer(STEP_S, FRAME_S);
    pacer.start();
    play(pacer, 2);
    pacer.pass(0.2);
    expect(pacer.take()).toBeGreaterThanOrEqual(9);
    pacer.pass(30);
    expect(pacer.take()).toBeLessThanOrEqual(14);
    play(pacer, 0.01);
    expect(pacer.realtimeFactor).toBeLessThan(0.1);
  });

  test("catching up takes at most one frame's time", () => {
    const pacer = new Pacer(STEP_S, FRAME_S);
    pacer.start();
    play(pacer, 1, { costS: 0.005 });
    pacer.pass(0.2);
    expect(pacer.take()).toBe(3);
  });

  test('steps pending at a pause are dropped', () => {
    const pacer = new Pacer(STEP_S, FRAME_S);
    pacer.start();
    play(pacer, 1);
    pacer.pass(0.019);
    pacer.stop();
    expect(pacer.realtimeFactor).toBe(0);
    pacer.start();
    pacer.pass(0.019);
    expect(pacer.take()).toBe(0);
  });
});
