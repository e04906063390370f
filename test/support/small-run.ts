import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface SmallRun {
  /** action of every joint */
  readonly action?: number;
  /** control step, s */
  readonly stepS?: number;
}

/** Writes a run of kind `deploy` with one layer of zero weights. Its policy always gives the same action, by default
 *  the action that keeps the default pose.
 *  @param runs `logs/rsl_rl` of a workspace
 *  @param joints number of joints of the robot
 *  @returns the run's folder */
export function addSmallRun(
  runs: string,
  joints: number,
  run = 'small/zero',
  { action = 0, stepS = 0.02 }: SmallRun = {},
): string {
  const folder = path.join(runs, run);
  mkdirSync(path.join(folder, 'exported'), { recursive: true });
  mkdirSync(path.join(folder, 'params'));
  const inputs = 5 * joints;
  writeFileSync(path.join(folder, 'exported/policy.onnx'), constantNetwork(inputs, joints, action));
  const each = (value: number) => `[${Array.from({ length: joints }, () => value).join(', ')}]`;
  const yaml = [
    `step_dt: ${stepS}`,
    'actions:',
    `  JointPositionAction: {clip: null, scale: ${each(0.25)}}`,
    'observations:',
    ...['motion_command', 'joint_pos_rel', 'joint_vel_rel', 'last_action'].map(
      (term) => `  ${term}: {history_length: 1}`,
    ),
  ];
  writeFileSync(path.join(folder, 'params/deploy.yaml'), `${yaml.join('\n')}\n`);
  return folder;
}

const FLOAT = 1;
const ATTRIBUTE_INT = 2;

/** An ONNX model with one Gemm node without weights: `obs` (1, inputs) to `actions` (1, outputs), all equal to
 *  `bias`. */
function constantNetwork(inputs: number, outputs: number, bias: number): Uint8Array {
  const graph = [
    field(
      1,
      [
        field(1, 'obs'),
        field(1, 'weight'),
        field(1, 'bias'),
        field(2, 'actions'),
        field(4, 'Gemm'),
        field(5, flag('transB', 1)),
      ].flat(),
    ),
    field(2, 'small'),
    field(5, tensor('weight', [outputs, inputs])),
    field(5, tensor('bias', [outputs], bias)),
    field(11, value('obs', [1, inputs])),
    field(12, value('actions', [1, outputs])),
  ].flat();
  return Uint8Array.from([...number(1, 8), ...field(7, graph), ...field(8, [...field(1, ''), ...number(2, 17)])]);
}

const flag = (name: string, value: number) => [...field(1, name), ...number(3, value), ...number(20, ATTRIBUTE_INT)];

function tensor(name: string, shape: readonly number[], fill = 0): number[] {
  const count = shape.reduce((product, size) => product * size, 1);
  const bytes = new Uint8Array(Float32Array.of(fill).buffer);
  return [
    ...shape.flatMap((size) => number(1, size)),
    ...number(2, FLOAT),
    ...field(8, name),
    ...field(
      9,
      Array.from({ length: 4 * count }, (_, k) => bytes[k % 4]!),
    ),
  ];
}

function value(name: string, shape: readonly number[]): number[] {
  const dimensions = shape.flatMap((size) => field(1, number(1, size)));
  const type = field(1, [...number(1, FLOAT), ...field(2, dimensions)]);
  return [...field(1, name), ...field(2, type)];
}

/** Encodes a field in the protobuf wire format. */
function number(field: number, value: number): number[] {
  return [...varint(field << 3), ...varint(value)];
}

function field(at: number, content: string | readonly number[]): number[] {
  const bytes = typeof content === 'string' ? [...Buffer.from(content)] : content;
  return [...varint((at << 3) | 2), ...varint(bytes.length), ...bytes];
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}
