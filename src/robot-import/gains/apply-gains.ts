import type { JointSpec, RobotSpec } from '../../protocol/schemas/robots.ts';
import type { SuggestedGains } from '../inspect/inspection.ts';
import { actionScale } from '../inspect/suggest-gains.ts';
import type { GainField, StatedGain } from './stated-gains.ts';

interface AppliedGain extends SuggestedGains {
  readonly action_scale: number;
  /** fields that the file or robot states; the other values come from the spec */
  readonly stated: GainField[];
}

export interface AppliedGains {
  /** gains of the joints for which the file or robot states gains */
  readonly gains: Readonly<Record<string, AppliedGain>>;
  readonly spec: RobotSpec;
}

/** Replaces gains of a spec by those that a file or robot states. Other values do not change, except the action scale,
 *  which is computed from stiffness and effort limit. @param source name of the file or robot, for messages */
export function applyGains(spec: RobotSpec, stated: ReadonlyMap<string, StatedGain>, source: string): AppliedGains {
  const joints = Object.entries(spec.joints).map(([name, joint]): [string, JointSpec] => {
    const gain = stated.get(name);
    return [name, gain ? withGain(joint, gain) : joint];
  });
  const gains = joints.flatMap(([name, joint]): [string, AppliedGain][] => {
    const gain = stated.get(name);
    if (!gain) return [];
    const { stiffness, damping, armature, effort_limit, action_scale } = joint;
    const fields = Object.keys(gain) as GainField[];
    const text = `${fields.map((field) => field.replace('_', ' ')).join(', ')} of ${source}`;
    return [[name, { stiffness, damping, armature, effort_limit, action_scale, stated: fields, source: text }]];
  });
  return { gains: Object.fromEntries(gains), spec: { ...spec, joints: Object.fromEntries(joints) } };
}

function withGain(joint: JointSpec, gain: StatedGain): JointSpec {
  const next = { ...joint, ...gain };
  return gain.action_scale === undefined ? { ...next, action_scale: actionScale(next) } : next;
}
