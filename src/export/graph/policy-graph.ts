import type { OnnxModel, OnnxTensor, OnnxValue } from '../../formats/onnx/onnx-model.ts';
import { policyModel } from '../../policy/onnx/export-policy.ts';
import type { PolicyWeights } from '../../policy/policy.ts';
import type { ExportPlan } from '../export-plan.ts';
import type { RunPolicy } from '../run-policy.ts';
import { GraphWriter } from './graph-writer.ts';

/** Name of the network's own output, if the graph processes it further. */
const NETWORK_ACTIONS = 'network_actions';
/** Largest float32 value, used as a limit that has no effect. */
const LARGEST = 3.4028234663852886e38;

/** The clip as the exported ONNX graph contains it, float32, in the robot's joint order. */
export interface GraphClip {
  readonly frames: number;
  /** (frames, joints) positions, rad, and velocities, rad/s */
  readonly jointPos: Float32Array;
  readonly jointVel: Float32Array;
  /** (frames, columns) observations that depend only on the clip */
  readonly table: Float32Array;
}

/** Builds the graph that maps the observations of a controller to its actions: `obs` (1, inputs) to `actions` (1,
 *  joints). Without tables, reference and limits, the graph contains only the network. */
export function policyGraph(
  policy: RunPolicy,
  plan: ExportPlan,
  weights: PolicyWeights,
  clip: GraphClip,
): Omit<OnnxModel, 'metadata'> {
  const network = policyModel(weights, new Map());
  const joints = policy.joints.length;
  const before = new GraphWriter();
  const looksUp = plan.tables.length > 0 || plan.columns.some(({ from }) => from === 'previous');
  if (looksUp) findFrame(before, policy, plan, clip);
  const obs = networkInput(before, policy, plan, clip);
  const after = new GraphWriter();
  const actions = outputs(after, policy, plan);
  const rename = (name: string) => (name === 'obs' ? obs : name === 'actions' ? actions : name);
  return {
    nodes: [
      ...before.nodes,
      ...network.nodes.map((node) => ({
        ...node,
        name: rename(node.name),
        inputs: node.inputs.map(rename),
        outputs: node.outputs.map(rename),
      })),
      ...after.nodes,
    ],
    initializers: new Map([...before.constants, ...network.initializers, ...after.constants]),
    inputs: [{ name: 'obs', shape: [1, plan.inputs] }],
    outputs: [{ name: 'actions', shape: [1, joints] }],
  };
}

/** Adds the outputs of an embedded clip: rows of constant tables, selected by the input `time_step` (1, 1). Steps after
 *  the end of the clip select its last frame. @param tables (frames, …) by name of the output */
export function withClipOutputs(
  graph: Omit<OnnxModel, 'metadata'>,
  frames: number,
  tables: Readonly<Record<string, OnnxTensor>>,
): Omit<OnnxModel, 'metadata'> {
  const writer = new GraphWriter();
  // In opset 11, Clip accepts only float32, so it comes before the cast.
  writer.constant('first_step', [], [0]);
  writer.constant('last_step', [], [frames - 1]);
  writer.node('Clip', ['time_step', 'first_step', 'last_step'], 'step_in_clip');
  writer.node('Cast', ['step_in_clip'], 'step_number', { to: { int: 7 } });
  writer.constants.set('one_step', { shape: [1], data: BigInt64Array.of(1n) });
  writer.node('Reshape', ['step_number', 'one_step'], 'step');
  const outputs: OnnxValue[] = [];
  for (const [name, tensor] of Object.entries(tables)) {
    writer.constants.set(`clip.${name}`, tensor);
    writer.node('Gather', [`clip.${name}`, 'step'], name, { axis: { int: 0 } });
    outputs.push({ name, shape: [1, ...tensor.shape.slice(1)] });
  }
  return {
    nodes: [...graph.nodes, ...writer.nodes],
    initializers: new Map([...graph.initializers, ...writer.constants]),
    inputs: [...graph.inputs, { name: 'time_step', shape: [1, 1] }],
    outputs: [...graph.outputs, ...outputs],
  };
}

/** Finds the frame of the clip whose command is closest to the newest observed command: the smallest sum of absolute
 *  differences, which is 0 for the exact frame. The result does not depend on how the controller counts steps. */
