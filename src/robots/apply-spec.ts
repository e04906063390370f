import { badInput } from '../core/errors.ts';
import type { RobotSpec } from '../protocol/schemas/robots.ts';
import type { MainModule, MjSpec } from '../sim/mujoco.ts';
import { children, elementNames, elements, withBuiltInDefaults } from '../sim/spec-elements.ts';

/** Size of the arena of one MjData, bytes. MuJoCo's default is 15 MB; a G1 with self-collision used 0.15 MB. */
const ARENA_BYTES = 1 << 20;

/** Sets the armature of every joint in the spec and adds a position servo to it.
 *  @throws StudioError bad_input for a joint that the model does not have */
export function applyJoints(mj: MainModule, mjSpec: MjSpec, spec: RobotSpec): void {
  const joints = new Map(
    elements(mj, mjSpec, mj.mjtObj.mjOBJ_JOINT).map((element) => [mj.mjs_getName(element), element]),
  );
  for (const [name, settings] of Object.entries(spec.joints)) {
    const element = joints.get(name);
    if (!element) throw badInput(`joints.${name}: ${spec.model} has no joint of this name`);
    mj.mjs_asJoint(element)!.armature = settings.armature;
    const actuator = withBuiltInDefaults(mj, (defaults) => mj.mjs_addActuator(mjSpec, defaults)!);
    mj.mjs_setName(actuator.element, name);
    actuator.trntype = mj.mjtTrn.mjTRN_JOINT;
    actuator.target = name;
    actuator.gaintype = mj.mjtGain.mjGAIN_FIXED;
    actuator.biastype = mj.mjtBias.mjBIAS_AFFINE;
    actuator.gainprm[0] = settings.stiffness;
    actuator.biasprm.set([0, -settings.stiffness, -settings.damping]);
    actuator.forcelimited = mj.mjtLimited.mjLIMITED_TRUE;
    actuator.forcerange.set([-settings.effort_limit, settings.effort_limit]);
    actuator.ctrllimited = mj.mjtLimited.mjLIMITED_FALSE;
  }
}

/** Sets which bodies can collide, and the friction of the feet.
 *  @throws StudioError bad_input for a body that the model does not have */
export function applyContacts(mj: MainModule, mjSpec: MjSpec, spec: RobotSpec): void {
  const bodies = new Set(elementNames(mj, mjSpec, mj.mjtObj.mjOBJ_BODY));
  const { anchor, keybodies, feet } = spec.wiring;
  const named: [field: string, body: string][] = [
    ['wiring.anchor', anchor],
    ...keybodies.map((body, k): [string, string] => [`wiring.keybodies.${k}`, body]),
    ...feet.map((body, k): [string, string] => [`wiring.feet.${k}`, body]),
    ...(spec.end_effectors ?? []).map((body, k): [string, string] => [`end_effectors.${k}`, body]),
    ...(spec.contacts?.exclude ?? []).flatMap((pair, k) =>
      pair.map((body): [string, string] => [`contacts.exclude.${k}`, body]),
    ),
  ];
  for (const [field, body] of named) {
    if (!bodies.has(body) || body === 'world') throw badInput(`${field}: ${spec.model} has no body ${body}`);
  }
  const { self_collision: selfCollision, feet: feetContacts, exclude = [] } = spec.contacts ?? {};
  for (const element of elements(mj, mjSpec, mj.mjtObj.mjOBJ_GEOM)) {
    const geom = mj.mjs_asGeom(element)!;
    if (geom.contype === 0 && geom.conaffinity === 0) continue;
    if (selfCollision !== undefined) {
      // A geom with contype 0 and conaffinity 1 collides with the floor (contype 1), but not with other geoms of this
      // kind.
      geom.contype = selfCollision ? 1 : 0;
      geom.conaffinity = 1;
    }
  }
  for (const foot of feetContacts ? feet : []) {
    for (const element of children(mj, mj.mjs_findBody(mjSpec, foot)!, mj.mjtObj.mjOBJ_GEOM)) {
      const geom = mj.mjs_asGeom(element)!;
      if (geom.contype === 0 && geom.conaffinity === 0) continue;
      if (feetContacts?.condim !== undefined) geom.condim = feetContacts.condim;
      if (feetContacts?.friction !== undefined) geom.friction[0] = feetContacts.friction;
      if (feetContacts?.priority !== undefined) geom.priority = feetContacts.priority;
    }
  }
  for (const [first, second] of exclude) {
    const pair = mj.mjs_addExclude(mjSpec)!;
    pair.bodyname1 = first;
    pair.bodyname2 = second;
  }
}

/** Sets time step, integrator and solver. */
export function applyOptions(mj: MainModule, spec: MjSpec): void {
  spec.memory = ARENA_BYTES;
  spec.option.timestep = 0.005;
  spec.option.integrator = mj.mjtIntegrator.mjINT_IMPLICITFAST.value;
  spec.option.solver = mj.mjtSolver.mjSOL_NEWTON.value;
  spec.option.cone = mj.mjtCone.mjCONE_PYRAMIDAL.value;
  spec.option.iterations = 10;
  spec.option.ls_iterations = 20;
  // Disable MuJoCo's automatic reset, so that a diverged state stays visible.
  spec.option.disableflags |= mj.mjtDisableBit.mjDSBL_AUTORESET.value;
}
