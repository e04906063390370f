import type { MainModule, MjSpec } from '../../../sim/mujoco.ts';
import { elements, withBuiltInDefaults } from '../../../sim/spec-elements.ts';
import type { Mimic, ModelActuator } from '../prepared-model.ts';
import { counted, listed } from '../text/wording.ts';
import { limit } from './reading.ts';

/** Removes the effort limits of joints. Otherwise they would clip torques in addition to the limits of the spec.
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

/** Largest deviation at which a servo applies its full effort, rad (m). A softer spring is considered part of the
 *  mechanism. */
const SERVO_REACH = 2;
/** Minimum stiffness of a spring that acts as a servo, if the joint's effort is unknown, Nm/rad. */
const SERVO_STIFFNESS = 20;

/** What the model states about the motors of its joints. */
interface Motors {
  readonly actuators: Map<string, ModelActuator>;
  readonly passive: ReadonlySet<string>;
  readonly efforts: ReadonlyMap<string, { readonly value: number }>;
}

/** Returns the joints without a motor: those that no actuator moves, if actuators move other joints. A robot without
 *  actuators has a motor at every joint, as in a URDF. @param moved see `readMotors` */
export function passiveJoints(mj: MainModule, spec: MjSpec, moved: ReadonlySet<string>): Set<string> {
  const names = elements(mj, spec, mj.mjtObj.mjOBJ_JOINT)
    .filter((element) => mj.mjs_asJoint(element)!.type.value !== mj.mjtJoint.mjJNT_FREE.value)
    .map((element) => mj.mjs_getName(element));
  const passive = names.filter((name) => !moved.has(name));
  return new Set(passive.length < names.length ? passive : []);
}

/** Removes the springs of joints that get servos, because spring and servo would add up. Simulators of the Isaac family
 *  read `stiffness` and `damping` of an MJCF joint as gains of a servo. If most springs are stiff enough for a servo,
 *  they become gains of their joints, and their dampers are removed too.
 *
 *  The spring of a passive joint stays, because it is part of the mechanism.
 *  @param motors the gains are added to `actuators`; efforts are in Nm or N by joint
 *  @returns one sentence for each kind of change */
export function takeSprings(mj: MainModule, spec: MjSpec, { actuators, passive, efforts }: Motors): string[] {
  const sprung = elements(mj, spec, mj.mjtObj.mjOBJ_JOINT).flatMap((element) => {
    const joint = mj.mjs_asJoint(element)!;
    const name = mj.mjs_getName(element);
    const [stiffness = 0] = joint.stiffness as ArrayLike<number> & Iterable<number>;
    return stiffness > 0 && !passive.has(name) ? [{ joint, name, stiffness, damping: joint.damping[0] as number }] : [];
  });
  if (sprung.length === 0) return [];
  const holds = ({ name, stiffness, damping }: (typeof sprung)[number]) => {
    const effort = actuators.get(name)?.effort ?? efforts.get(name)?.value ?? null;
    return effort === null ? damping > 0 && stiffness >= SERVO_STIFFNESS : effort <= SERVO_REACH * stiffness;
  };
  const areGains = 2 * sprung.filter(holds).length >= sprung.length;
  for (const { joint, name, stiffness, damping } of sprung) {
    joint.stiffness.fill(0);
    if (!areGains) continue;
    joint.damping.fill(0);
    const own = actuators.get(name);
    if (own?.stiffness) continue;
    actuators.set(name, { name: own?.name ?? '', stiffness, damping, effort: own?.effort ?? null, gainsOf: 'joint' });
  }
  const values = sprung.map(({ stiffness }) => stiffness);
  const range = `${Math.min(...values)} to ${Math.max(...values)} Nm/rad`;
  const which = `${counted(sprung.length, 'joint')}, ${range}: ${listed(sprung.map(({ name }) => name))}`;
  return [
    areGains
      ? `stiffness and damping of joints are used as gains of their servos, as in Isaac Gym, and removed from ${which}`
      : `springs removed, because servos hold the joints: ${which}`,
  ];
}

/** Adds an equality constraint for each joint that follows another one: q = offset + multiplier · q_of. */
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

/** Reads the joints without an actuator that follow another joint linearly, from the constraints of an MJCF. Exchanges
 *  the two joints of a constraint if only the first one has a motor, so that the passive joint follows. */
export function readMimics(
  mj: MainModule,
  spec: MjSpec,
  { actuators, passive }: Pick<Motors, 'actuators' | 'passive'>,
): Map<string, Mimic> {
  const found = new Map<string, Mimic>();
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_EQUALITY)) {
    const equality = mj.mjs_asEquality(element)!;
    if (equality.type.value !== mj.mjtEq.mjEQ_JOINT.value || equality.name2 === '') continue;
    const [offset, multiplier, ...bends] = Array.from(equality.data as Float64Array).slice(0, 5);
    if (bends.some((value) => value !== 0)) continue;
    if (!passive.has(equality.name1) && passive.has(equality.name2) && multiplier !== 0) {
      [equality.name1, equality.name2] = [equality.name2, equality.name1];
      equality.data.set([0 - offset! / multiplier!, 1 / multiplier!]);
    }
    if (actuators.has(equality.name1)) continue;
    const [from, by] = equality.data as Float64Array;
    found.set(equality.name1, { joint: equality.name2, multiplier: by!, offset: from! });
  }
  return found;
}
