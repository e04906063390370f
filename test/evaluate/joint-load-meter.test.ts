import { expect, test } from 'vitest';
import { JointLoadMeter } from '../../src/evaluate/joint-load-meter.ts';
import { MotorLaw } from '../../src/mdp/env/actuators.ts';
import { createState } from '../../src/mdp/env/state-arrays.ts';
import type { TaskConfig } from '../../src/mdp/task-config.ts';
import type { RobotFacts } from '../../src/robots/robot-facts.ts';

/** Measures a motor of 25 Nm whose joint has friction, at these requested torques (Nm) and speeds (rad/s). */
function loadsOf(steps: readonly (readonly [requested: number, speed: number])[], torqueSpeed: boolean) {
  const friction = { static: 2.4, viscous: 0.24 };
  const curve = torqueSpeed ? { y1: 25, y2: 30, x1: 10, x2: 20 } : null;
  const joint = { friction, torqueSpeed: curve, effortLimit: 25, stiffness: 0, damping: 0, default: 0 };
  const state = createState({ n: 1, joints: 1, bodies: 1, keybodies: 0, feet: 0 });
  const meter = new JointLoadMeter(state, { joints: [joint] } as unknown as RobotFacts, {} as TaskConfig);
  const law = new MotorLaw(curve, friction, 25);
  for (const [requested, speed] of steps) {
    state.torque[0] = law.torque(requested, speed);
    state.jointVel[0] = speed;
    meter.add(0);
  }
  return meter.result;
}

test.each([false, true])(
  'a motor at its limit is saturated, whatever its joint loses to friction; curve: %s',
  (curve) => {
    // driving, braking, at rest (as braking); then half of the limit while driving
    const loads = loadsOf(
      [
        [500, 5],
        [-500, 5],
        [500, 0],
        [12.5, 5],
      ],
      curve,
    );
    expect(loads.saturated).toEqual([3]);
    expect(loads.torque_peak[0]).toBeCloseTo(1, 12);
    expect(loads.torque_squares[0]).toBeCloseTo(3.25, 12);
    // The motor heats by its own torque, the joint moves by what is left of it.
    expect(loads.heat_squares[0]).toBeCloseTo(625 + 2 * (curve ? 900 : 625) + 12.5 ** 2, 9);
    expect(loads.power_peak[0]).toBeCloseTo(5 * ((curve ? 30 : 25) + 2.4 + 1.2), 9);
  },
);
