import { expect, test } from 'vitest';
import { swingOf, withScale, withSwing, withVelocityLimit } from '../../../../web/src/features/robot-import/gains.ts';

const joint = { default: 0, stiffness: 1, damping: 1, armature: 0.0102, effort_limit: 88, action_scale: 0.1 };

test('gains are computed from natural frequency and damping ratio, checked by hand for a known motor', () => {
  const set = withSwing(joint, { frequency: 10, ratio: 2 });
  expect(set.stiffness).toBeCloseTo(0.0102 * 62.8318531 ** 2, 3); // 40.27
  expect(set.damping).toBeCloseTo(2 * 2 * 0.0102 * 62.8318531, 4); // 2.5635
  expect(set.action_scale).toBeCloseTo((0.25 * 88) / set.stiffness, 5);
  expect(set.armature).toBe(0.0102);
});

test('frequency and ratio are read back as they were set', () => {
  const swing = swingOf(withSwing(joint, { frequency: 7.5, ratio: 0.7 }));
  expect(swing?.frequency).toBeCloseTo(7.5, 4);
  expect(swing?.ratio).toBeCloseTo(0.7, 4);
});

test('a joint without armature or stiffness does not have a frequency, and keeps its action scale', () => {
  expect(swingOf({ ...joint, armature: 0 })).toBeNull();
  expect(swingOf({ ...joint, stiffness: 0 })).toBeNull();
  expect(withScale({ ...joint, stiffness: 0 }).action_scale).toBe(0.1);
});

test('a velocity limit can be set and removed without other changes', () => {
  const limited = withVelocityLimit(joint, 12);
  expect(limited).toEqual({ ...joint, velocity_limit: 12 });
  expect(withVelocityLimit(limited, null)).toEqual(joint);
});
