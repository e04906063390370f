import { badInput } from '../core/errors.ts';
import type { RobotSpec } from '../protocol/schemas/robots.ts';
import { exportGeometry, type ViewerGeometry } from '../sim/geometry.ts';
import { type MainModule, type MjModel, type MjSpec, mujocoMessage, nameAt } from '../sim/mujoco.ts';
import { children, elementNames, elements } from '../sim/spec-elements.ts';
import { clampToLimits, type JointFacts, qposOf, type RobotFacts } from './robot-facts.ts';

/** A robot's model files by their path relative to its folder, '/'-separated. */
export type RobotFiles = ReadonlyMap<string, Uint8Array>;

export interface RobotModel {
  readonly facts: RobotFacts;
  readonly geometry: ViewerGeometry;
  /** compiled model without visual geoms and meshes, with floor and actuators (MJB) */
  readonly physics: Uint8Array;
}

/** Bytes of one MjData's arena. MuJoCo's default would take 15 MB; a G1 with self-collision has used 0.15 MB. */
const ARENA_BYTES = 1 << 20;
/** Slack between a default pose and the range it must lie in, rad: files carry rounded figures. */
const RANGE_SLACK = 1e-3;
const FOLDER = '/robot';

/** Compiles a robot: the MJCF as it is, plus what its spec says (free base, position actuators, armature, contacts).
 *
 *  Actuator: torque = kp (ctrl − q) − kd q̇, clamped to ± effort_limit. Physics: 5 ms, implicitfast, Newton,
 *  pyramidal cone, 10 iterations, 20 line-search steps.
 *
 *  Call it in a thread of its own: with meshes it takes seconds and half a gigabyte of heap that never shrinks.
 *  @throws StudioError bad_input naming the file or spec field that is wrong */
export function buildRobotModel(mj: MainModule, files: RobotFiles, spec: RobotSpec): RobotModel {
  const mjSpec = parse(mj, files, spec.model);
  prepareBase(mj, mjSpec, spec.model);
  applyJoints(mj, mjSpec, spec);
  applyContacts(mj, mjSpec, spec);
  applyOptions(mj, mjSpec);
  const model = compile(mj, mjSpec, spec.model);
  const facts = readFacts(model, spec);
  const height = standingHeight(mj, model, facts);
  const geometry = exportGeometry(model);
  stripVisuals(mj, mjSpec, model);
  addFloor(mj, mjSpec);
  const physics = compile(mj, mjSpec, spec.model);
  mj.mj_saveModel(physics, '/physics.mjb', null);
  const bytes = mj.FS.readFile('/physics.mjb') as Uint8Array;
  physics.delete();
  model.delete();
  return { facts: { ...facts, height }, geometry, physics: bytes };
}

function parse(mj: MainModule, files: RobotFiles, modelPath: string): MjSpec {
  const text = files.get(modelPath);
  if (!text) throw badInput(`model: the robot's folder has no file ${modelPath}`);
  mj.FS.mkdir(FOLDER);
  for (const [path, bytes] of files) {
    const parts = path.split('/');
    for (let k = 1; k < parts.length; k++) makeFolder(mj, `${FOLDER}/${parts.slice(0, k).join('/')}`);
    mj.FS.writeFile(`${FOLDER}/${path}`, bytes);
  }
  try {
    const folder = `${FOLDER}/${modelPath.slice(0, modelPath.lastIndexOf('/') + 1)}`;
    mj.FS.chdir(folder); // includes are opened relative to the working folder
    const spec = mj.parseXMLString(new TextDecoder().decode(text));
    spec.modelfiledir = folder;
    return spec;
  } catch (error) {
    throw badInput(`${modelPath} is no valid MJCF: ${mujocoMessage(error)}`);
  }
}

function makeFolder(mj: MainModule, path: string): void {
  if (!mj.FS.analyzePath(path, false).exists) mj.FS.mkdir(path);
}

function compile(mj: MainModule, spec: MjSpec, modelPath: string): MjModel {
  try {
    return mj.mj_compile(spec);
  } catch (error) {
    throw badInput(`${modelPath} does not compile: ${mujocoMessage(error)}`);
  }
}

