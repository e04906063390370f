import type { CheckSpec, CheckVersion } from './check-spec.ts';
import { NOT_FINITE } from './clip/data-checks.ts';
import { GROUND_CHECKS } from './clip/ground-checks.ts';
import { JOINT_CHECKS } from './clip/joint-checks.ts';
import { SELF_COLLISION } from './clip/self-collision.ts';
import { STEP_CHECKS } from './clip/step-checks.ts';
import { ROOT_TILT } from './clip/tilt-check.ts';
import { FRAME_RATE } from './layout/frame-rate.ts';
import { LAYOUT_CHECKS } from './layout/motion-layout.ts';

/** All checks that run on a clip whose layout is known. Issues of equal severity and frame keep this order. */
export const CLIP_CHECKS: readonly CheckSpec[] = [
  ...JOINT_CHECKS,
  ...STEP_CHECKS,
  ...GROUND_CHECKS,
  ROOT_TILT,
  SELF_COLLISION,
];

/** Checks that run before `CLIP_CHECKS`, because they decide how the clip is read (`run-checks.ts`). */
export const READING_CHECKS: readonly CheckVersion[] = [NOT_FINITE, ...LAYOUT_CHECKS, FRAME_RATE];
