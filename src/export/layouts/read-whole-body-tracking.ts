import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { onnxMetadata } from '../../formats/onnx/policy-metadata.ts';
import { embeddedFrames } from '../../policy/onnx/embedded-motion.ts';
import { OnnxGraph } from '../../policy/onnx/graph/onnx-graph.ts';
import type { Tensor } from '../../policy/onnx/graph/tensor.ts';
import { EMBEDDED_FPS } from '../../runs/store/run-record.ts';
import type { Bundle, BundleClip, BundleObservation } from './bundle.ts';
import type { BundleArchive } from './bundle-archive.ts';
import { LAYOUTS, readingNamed } from './layout.ts';

const CLIP_OUTPUTS = ['joint_pos', 'joint_vel', 'body_pos_w', 'body_quat_w'] as const;
const VELOCITY_OUTPUTS = ['body_lin_vel_w', 'body_ang_vel_w'] as const;

/** Reads an ONNX file that contains the clip, using its metadata. */
export function readWholeBodyTracking(archive: BundleArchive, file: string): Bundle {
  const model = archive.onnx(file);
  const metadata = onnxMetadata(model);
  const wrong = (key: string, text: string) => badInput(`${file}: metadata ${key}: ${text}`);
  const joints = metadata.jointNames;
  if (!joints) throw wrong('joint_names', 'is missing. The controller needs the order of the joints');
  const perJoint = (key: string, values: readonly number[] | null) => {
    if (values?.length !== joints.length)
      throw wrong(key, `has ${values?.length ?? 0} numbers, expected ${joints.length}: one per joint`);
    return values;
  };
  const bodies = metadata.bodyNames;
  const anchor = metadata.anchorBodyName;
  if (!bodies || anchor === null || !bodies.includes(anchor))
    throw wrong('body_names', 'must include anchor_body_name. Otherwise the controller does not start');
  const frames = embeddedFrames(model);
  if (frames === null) throw badInput(`${file}: has no input time_step, so it does not contain a clip`);
  return {
    format: 'whole_body_tracking',
    joints,
    stiffness: perJoint('joint_stiffness', metadata.stiffness),
    damping: perJoint('joint_damping', metadata.damping),
    defaultPos: perJoint('default_joint_pos', metadata.defaultJointPos),
    scale: perJoint('action_scale', metadata.actionScale),
    offset: metadata.defaultJointPos,
    stepS: 1 / EMBEDDED_FPS,
    anchor,
    observations: observationsOf(metadata, file),
    graph: new OnnxGraph(model, ['actions']),
    clip: clipOf(
      new OnnxGraph(model, [
        ...CLIP_OUTPUTS,
        ...VELOCITY_OUTPUTS.filter((name) => model.outputs.some((output) => output.name === name)),
      ]),
      { frames, bodies, anchor },
    ),
  };
}

function observationsOf(
  { observationNames, historyLengths }: ReturnType<typeof onnxMetadata>,
  file: string,
): BundleObservation[] {
  const names = observationNames ?? [];
  if (names.length === 0) throw badInput(`${file}: metadata observation_names: is missing`);
  return names.map((name, k) => {
    const reading = readingNamed(LAYOUTS.whole_body_tracking, name);
    if (!reading)
      throw badInput(
        `${file}: metadata observation_names: motion_tracking_controller has no observation ${quoteName(name)}`,
      );
    return { name, reading, history: Math.max(1, historyLengths?.[k] ?? 1), limits: null, scale: null };
  });
}

/** Reads the clip frame by frame from the outputs of the graph. */
function clipOf(
  graph: OnnxGraph,
  { frames, bodies, anchor }: { readonly frames: number; readonly bodies: readonly string[]; readonly anchor: string },
): BundleClip {
  const still = new Float32Array(3);
  return {
    name: null,
    frames,
    at(frame) {
      const step = { shape: [1, 1], data: Float32Array.of(Math.min(frame, frames - 1)) };
      const out = graph.run({ time_step: step, obs: { shape: [1, 0], data: new Float32Array(0) } });
      const rows = (tensor: Tensor | undefined, width: number) =>
        new Map(bodies.map((name, k) => [name, tensor?.data.subarray(k * width, (k + 1) * width) ?? still]));
      const [bodyPos, bodyQuat] = [rows(out['body_pos_w'], 3), rows(out['body_quat_w'], 4)];
      return {
        jointPos: out['joint_pos']!.data,
        jointVel: out['joint_vel']!.data,
        bodyPos,
        bodyQuat,
        anchor: {
          pos: bodyPos.get(anchor)!,
          quat: bodyQuat.get(anchor)!,
          linVel: rows(out['body_lin_vel_w'], 3).get(anchor)!,
          angVel: rows(out['body_ang_vel_w'], 3).get(anchor)!,
        },
      };
    },
  };
}
