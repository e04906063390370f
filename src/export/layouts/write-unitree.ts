import { formatYaml } from '../../core/yaml-file.ts';
import { writeOnnx } from '../../formats/onnx/write-onnx.ts';
import type { BundleFiles, BundleParts } from '../bundle-files.ts';
import type { PlannedObservation } from '../export-plan.ts';
import { policyGraph } from '../graph/policy-graph.ts';
import { motionFile } from './motion-file.ts';
import { OPSET } from './write-whole-body-tracking.ts';

/** Readings whose observations have a parameter with the name of the command. */
const OF_COMMAND: readonly string[] = ['command', 'anchor_ori_b'];

/** Returns the folder of a clip's policy in the robot's `config`. */
export function unitreeFolder(clip: string): string {
  return `policy/mimic/${clip}`;
}

/** Writes a policy folder for Unitree's controllers. */
export function writeUnitree(parts: BundleParts): BundleFiles {
  const { policy, plan, weights, clip, table } = parts;
  const name = clip.clips[0]!.name;
  const folder = unitreeFolder(name);
  const graph = policyGraph(policy, plan, weights, { ...clip, table });
  const content = writeOnnx({ ...graph, metadata: new Map() }, { opset: OPSET });
  return new Map([
    [`${folder}/exported/policy.onnx`, [content]],
    [`${folder}/params/deploy.yaml`, [Buffer.from(formatYaml(deployParams(parts)))]],
    [`${folder}/params/${name}.npz`, motionFile(clip, null)],
  ]);
}

function deployParams({ policy, plan }: BundleParts): object {
  return {
    // The motors are in the order of the robot's joints.
    joint_ids_map: policy.joints.map((_, motor) => motor),
    step_dt: policy.stepS,
    stiffness: policy.stiffness,
    damping: policy.damping,
    default_joint_pos: policy.defaultPos,
    commands: {},
    actions: {
      JointPositionAction: {
        clip: null,
        joint_names: policy.joints,
        scale: policy.scale,
        offset: policy.defaultPos,
        joint_ids: null,
      },
    },
    observations: Object.fromEntries(plan.observations.map((observation) => [observation.name, paramsOf(observation)])),
  };
}

function paramsOf({ reading, width, history }: PlannedObservation): object {
  return {
    params: OF_COMMAND.includes(reading) ? { command_name: 'motion' } : {},
    clip: null,
    // Limits and scales of the observations are already applied in the graph.
    scale: new Array<number>(width).fill(1),
    history_length: history,
  };
}
