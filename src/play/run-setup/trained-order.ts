import { existsSync } from 'node:fs';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { onnxMetadata } from '../../formats/onnx/policy-metadata.ts';
import { readOnnxFile } from '../../formats/onnx/read-onnx-file.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { type ParamsMap, textsAt } from '../../runs/params/params-file.ts';
import { RUN_FILES } from '../../runs/store/run-record.ts';
import { type JointOrder, orderOfNames } from './joint-order.ts';
import { isaacRobot } from './trained-robot.ts';

/** Returns the order of the joints in the policy of a run of rsl_rl. Without a statement, policies of mjlab have the
 *  joints in the order of the model, which is the robot's. Isaac Lab orders joints by their distance from the root, so
 *  its runs must state their names: in `config.yaml`, or in the metadata of an ONNX file that its play script or its
 *  trainer exported beside the checkpoints.
 *  @param params `config.yaml` of the run, or null
 *  @throws StudioError bad_input if a run of Isaac Lab names no joints, or for names that the robot does not have */
export function trainedOrder(folder: string, env: ParamsMap, params: ParamsMap | null, facts: RobotFacts): JointOrder {
  const names = textsAt(params, 'joint_names');
  if (names) return orderOfNames(names, facts, `${RUN_FILES.config}: joint_names`);
  if (isaacRobot(env) === null) return [...facts.joints.keys()];
  // The trainer of whole_body_tracking names the exported file after the folder of the run.
  for (const file of [RUN_FILES.onnx, `${path.basename(folder)}.onnx`]) {
    if (!existsSync(path.join(folder, file))) continue;
    const { jointNames } = onnxMetadata(readOnnxFile(path.join(folder, file)));
    if (jointNames) return orderOfNames(jointNames, facts, `${file}: metadata joint_names`);
  }
  throw badInput(
    `${RUN_FILES.env}: scene.robot: the run was trained in Isaac Lab, which orders joints in its own way, and its files do not name the joints. Export the policy with the metadata joint_names to ${RUN_FILES.onnx}, or add ${RUN_FILES.config} with joint_names in the order of the policy.`,
  );
}
