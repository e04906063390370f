import { type Signal, signal } from '@preact/signals';
import type { Joint } from '../../../../../src/protocol/schemas/robots.ts';
import type { RobotBrowser } from '../robot-browser.ts';
import { mirrored, twinOf } from './joint-groups.ts';

export interface PoseMover {
  /** True if moving a joint also moves the joint of the same name on the other side. */
  readonly mirror: Signal<boolean>;
  /** Moves a joint within its limits, and the joint on the other side too while `mirror` is on. @param value rad or
   *  m */
  readonly moveJoint: (joint: Joint, value: number) => void;
}

/** Adds the mirror mode to the poses of a robot. It is not part of {@link RobotBrowser}, which every page loads first:
 *  only the pose panel needs the rules that find left and right in names. */
export function poseMover({
  robot,
  jointValue,
  setJoint,
}: Pick<RobotBrowser, 'robot' | 'jointValue' | 'setJoint'>): PoseMover {
  const mirror = signal(false);
  const moveJoint = (joint: Joint, value: number) => {
    if (!Number.isFinite(value)) return;
    setJoint(joint, value);
    const twin = mirror.peek() ? twinOf(joint, robot.value?.joints ?? []) : null;
    if (twin !== null) setJoint(twin, mirrored(joint, twin, jointValue(joint).peek()));
  };
  return { mirror, moveJoint };
}
