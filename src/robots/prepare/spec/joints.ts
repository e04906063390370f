import type { MainModule, MjSpec } from '../../../sim/mujoco.ts';
import { elements, withBuiltInDefaults } from '../../../sim/spec-elements.ts';
import type { Mimic, ModelActuator } from '../prepared-model.ts';
import { limit } from './reading.ts';

/** Removes the effort limits of joints, because they would clip torques in addition to the limits of the spec.
 *  @returns the removed limits, Nm or N by joint */
export function dropEffortLimits(mj: MainModule, spec: MjSpec): Map<string, { value: number; source: string }> {
  const found = new Map<string, { value: number; source: string }>();
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_JOINT)) {
    const joint = mj.mjs_asJoint(element)!;
    const value = limit(joint.actfrclimited.value, joint.actfrcrange);
    if (value !== null && value > 0) found.set(mj.mjs_getName(element), { value, source: 'joint actuatorfrcrange' });
    joint.actfrclimited = mj.mjtLimited.mjLIMITED_FALSE;
  }
  return found;
}

/** Adds equality constraints for joints that follow others: q = offset + multiplier · q_of. */
export function addMimics(mj: MainModule, spec: MjSpec, mimics: ReadonlyMap<string, Mimic>): void {
  for (const [name, { joint, multiplier, offset }] of mimics) {
    const equality = withBuiltInDefaults(mj, (defaults) => mj.mjs_addEquality(spec, defaults)!);
    equality.type = mj.mjtEq.mjEQ_JOINT;
    equality.objtype = mj.mjtObj.mjOBJ_JOINT;
    equality.name1 = name;
    equality.name2 = joint;
    equality.data.fill(0);
    equality.data.set([offset, multiplier]);
  }
}

/** Reads the joints that follow others linearly by constraints of an MJCF and that have no actuator. */
export function readMimics(
  mj: MainModule,
  spec: MjSpec,
  actuators: ReadonlyMap<string, ModelActuator>,
): Map<string, Mimic> {
  const found = new Map<string, Mimic>();
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_EQUALITY)) {
    const equality = mj.mjs_asEquality(element)!;
    if (equality.type.value !== mj.mjtEq.mjEQ_JOINT.value || !equality.active || equality.name2 === '') continue;
    const [offset, multiplier, ...bends] = Array.from(equality.data as Float64Array).slice(0, 5);
    if (bends.some((value) => value !== 0) || actuators.has(equality.name1)) continue;
    found.set(equality.name1, { joint: equality.name2, multiplier: multiplier!, offset: offset! });
  }
  return found;
}
