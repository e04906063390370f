import type { MainModule, MjSpec, MjsBody, MjsElement } from '../../../sim/mujoco.ts';
import { children, elements } from '../../../sim/spec-elements.ts';
import type { ModelActuator, ModelPose } from '../prepared-model.ts';

/** Reads the first actuator of each joint. Call it before the actuators are removed. */
export function readActuators(mj: MainModule, spec: MjSpec): Map<string, ModelActuator> {
  const found = new Map<string, ModelActuator>();
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_ACTUATOR)) {
    const actuator = mj.mjs_asActuator(element)!;
    const onJoint =
      actuator.trntype.value === mj.mjtTrn.mjTRN_JOINT.value ||
      actuator.trntype.value === mj.mjtTrn.mjTRN_JOINTINPARENT.value;
    if (!onJoint || found.has(actuator.target)) continue;
    const gain: number = actuator.gainprm[0];
    const fixed = actuator.gaintype.value === mj.mjtGain.mjGAIN_FIXED.value;
    const affine = actuator.biastype.value === mj.mjtBias.mjBIAS_AFFINE.value;
    const motor = fixed && actuator.biastype.value === mj.mjtBias.mjBIAS_NONE.value;
    const gear = Math.abs(actuator.gear[0]);
    const servo = fixed && affine && gain > 0 && Math.abs(actuator.biasprm[1] + gain) <= 1e-9 * gain;
    const limits = limit(actuator.forcelimited.value, actuator.forcerange);
    const commands = motor ? limit(actuator.ctrllimited.value, actuator.ctrlrange) : null;
    const effort = limits ?? (commands === null ? null : commands * Math.abs(gain));
    found.set(actuator.target, {
      name: mj.mjs_getName(element),
      stiffness: servo ? gain * gear * gear : null,
      damping: servo && actuator.biasprm[2] <= 0 ? Math.abs(actuator.biasprm[2]) * gear * gear : null,
      effort: effort === null ? null : effort * gear,
      gainsOf: 'actuator',
    });
  }
  return found;
}

/** Returns the names of the joints that actuators move, directly or by a tendon. Call it before the actuators are
 *  removed. */
export function readMotors(mj: MainModule, spec: MjSpec): Set<string> {
  const { mjOBJ_ACTUATOR, mjOBJ_TENDON } = mj.mjtObj;
  const { mjTRN_JOINT, mjTRN_JOINTINPARENT, mjTRN_TENDON } = mj.mjtTrn;
  const moved = new Set<string>();
  for (const element of elements(mj, spec, mjOBJ_ACTUATOR)) {
    const { trntype, target } = mj.mjs_asActuator(element)!;
    if (trntype.value === mjTRN_JOINT.value || trntype.value === mjTRN_JOINTINPARENT.value) moved.add(target);
    if (trntype.value !== mjTRN_TENDON.value) continue;
    const tendon = mj.mjs_findElement(spec, mjOBJ_TENDON, target);
    for (const joint of tendon ? jointsOfTendon(mj, spec, tendon) : []) moved.add(joint);
  }
  return moved;
}

/** Returns the joints whose positions determine the length of a tendon: those of a fixed tendon, or those between the
 *  sites and geoms that a spatial tendon passes. */
function jointsOfTendon(mj: MainModule, spec: MjSpec, element: MjsElement): string[] {
  const { mjOBJ_BODY, mjOBJ_JOINT, mjOBJ_SITE, mjOBJ_GEOM } = mj.mjtObj;
  const tendon = mj.mjs_asTendon(element)!;
  const joints: string[] = [];
  const passed = new Set<string>();
  for (let k = 0; k < mj.mjs_getWrapNum(tendon); k++) {
    const wrap = mj.mjs_getWrap(tendon, k)!;
    const target = mj.mjs_getWrapTarget(wrap);
    if (!target) continue; // a pulley
    const name = mj.mjs_getName(target);
    if (wrap.type.value === mj.mjtWrap.mjWRAP_JOINT.value) joints.push(name);
    else passed.add(`${wrap.type.value === mj.mjtWrap.mjWRAP_SITE.value} ${name}`);
  }
  /** Returns how many of these sites and geoms a body and its descendants have. */
  const visit = (body: MjsBody): number => {
    const own = (kind: typeof mjOBJ_SITE | typeof mjOBJ_GEOM) =>
      children(mj, body, kind).filter((one) => passed.has(`${kind === mjOBJ_SITE} ${mj.mjs_getName(one)}`)).length;
    const below = children(mj, body, mjOBJ_BODY).reduce((sum, child) => sum + visit(mj.mjs_asBody(child)!), 0);
    const count = own(mjOBJ_SITE) + own(mjOBJ_GEOM) + below;
    if (count > 0 && count < passed.size)
      joints.push(...children(mj, body, mjOBJ_JOINT).map((joint) => mj.mjs_getName(joint)));
    return count;
  };
  visit(mj.mjs_findBody(spec, 'world')!);
  return joints;
}

/** Returns the larger absolute bound of an active range; null if the range is not active. @param limited mjtLimited: 0
 *  no, 1 yes, 2 if a range is given */
export function limit(limited: number, range: ArrayLike<number>): number | null {
  const given = range[0]! < range[1]!;
  return limited !== 0 && given ? Math.max(Math.abs(range[0]!), Math.abs(range[1]!)) : null;
}

/** Lists the bodies below `body`, parents first, as in the compiled model. */
export function bodiesBelow(mj: MainModule, body: MjsBody): MjsBody[] {
  return children(mj, body, mj.mjtObj.mjOBJ_BODY).flatMap((element) => {
    const child = mj.mjs_asBody(element)!;
    return [child, ...bodiesBelow(mj, child)];
  });
}

/** Reads the keyframes whose qpos has the length of the model's qpos. Values of hinge and slide joints are by name. */
export function readPoses(mj: MainModule, spec: MjSpec): ModelPose[] {
  const { mjOBJ_KEY, mjOBJ_JOINT } = mj.mjtObj;
  const keys = elements(mj, spec, mjOBJ_KEY);
  if (keys.length === 0) return [];
  const { mjJNT_FREE, mjJNT_BALL } = mj.mjtJoint;
  const joints = bodiesBelow(mj, mj.mjs_findBody(spec, 'world')!).flatMap((body) =>
    children(mj, body, mjOBJ_JOINT).map((element) => {
      const { value } = mj.mjs_asJoint(element)!.type;
      const width = value === mjJNT_FREE.value ? 7 : value === mjJNT_BALL.value ? 4 : 1;
      return { name: mj.mjs_getName(element), width };
    }),
  );
  const size = joints.reduce((sum, { width }) => sum + width, 0);
  return keys.flatMap((element) => {
    const { qpos } = mj.mjs_asKey(element)!;
    if (qpos.size() !== size) return [];
    const pose = new Map<string, number>();
    let at = 0;
    for (const { name, width } of joints) {
      if (width === 1) pose.set(name, qpos.get(at)!);
      at += width;
    }
    const isFree = joints[0]?.width === 7;
    const rootHeight = isFree ? qpos.get(2)! : null;
    const rootQuat = isFree ? [3, 4, 5, 6].map((k) => qpos.get(k)!) : null;
    return [{ name: mj.mjs_getName(element), rootHeight, rootQuat, joints: pose }];
  });
}