function findFrame(writer: GraphWriter, { joints }: RunPolicy, plan: ExportPlan, clip: GraphClip): void {
  const count = joints.length;
  const { offset, width, history } = plan.observations.find(({ reading }) => reading === 'command')!;
  const newest = offset + (history - 1) * width;
  const commands = new Float32Array(clip.frames * width);
  for (let frame = 0; frame < clip.frames; frame += 1) {
    commands.set(clip.jointPos.subarray(frame * count, (frame + 1) * count), frame * width);
    commands.set(clip.jointVel.subarray(frame * count, (frame + 1) * count), frame * width + count);
  }
  writer.constants.set('clip.commands', { shape: [clip.frames, width], data: commands });
  writer.pick(
    'obs',
    'command',
    Array.from({ length: width }, (_, k) => newest + k),
  );
  writer.node('Sub', ['clip.commands', 'command'], 'command_differences');
  writer.node('Abs', ['command_differences'], 'command_distances');
  writer.node('ReduceSum', ['command_distances'], 'frame_distances', { axes: { ints: [1] }, keepdims: { int: 0 } });
  writer.node('ArgMin', ['frame_distances'], 'frame', { axis: { int: 0 }, keepdims: { int: 1 } });
}

/** Arranges the input of the trained network. @returns name of the arranged value */
function networkInput(writer: GraphWriter, policy: RunPolicy, plan: ExportPlan, clip: GraphClip): string {
  const parts = ['obs'];
  const starts = { input: 0, table: plan.inputs, previous: plan.inputs };
  if (plan.tables.length > 0) {
    const columns = clip.table.length / clip.frames;
    writer.constants.set('clip.observations', { shape: [clip.frames, columns], data: clip.table });
    writer.node('Gather', ['clip.observations', 'frame'], 'observations_of_clip', { axis: { int: 0 } });
    parts.push('observations_of_clip');
    starts.previous += columns;
  }
  if (plan.columns.some(({ from }) => from === 'previous')) parts.push(...previousActions(writer, policy, plan, clip));
  const places = plan.columns.map(({ from, index }) => starts[from] + index);
  let value = 'obs';
  if (parts.length > 1) {
    writer.node('Concat', parts, 'all_observations', { axis: { int: 1 } });
    value = 'all_observations';
  }
  const isWhole = parts.length === 1 && places.length === plan.inputs && places.every((place, k) => place === k);
  if (!isWhole) {
    writer.pick(value, 'arranged_obs', places);
    value = 'arranged_obs';
  }
  return adapted(writer, policy, atSensors(writer, policy, plan, value));
}

/** Adds ω × r to the observed velocities of sensors at r from the origin of the root, because the controller gives the
 *  velocity v and the angular velocity ω of the root, both in its frame. @returns name of the value */
