import { badInput } from '../../core/errors.ts';
import { findFeet, standingPose } from '../../robots/kinematics/feet.ts';
import type { MainModule, MjModel } from '../../sim/mujoco.ts';
import type { TermIndices } from '../env-state.ts';
import type { TaskConfig, TerrainConfig } from '../task-config.ts';
import { TerrainField } from '../terrain/terrain-field.ts';
import type { EnvironmentOptions } from './environment-options.ts';
import { keepLightContacts, keepSoleContacts } from './light-contacts.ts';
import type { PhysicsBatch } from './physics-batch.ts';
import { ROOT_POSITIONS, ROOT_VELOCITIES } from './read-state.ts';

/** From this number of degrees of freedom on, constraint Jacobians are set to sparse. */
const SPARSE_FROM = 30;

const INTEGRATORS = {
  euler: 'mjINT_EULER',
  implicit: 'mjINT_IMPLICIT',
  implicitfast: 'mjINT_IMPLICITFAST',
  rk4: 'mjINT_RK4',
} as const;
const SOLVERS = { newton: 'mjSOL_NEWTON', cg: 'mjSOL_CG', pgs: 'mjSOL_PGS' } as const;
const CONES = { pyramidal: 'mjCONE_PYRAMIDAL', elliptic: 'mjCONE_ELLIPTIC' } as const;

/** Sets the physics options and contacts of a task in a model.
 *  @throws StudioError bad_input for a robot without a free root or with other joints than hinges and slides */
export function prepareModel(
  { mj, facts, config }: EnvironmentOptions,
  physics: PhysicsBatch,
  indices: TermIndices,
): void {
  const { model } = physics;
  const joints = facts.joints.length;
  if (model.nq !== joints + ROOT_POSITIONS || model.nv !== joints + ROOT_VELOCITIES)
    throw badInput(`${facts.name}: only robots with a free root and hinge or slide joints can be trained and played`);
  applyOptions(mj, model, config);
  const { contacts } = config.sim;
  const feet = () => findFeet(mj, model, standingPose(facts), indices.feet);
  if (contacts === 'light') keepLightContacts(mj, model, feet());
  if (contacts === 'soles') keepSoleContacts(mj, model, feet());
  const { friction, mass_scale: massScale = 1 } = config.variation ?? {};
  if (friction !== undefined) for (let geom = 0; geom < model.ngeom; geom++) model.geom_friction[3 * geom] = friction;
  if (massScale !== 1) scaleMasses(mj, physics, massScale);
}

/** Fills the height field of the model with a task's terrain. @param origins (n, 3) m of the environments in the world
 *  @returns null on a plane */
export function prepareTerrain(
  config: TerrainConfig,
  physics: PhysicsBatch,
  origins: Float64Array,
): TerrainField | null {
  if (config.type === 'plane') return null;
  const { model } = physics;
  const terrain = new TerrainField(config);
  if (model.nhfield === 0) throw new Error('uneven terrain needs a model with a height field');
  terrain.fill(model.hfield_data as Float32Array);
  physics.repeatGround(config.tile_size, origins);
  return terrain;
}

/** Multiplies masses and inertias, and recomputes the values that the compiler derived from them. */
function scaleMasses(mj: MainModule, { model, data }: PhysicsBatch, factor: number): void {
  for (const values of [model.body_mass, model.body_inertia] as Float64Array[])
    for (let k = 0; k < values.length; k++) values[k] = factor * values[k]!;
  mj.mj_setConst(model, data);
}

function applyOptions(mj: MainModule, model: MjModel, { sim, variation = {} }: TaskConfig): void {
  const { opt } = model;
  opt.timestep = sim.timestep;
  // By default, MuJoCo chooses sparse Jacobians from 60 degrees of freedom on. Measured: they make a step of a G1 (35
  // degrees of freedom) 15 % faster.
  if (model.nv >= SPARSE_FROM) opt.jacobian = mj.mjtJacobian.mjJAC_SPARSE.value;
  // Each robot is one island, so the search for more islands is disabled. It takes 4 % of a G1's step.
  opt.disableflags |= mj.mjtDisableBit.mjDSBL_ISLAND.value;
  opt.iterations = sim.iterations;
  opt.ls_iterations = sim.ls_iterations;
  (opt.gravity as Float64Array).set(sim.gravity);
  const { integrator, solver, cone } = variation;
  if (integrator) opt.integrator = mj.mjtIntegrator[INTEGRATORS[integrator]].value;
  if (solver) opt.solver = mj.mjtSolver[SOLVERS[solver]].value;
  if (cone) opt.cone = mj.mjtCone[CONES[cone]].value;
}
