import { badInput } from '../core/errors.ts';
import { checkName } from '../core/files/names.ts';
import { relativePathProblem } from '../core/files/path-guard.ts';
import { readYaml } from '../core/yaml-file.ts';
import { RobotSpec } from '../protocol/schemas/robots.ts';

/** The file that makes a folder a robot. */
export const SPEC_FILE = 'robot.yaml';

/** Reads a robot.yaml. @param id name of the robot's folder; the `id` in the file must be equal
 *  @throws StudioError bad_input naming line and field */
export async function readRobotSpec(file: string, id: string): Promise<RobotSpec> {
  const yaml = await readYaml(file, SPEC_FILE).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? badInput(`robot ${id}: its file ${SPEC_FILE} is missing. Restore the file or import the robot again.`)
      : error;
  });
  const spec = yaml.check(RobotSpec);
  checkName('robot', spec.id, 'id');
  if (spec.id !== id) throw yaml.problemAt(['id'], `must be the folder's name, ${id}`);
  const problem = relativePathProblem(spec.model);
  if (problem !== null) throw yaml.problemAt(['model'], problem);
  return spec;
}