function atSensors(writer: GraphWriter, { terms }: RunPolicy, plan: ExportPlan, from: string): string {
  const omega = plan.observations.find(({ reading }) => reading === 'base_ang_vel');
  if (plan.levers.length === 0 || !omega) return from;
  const columns = plan.columns.length;
  const matrix = new Float32Array(plan.inputs * columns);
  let first = 0;
  for (const { source, history, width } of terms) {
    const lever = source.kind === 'reading' ? source.lever : undefined;
    for (let k = 0; lever && k < history; k += 1) {
      // Both histories end with the newest value.
      const spin = omega.offset + (omega.history - history + k) * omega.width;
      for (let axis = 0; axis < 3; axis += 1) {
        const [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
        matrix[(spin + next) * columns + first + 3 * k + axis] = lever[last]!;
        matrix[(spin + last) * columns + first + 3 * k + axis] = -lever[next]!;
      }
    }
    first += width * history;
  }
  writer.constants.set('obs.levers', { shape: [plan.inputs, columns], data: matrix });
  writer.node('MatMul', ['obs', 'obs.levers'], 'sensor_velocities');
  writer.node('Add', [from, 'sensor_velocities'], 'obs_at_sensors');
  return 'obs_at_sensors';
}

/** Applies the clipping and the scale of the observations. */
function adapted(writer: GraphWriter, { terms }: RunPolicy, from: string): string {
  const lower: number[] = [];
  const upper: number[] = [];
  const scale: number[] = [];
  for (const { config, history, width: dim } of terms) {
    for (let k = 0; k < dim * history; k += 1) {
      lower.push(config.clip?.[0] ?? -LARGEST);
      upper.push(config.clip?.[1] ?? LARGEST);
      scale.push(typeof config.scale === 'number' ? config.scale : (config.scale?.[k % dim] ?? 1));
    }
  }
  let value = from;
  const shape = [1, lower.length];
  if (lower.some((limit) => limit !== -LARGEST) || upper.some((limit) => limit !== LARGEST)) {
    writer.constant('obs.lower', shape, lower);
    writer.constant('obs.upper', shape, upper);
    writer.node('Max', [value, 'obs.lower'], 'obs_from_below');
    writer.node('Min', ['obs_from_below', 'obs.upper'], 'clipped_obs');
    value = 'clipped_obs';
  }
  if (scale.some((factor) => factor !== 1)) {
    writer.constant('obs.scale', shape, scale);
    writer.node('Mul', [value, 'obs.scale'], 'scaled_obs');
    value = 'scaled_obs';
  }
  return value;
}

/** Removes the reference from the last actions: a = a′ − (q_ref − q_default) / scale, with the reference of the frame
 *  in which the action was computed. An action of zeros, as before the first step, stays zero.
 *  @returns names of the parts, oldest first, each (1, joints) */
function previousActions(writer: GraphWriter, policy: RunPolicy, plan: ExportPlan, clip: GraphClip): string[] {
  const count = policy.joints.length;
  const { offset, width, history } = plan.observations.find(({ reading }) => reading === 'last_action')!;
  const table = Float32Array.from(clip.jointPos, (position, k) => {
    const j = k % count;
    return Math.fround(Math.fround(position - Math.fround(policy.defaultPos[j]!)) / Math.fround(policy.scale[j]!));
  });
  writer.constants.set('clip.reference_actions', { shape: [clip.frames, count], data: table });
  const frames = Array.from({ length: clip.frames }, (_, frame) => frame);
  return Array.from({ length: history }, (_, k) => {
    const age = history - k;
    const own = (name: string) => `${name}_${age}`;
    writer.indices(
      own('frames_before'),
      frames.map((frame) => Math.max(0, frame - age)),
    );
    writer.node('Gather', [own('frames_before'), 'frame'], own('frame_of_action'), { axis: { int: 0 } });
    writer.node('Gather', ['clip.reference_actions', own('frame_of_action')], own('reference_action'), {
      axis: { int: 0 },
    });
    writer.pick(
      'obs',
      own('given_action'),
      Array.from({ length: count }, (_unused, j) => offset + k * width + j),
    );
    writer.node('Abs', [own('given_action')], own('action_sizes'));
    writer.node('ReduceSum', [own('action_sizes')], own('action_size'), { axes: { ints: [1] }, keepdims: { int: 1 } });
    writer.node('Sign', [own('action_size')], own('has_acted'));
    writer.node('Mul', [own('reference_action'), own('has_acted')], own('reference_part'));
    writer.node('Sub', [own('given_action'), own('reference_part')], own('last_action'));
    return own('last_action');
  });
}

/** Limits the actions and adds the reference. @returns the name of the network's own output */
function outputs(writer: GraphWriter, policy: RunPolicy, plan: ExportPlan): string {
  const { clip, defaultPos, scale } = policy;
  const count = policy.joints.length;
  let value: string = clip === null && !plan.foldsReference ? 'actions' : NETWORK_ACTIONS;
  const own = value;
  if (clip !== null) {
    const name = plan.foldsReference ? 'clipped_actions' : 'actions';
    writer.constant('actions.lower', [], [clip[0]]);
    writer.constant('actions.upper', [], [clip[1]]);
    writer.node('Clip', [value, 'actions.lower', 'actions.upper'], name);
    value = name;
  }
  if (plan.foldsReference) {
    const { offset, width, history } = plan.observations.find(({ reading }) => reading === 'command')!;
    const newest = offset + (history - 1) * width;
    writer.pick(
      'obs',
      'reference_joint_pos',
      Array.from({ length: count }, (_, j) => newest + j),
    );
    writer.constant('actions.default_joint_pos', [1, count], defaultPos);
    writer.constant('actions.scale', [1, count], scale);
    writer.node('Sub', ['reference_joint_pos', 'actions.default_joint_pos'], 'reference_offset');
    writer.node('Div', ['reference_offset', 'actions.scale'], 'reference_now');
    writer.node('Add', [value, 'reference_now'], 'actions');
  }
  return own;
}
