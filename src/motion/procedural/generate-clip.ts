import * as quaternion from '../../core/math/quaternion.ts';
import { armWave } from './clips/arm-wave.ts';
import { idleSway } from './clips/idle-sway.ts';
import { squat } from './clips/squat.ts';
import { stepInPlace } from './clips/step-in-place.ts';
import { turn } from './clips/turn.ts';
import { walkForward } from './clips/walk-forward.ts';
import { JOINT_COUNT, jointAngles, type Posture } from './posture.ts';

const CLIPS = {
  idle_sway: idleSway,
  squat,
  step_in_place: stepInPlace,
  walk_forward: walkForward,
  arm_wave: armWave,
  turn,
} as const satisfies Record<string, () => { readonly duration: number; readonly posture: (t: number) => Posture }>;

export type ProceduralClip = keyof typeof CLIPS;

/** The built-in clips of the built-in humanoid. */
export const PROCEDURAL_CLIPS = Object.keys(CLIPS) as readonly ProceduralClip[];

const FPS = 30;

export interface GeneratedClip {
  readonly fps: number;
  /** numbers per row: root x y z (m), root quaternion x y z w, joints in model order (rad), as in CSV clips */
  readonly width: number;
  /** (n, width) row-major */
  readonly frames: Float64Array;
}

/** Generates a built-in clip. The result is deterministic. @param fps frames per second */
export function generateClip(name: ProceduralClip, fps: number = FPS): GeneratedClip {
  const { duration, posture } = CLIPS[name]();
  const count = Math.round(duration * fps) + 1;
  const width = 7 + JOINT_COUNT;
  const frames = new Float64Array(count * width);
  for (let k = 0; k < count; k++) {
    const moment = posture(k / fps);
    const root = quaternion.fromEulerXyz([1, 0, 0, 0], ...moment.rpy);
    frames.set([...moment.position, ...quaternion.toXyzw([0, 0, 0, 1], root), ...jointAngles(moment)], k * width);
  }
  return { fps, width, frames };
}
