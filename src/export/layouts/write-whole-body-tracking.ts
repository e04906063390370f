import type { OnnxTensor } from '../../formats/onnx/onnx-model.ts';
import { writeOnnx } from '../../formats/onnx/write-onnx.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { BundleFiles, BundleParts } from '../bundle-files.ts';
import { policyGraph, withClipOutputs } from '../graph/policy-graph.ts';

/** ONNX opset version that whole_body_tracking exports. */
export const OPSET = 11;
const WHOLE_BODY_TRACKING_FILE = 'policy.onnx';

/** Writes one ONNX file that contains the clip and the metadata that motion_tracking_controller reads. */
export function writeWholeBodyTracking(parts: BundleParts): BundleFiles {
  const { policy, plan, weights, clip, table } = parts;
  const graph = policyGraph(policy, plan, weights, { ...clip, table });
  const bodies = trackedBodies(parts);
  const model = withClipOutputs(graph, clip.frames, clipTables(parts, bodies));
  const content = writeOnnx({ ...model, metadata: metadataOf(parts, bodies) }, { opset: OPSET });
  return new Map([[WHOLE_BODY_TRACKING_FILE, [content]]]);
}

/** Returns the tracked bodies. The controller requires the anchor among them, and a replay requires the root. */
function trackedBodies({ policy, facts }: BundleParts): string[] {
  return [...new Set([...policy.bodies, policy.anchor, facts.bodies[0]!.name])];
}

function clipTables({ clip, facts }: BundleParts, bodies: readonly string[]): Readonly<Record<string, OnnxTensor>> {
  const { frames, joints } = clip;
  const places = bodies.map((name) => facts.bodies.findIndex((body) => body.name === name));
  const ofBodies = (values: Float32Array, width: number): OnnxTensor => ({
    shape: [frames, bodies.length, width],
    data: pickBodies(clip, values, width, places),
  });
  return {
    joint_pos: { shape: [frames, joints], data: clip.jointPos },
    joint_vel: { shape: [frames, joints], data: clip.jointVel },
    body_pos_w: ofBodies(clip.bodyPosW, 3),
    body_quat_w: ofBodies(clip.bodyQuatW, 4),
    body_lin_vel_w: ofBodies(clip.bodyLinVelW, 3),
    body_ang_vel_w: ofBodies(clip.bodyAngVelW, 3),
  };
}

function pickBodies(
  { frames, bodies }: MotionLibrary,
  values: Float32Array,
  width: number,
  places: readonly number[],
): Float32Array {
  const out = new Float32Array(frames * places.length * width);
  for (let frame = 0, at = 0; frame < frames; frame += 1)
    for (const place of places) {
      const from = (frame * bodies + place) * width;
      out.set(values.subarray(from, from + width), at);
      at += width;
    }
  return out;
}

/** Returns the metadata with the keys of the exporter of the original project (upstream). Numbers have full precision;
 *  upstream rounds to three decimals. */
function metadataOf({ policy, plan, run }: BundleParts, bodies: readonly string[]): ReadonlyMap<string, string> {
  const list = (values: readonly (string | number)[]) => values.join(',');
  return new Map([
    ['run_path', run],
    ['joint_names', list(policy.joints)],
    ['joint_stiffness', list(policy.stiffness)],
    ['joint_damping', list(policy.damping)],
    ['default_joint_pos', list(policy.defaultPos)],
    ['command_names', 'motion'],
    ['observation_names', list(plan.observations.map(({ name }) => name))],
    ['observation_history_lengths', list(plan.observations.map(({ history }) => history))],
    ['action_scale', list(policy.scale)],
    ['anchor_body_name', policy.anchor],
    ['body_names', list(bodies)],
  ]);
}
