import type { RobotSpec } from '../protocol/schemas/robots.ts';
import { exportGeometry, type ViewerGeometry } from '../sim/geometry.ts';
import type { MainModule, MjModel, MjSpec } from '../sim/mujoco.ts';
import { elements, withBuiltInDefaults } from '../sim/spec-elements.ts';
import { applyContacts, applyJoints, applyOptions } from './apply-spec.ts';
import { measureFootSole } from './kinematics/foot-sole.ts';
import { PosedModel } from './kinematics/posed-model.ts';
import type { RobotFiles } from './prepare/model-files.ts';
import { compileSpec, prepareModel } from './prepare/prepare-model.ts';
import type { PreparedModel } from './prepare/prepared-model.ts';
import { placeOnRoot, readFacts, type StatedFacts, standingHeight } from './read-facts.ts';
import type { RobotFacts } from './robot-facts.ts';
import { GROUND } from './uneven-ground.ts';

const FLOOR = 'floor';

export interface RobotModel {
  readonly facts: RobotFacts;
  readonly geometry: ViewerGeometry;
  /** compiled model without visual geoms and meshes, with floor and actuators (MJB) */
  readonly physics: Uint8Array;
  /** the same model with a height field, all 0, instead of the plane (MJB) */
  readonly terrain: Uint8Array;
}

/** Compiles a robot: prepares its model (see PreparedModel) and applies its spec (position actuators, armature,
 *  contacts).
 *
 *  Actuator: torque = kp (ctrl − q) − kd q̇, clamped to ± effort_limit. Physics: 5 ms, implicitfast, Newton, pyramidal
 *  cone, 10 iterations, 20 line-search steps.
 *
 *  Call it in a separate thread: with meshes it takes seconds and half a gigabyte of heap that never shrinks.
 *  @throws StudioError bad_input naming the file or spec field that is wrong */
export function buildRobotModel(mj: MainModule, files: RobotFiles, spec: RobotSpec): RobotModel {
  return finishRobotModel(mj, prepareModel(mj, files, spec.model), spec);
}

/** Completes {@link buildRobotModel} for a model that is already prepared, so that meshes are decoded only once.
 *  @param prepared from `prepareModel`; its spec may already be compiled and is changed in place */
export function finishRobotModel(
  mj: MainModule,
  { spec: mjSpec, textures, velocimeterSite }: Pick<PreparedModel, 'spec' | 'textures' | 'velocimeterSite'>,
  spec: RobotSpec,
): RobotModel {
  const model = assembleModel(mj, mjSpec, spec);
  const facts = readFacts(model, spec);
  const height = standingHeight(mj, model, facts);
  const velocimeter = velocimeterSite === null ? null : placeOnRoot(model, velocimeterSite);
  const footSoleZ = spec.foot_sole_z ?? soleOfFeet(mj, model, facts);
  const geometry = exportGeometry(model, textures);
  const physics = compilePhysics(mj, mjSpec, model, spec.model);
  const terrain = compileTerrain(mj, mjSpec, spec.model);
  model.delete();
  return {
    facts: { ...facts, height, footSoleZ, ...(velocimeter ? { velocimeter } : {}) },
    geometry,
    physics: bytesOf(mj, physics),
    terrain: bytesOf(mj, terrain),
  };
}

/** Returns the distance from the origins of the feet down to their soles in the default pose, m; 0 for feet without
 *  collision shapes. */
function soleOfFeet(mj: MainModule, model: MjModel, { joints, wiring }: StatedFacts): number {
  const posed = new PosedModel(mj, model);
  try {
    posed.pose(new Map(joints.map((joint) => [joint.name, joint.default])));
    return Math.max(0, measureFootSole(posed, wiring.feet) ?? 0);
  } finally {
    posed.delete();
  }
}

/** Applies a spec to a prepared model and compiles it, with visual geoms and without floor.
 *  @throws StudioError bad_input naming the file or spec field that is wrong */
export function assembleModel(mj: MainModule, mjSpec: MjSpec, spec: RobotSpec): MjModel {
  applyJoints(mj, mjSpec, spec);
  applyContacts(mj, mjSpec, spec);
  applyOptions(mj, mjSpec);
  return compileSpec(mj, mjSpec, spec.model);
}

/** Removes visual geoms from an assembled model, adds the floor and compiles the rest.
 *  @param model from {@link assembleModel} for the same `mjSpec` */
export function compilePhysics(mj: MainModule, mjSpec: MjSpec, model: MjModel, modelPath: string): MjModel {
  stripVisuals(mj, mjSpec, model);
  addFloor(mj, mjSpec);
  return compileSpec(mj, mjSpec, modelPath);
}

/** Serialises a model as MJB. @param model is deleted */
function bytesOf(mj: MainModule, model: MjModel): Uint8Array {
  mj.mj_saveModel(model, '/physics.mjb', null);
  model.delete();
  const bytes = mj.FS.readFile('/physics.mjb') as Uint8Array;
  mj.FS.unlink('/physics.mjb');
  return bytes;
}

/** Replaces the floor by a height field and compiles. @param mjSpec the spec as {@link compilePhysics} leaves it */
function compileTerrain(mj: MainModule, mjSpec: MjSpec, modelPath: string): MjModel {
  const field = mj.mjs_addHField(mjSpec)!;
  mj.mjs_setName(field.element, FLOOR);
  field.nrow = GROUND.nodes;
  field.ncol = GROUND.nodes;
  field.size.set([GROUND.half, GROUND.half, GROUND.height, GROUND.base]);
  for (let node = 0; node < GROUND.nodes ** 2; node++) field.userdata.push_back(0);
  const floor = mj.mjs_asGeom(mj.mjs_findElement(mjSpec, mj.mjtObj.mjOBJ_GEOM, FLOOR)!)!;
  floor.type = mj.mjtGeom.mjGEOM_HFIELD;
  floor.hfieldname = FLOOR;
  return compileSpec(mj, mjSpec, modelPath);
}

/** Removes visual geoms and meshes. First writes the bodies' masses into the spec, because MuJoCo infers them from
 *  visual geoms. */
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
  // A model may ask for inertias from geoms even where bodies state them. The geoms that are left are not all of them.
  spec.compiler.inertiafromgeom = mj.mjtInertiaFromGeom.mjINERTIAFROMGEOM_FALSE;
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

/** Returns the name of a mesh. MuJoCo names an unnamed mesh after its file. */
function meshName(mj: MainModule, element: Parameters<MainModule['mjs_getName']>[0]): string {
  const name = mj.mjs_getName(element);
  if (name !== '') return name;
  const file = mj.mjs_asMesh(element)!.file;
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
}

/** Adds a plane with MuJoCo's built-in contact parameters. Defaults of the model file for geoms do not apply to it. */
function addFloor(mj: MainModule, spec: MjSpec): void {
  const world = mj.mjs_findBody(spec, 'world')!;
  const floor = withBuiltInDefaults(mj, (defaults) => mj.mjs_addGeom(world, defaults)!);
  mj.mjs_setName(floor.element, FLOOR);
  floor.type = mj.mjtGeom.mjGEOM_PLANE;
  floor.size.set([0, 0, 0.05]);
}