/** One free root body; nothing that belongs to a scene (floor, lights) or drives the model by other means. */
function prepareBase(mj: MainModule, spec: MjSpec, modelPath: string): void {
  const { mjOBJ_ACTUATOR, mjOBJ_KEY, mjOBJ_GEOM, mjOBJ_BODY, mjOBJ_JOINT, mjOBJ_LIGHT } = mj.mjtObj;
  for (const kind of [mjOBJ_ACTUATOR, mjOBJ_KEY]) {
    for (const element of elements(mj, spec, kind)) mj.mjs_delete(spec, element);
  }
  const world = mj.mjs_findBody(spec, 'world')!;
  for (const kind of [mjOBJ_GEOM, mjOBJ_LIGHT]) {
    for (const element of children(mj, world, kind)) mj.mjs_delete(spec, element);
  }
  const roots = children(mj, world, mjOBJ_BODY);
  if (roots.length !== 1) {
    const names = roots.map((element) => mj.mjs_getName(element)).join(', ');
    throw badInput(`${modelPath} must have one root body, it has ${roots.length}${names && `: ${names}`}`);
  }
  const root = mj.mjs_asBody(roots[0]!)!;
  const joints = children(mj, root, mjOBJ_JOINT).map((element) => mj.mjs_asJoint(element)!);
  if (joints.some((joint) => joint.type === mj.mjtJoint.mjJNT_FREE)) return;
  if (joints.length > 0) {
    throw badInput(
      `${modelPath}: the root body ${mj.mjs_getName(roots[0]!)} must have a free joint or no joint at all`,
    );
  }
  mj.mjs_setName(mj.mjs_addFreeJoint(root)!.element, 'floating_base_joint');
}

