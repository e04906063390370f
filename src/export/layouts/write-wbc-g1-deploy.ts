import { formatYaml } from '../../core/yaml-file.ts';
import { writeOnnx } from '../../formats/onnx/write-onnx.ts';
import type { BundleFiles, BundleParts } from '../bundle-files.ts';
import { policyGraph } from '../graph/policy-graph.ts';
import { motionFile } from './motion-file.ts';
import { OPSET } from './write-whole-body-tracking.ts';

export const WBC_SCHEMA = 'wbc_tracking_params_v1';
/** Paths in the bundle. The folder `config` is merged into the folder of the same name of the controller. */
export const WBC_FILES = {
  config: 'config/policy/wbc/params/config.yaml',
  policy: 'config/policy/wbc/params/policy.onnx',
  clips: 'config/clips',
  manifest: 'config/clips/manifest.yaml',
  defaults: 'config/robot_defaults.yaml',
} as const;
/** Share of the effort limit to which the controller limits targets. */
const TORQUE_SHARE = 0.98;

/** Writes the configuration files for wbc-g1-deploy. */
export function writeWbcG1Deploy(parts: BundleParts): BundleFiles {
  const { policy, plan, weights, clip, table, facts } = parts;
  const name = clip.clips[0]!.name;
  const graph = policyGraph(policy, plan, weights, { ...clip, table });
  const content = writeOnnx({ ...graph, metadata: new Map([['run_path', parts.run]]) }, { opset: OPSET });
  const yaml = (value: object) => [Buffer.from(formatYaml(value))];
  return new Map([
    [WBC_FILES.config, yaml(trackingParams(parts))],
    [WBC_FILES.policy, [content]],
    [WBC_FILES.manifest, yaml({ clips: [{ name, file: `${name}.npz` }], default: name })],
    [
      `${WBC_FILES.clips}/${name}.npz`,
      motionFile(
        clip,
        facts.bodies.map((body) => body.name),
      ),
    ],
    [WBC_FILES.defaults, yaml(robotDefaults(parts))],
  ]);
}

function trackingParams({ policy, plan, facts }: BundleParts): object {
  const observed = plan.observations;
  const references = observed.filter(({ reading }) => reading.startsWith('ref_'));
  return {
    schema_version: WBC_SCHEMA,
    robot_id: facts.id,
    policy_step_dt: policy.stepS,
    joint_names: policy.joints,
    default_joint_pos: policy.defaultPos,
    stiffness: policy.stiffness,
    damping: policy.damping,
    action: {
      action_mode: policy.residual ? 'reference_residual' : 'default_relative',
      scale: policy.scale,
      // Without an offset, the controller adds nothing, not even the default pose.
      ...(policy.residual ? {} : { offset: policy.defaultPos }),
      command_name: 'motion',
    },
    actor_observations: Object.fromEntries(
      observed.map(({ name, width, reading }) => [
        name,
        {
          dim: width,
          scale: new Array<number>(width).fill(1),
          params: reading.startsWith('ref_') ? { command_name: 'motion' } : {},
        },
      ]),
    ),
    tracking: {
      anchor_body_name: policy.anchor,
      has_state_estimation: false,
      wbc_command_dim: references.reduce((sum, { width }) => sum + width, 0),
      reference_observation_names: references.map(({ name }) => name),
      actor_observation_names: observed.map(({ name }) => name),
      actor_history_length: observed[0]?.history ?? 1,
    },
  };
}

/** The controller prefers these values to those of config.yaml, so both must be equal. */
function robotDefaults({ policy, facts }: BundleParts): object {
  const limits = facts.joints.map(({ effortLimit }) => effortLimit);
  return {
    robot_id: facts.id,
    joint_ids_map: policy.joints.map((_, motor) => motor),
    stiffness: policy.stiffness,
    damping: policy.damping,
    default_joint_pos: policy.defaultPos,
    ...(limits.every((limit) => limit !== null)
      ? { pd_torque_clipping: { enabled: true, fraction: TORQUE_SHARE, joint_max_torque: limits } }
      : {}),
    wbc_tracking: { anchor_body_name: policy.anchor, env_origin_z: 0 },
  };
}
