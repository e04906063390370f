import { badInput } from '../../core/errors.ts';
import type { MainModule, MjModel } from '../../sim/mujoco.ts';
import type { TermIndices } from '../env-state.ts';
import type { SimConfig, TerrainConfig } from '../task-config.ts';
import { TerrainField } from '../terrain/terrain-field.ts';
import type { EnvironmentOptions } from './environment-options.ts';
import { keepSoleContacts } from './light-contacts.ts';
import type { PhysicsBatch } from './physics-batch.ts';
import { ROOT_POSITIONS, ROOT_VELOCITIES } from './read-state.ts';

/** From this number of degrees of freedom on, constraint Jacobians are set to sparse. */
const SPARSE_FROM = 30;

/** Sets the physics options and contacts of a task in a model.
 *  @throws StudioError bad_input for a robot without a free root or with other joints than hinges and slides */
export function prepareModel({ mj, facts, config }: EnvironmentOptions, model: MjModel, indices: TermIndices): void {
  const joints = facts.joints.length;
  if (model.nq !== joints + ROOT_POSITIONS || model.nv !== joints + ROOT_VELOCITIES)
    throw badInput(`${facts.name}: only robots with a free root and hinge or slide joints can be trained and played`);
  applyOptions(mj, model, config.sim);
  if (config.sim.contacts === 'soles') keepSoleContacts(mj, model, indices.feet);
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

function applyOptions(mj: MainModule, model: MjModel, sim: SimConfig): void {
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
}