function applyJoints(mj: MainModule, mjSpec: MjSpec, spec: RobotSpec): void {
  const joints = new Map(
    elements(mj, mjSpec, mj.mjtObj.mjOBJ_JOINT).map((element) => [mj.mjs_getName(element), element]),
  );
  for (const [name, settings] of Object.entries(spec.joints)) {
    const element = joints.get(name);
    if (!element) throw badInput(`joints.${name}: ${spec.model} has no joint of this name`);
    mj.mjs_asJoint(element)!.armature = settings.armature;
    const actuator = mj.mjs_addActuator(mjSpec, mj.mjs_getSpecDefault(mjSpec)!)!;
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

function applyContacts(mj: MainModule, mjSpec: MjSpec, spec: RobotSpec): void {
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
      // With type 0 and affinity 1 a geom meets the floor (type 1) but not its own kind.
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

function applyOptions(mj: MainModule, spec: MjSpec): void {
  spec.memory = ARENA_BYTES;
  spec.option.timestep = 0.005;
  spec.option.integrator = mj.mjtIntegrator.mjINT_IMPLICITFAST.value;
  spec.option.solver = mj.mjtSolver.mjSOL_NEWTON.value;
  spec.option.cone = mj.mjtCone.mjCONE_PYRAMIDAL.value;
  spec.option.iterations = 10;
  spec.option.ls_iterations = 20;
  // A diverged state must stay visible instead of being reset behind our back.
  spec.option.disableflags |= mj.mjtDisableBit.mjDSBL_AUTORESET.value;
}

const JOINT_TYPES = ['free', 'ball', 'slide', 'hinge'] as const;

function readFacts(model: MjModel, spec: RobotSpec): Omit<RobotFacts, 'height'> {
  const joints: JointFacts[] = [];
  for (let j = 0; j < model.njnt; j++) {
    const type = JOINT_TYPES[model.jnt_type[j] as 0 | 1 | 2 | 3];
    const name = nameAt(model, model.name_jntadr[j]);
    if (type === 'free') {
      if (j === 0) continue;
      throw badInput(`${spec.model}: joint ${name} is free, only the root body may be`);
    }
    if (type === 'ball') throw badInput(`${spec.model}: ball joint ${name} is not supported, use three hinges`);
    const lower: number = model.jnt_range[2 * j];
    const upper: number = model.jnt_range[2 * j + 1];
    const limited = lower < upper;
    const settings = Object.hasOwn(spec.joints, name) ? spec.joints[name] : undefined;
    const joint: JointFacts = {
      name,
      type,
      lower: limited ? lower : null,
      upper: limited ? upper : null,
      default: settings?.default ?? 0,
      effortLimit: settings?.effort_limit ?? null,
      velocityLimit: settings?.velocity_limit ?? settings?.torque_speed?.x2 ?? null,
      stiffness: settings?.stiffness ?? 0,
      damping: settings?.damping ?? 0,
    };
    const clamped = clampToLimits(joint, joint.default);
    if (Math.abs(clamped - joint.default) > RANGE_SLACK) {
      throw badInput(`joints.${name}.default: ${joint.default} is outside the joint's range ${lower} to ${upper}`);
    }
    joints.push({ ...joint, default: clamped });
  }
  let mass = 0;
  for (let b = 1; b < model.nbody; b++) mass += model.body_mass[b];
  return {
    id: spec.id,
    name: spec.name,
    joints,
    bodies: Array.from({ length: model.nbody - 1 }, (_, k) => ({
      name: nameAt(model, model.name_bodyadr[k + 1]),
      parent: model.body_parentid[k + 1] - 1,
    })),
    actuators: model.nu,
    mass,
    wiring: spec.wiring,
    endEffectors: spec.end_effectors ?? spec.wiring.feet,
    footSoleZ: spec.foot_sole_z ?? 0,
    rootHeight: spec.root_height,
  };
}

/** m, from the lowest to the highest corner of the geoms' boxes in the default pose. */
function standingHeight(mj: MainModule, model: MjModel, facts: Omit<RobotFacts, 'height'>): number {
  const data = new mj.MjData(model);
  data.qpos.set(
    qposOf(
      facts.rootHeight,
      facts.joints.map((joint) => joint.default),
    ),
  );
  mj.mj_kinematics(model, data);
  const { geom_xpos: position, geom_xmat: rotation } = data;
  const box = model.geom_aabb;
  let lowest = Infinity;
  let highest = -Infinity;
  for (let g = 0; g < model.ngeom; g++) {
    let centre = position[3 * g + 2];
    let half = 0;
    for (let k = 0; k < 3; k++) {
      const up = rotation[9 * g + 6 + k];
      centre += up * box[6 * g + k];
      half += Math.abs(up) * box[6 * g + 3 + k];
    }
    lowest = Math.min(lowest, centre - half);
    highest = Math.max(highest, centre + half);
  }
  data.delete();
  return model.ngeom > 0 ? highest - lowest : 0;
}

/** Takes away what only draws. Masses are written out first: without visual geoms MuJoCo could not infer them. */
function stripVisuals(mj: MainModule, spec: MjSpec, compiled: MjModel): void {
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_BODY)) {
    const body = mj.mjs_asBody(element)!;
    const id = mj.mjs_getId(element);
    if (id === 0) continue;
    body.explicitinertial = true;
    body.mass = compiled.body_mass[id];
    body.ipos.set(compiled.body_ipos.slice(3 * id, 3 * id + 3));
    body.iquat.set(compiled.body_iquat.slice(4 * id, 4 * id + 4));
    body.inertia.set(compiled.body_inertia.slice(3 * id, 3 * id + 3));
    body.fullinertia.fill(Number.NaN);
  }
  const used = new Set<string>();
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_GEOM)) {
    const geom = mj.mjs_asGeom(element)!;
    if (geom.contype === 0 && geom.conaffinity === 0) mj.mjs_delete(spec, element);
    else used.add(geom.meshname);
  }
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_MESH)) {
    if (!used.has(meshName(mj, element))) mj.mjs_delete(spec, element);
  }
}

/** A mesh without a name goes by its file's stem. */
function meshName(mj: MainModule, element: Parameters<MainModule['mjs_getName']>[0]): string {
  const name = mj.mjs_getName(element);
  if (name !== '') return name;
  const file = mj.mjs_asMesh(element)!.file;
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
}

function addFloor(mj: MainModule, spec: MjSpec): void {
  const floor = mj.mjs_addGeom(mj.mjs_findBody(spec, 'world')!, mj.mjs_getSpecDefault(spec)!)!;
  mj.mjs_setName(floor.element, 'floor');
  floor.type = mj.mjtGeom.mjGEOM_PLANE;
  floor.size.set([0, 0, 0.05]);
}
