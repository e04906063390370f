import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatYaml } from '../../../src/core/yaml-file.ts';
import type { OnnxNode, OnnxTensor } from '../../../src/formats/onnx/onnx-model.ts';
import { writeOnnx } from '../../../src/formats/onnx/write-onnx.ts';
import type { ClipRows } from '../../../src/motion/clip-rows.ts';
import { convertClip } from '../../../src/motion/convert/convert-clip.ts';
import { stackMotions } from '../../../src/motion/library/load-motion-library.ts';
import type { MotionLibrary } from '../../../src/motion/library/motion-library.ts';
import { readEmbeddedLibrary } from '../../../src/play/run-setup/embedded-library.ts';
import { readRunSetup } from '../../../src/play/run-setup/read-run-setup.ts';
import { policyModel } from '../../../src/policy/onnx/export-policy.ts';
import type { RobotFacts } from '../../../src/robots/robot-facts.ts';
import { readRunIdentity } from '../../../src/runs/params/read-identity.ts';
import { someWeights } from '../../support/networks.ts';
import { clipSource, humanoidClipRobot, preparedHumanoid } from '../../support/robots.ts';

const FRAMES = 40;
let folder: string;
let facts: RobotFacts;
let library: MotionLibrary;
/** joint names of the policy: the robot's joints in reverse order */
let names: string[];
let bodies: string[];

/** Returns a clip in which every value changes a little. */
function someClip(nq: number): ClipRows {
  const rows = new Float64Array(FRAMES * nq);
  for (let frame = 0; frame < FRAMES; frame += 1) {
    const turn = 0.01 * frame;
    rows.set([0.01 * frame, 0.02, 0.8 + 0.001 * frame, Math.cos(turn / 2), 0, 0, Math.sin(turn / 2)], frame * nq);
    for (let joint = 7; joint < nq; joint += 1) rows[frame * nq + joint] = 0.1 * Math.sin(0.2 * frame + joint);
  }
  return { fps: 50, frames: FRAMES, rows };
}

/** Exports a policy as whole_body_tracking does: a clamped time step selects a row of each table. */
function exportTracking(observed: number): Uint8Array {
  const joints = facts.joints.length;
  const base = policyModel(someWeights([observed, 8, joints], 4, false), new Map());
  const places = bodies.map((name) => facts.bodies.findIndex((body) => body.name === name));
  const reversed = (values: Float32Array) =>
    Float32Array.from(values, (_, k) => values[k - (k % joints) + joints - 1 - (k % joints)]!);
  const picked = (values: Float32Array, width: number) =>
    Float32Array.from({ length: library.clips[0]!.frames * bodies.length * width }, (_, k) => {
      const [frame, rest] = [Math.floor(k / (bodies.length * width)), k % (bodies.length * width)];
      return values[(frame * facts.bodies.length + places[Math.floor(rest / width)]!) * width + (rest % width)]!;
    });
  const { frames } = library.clips[0]!;
  const tables: Record<string, OnnxTensor> = {
    joint_pos: { shape: [frames, joints], data: reversed(library.jointPos) },
    joint_vel: { shape: [frames, joints], data: reversed(library.jointVel) },
    body_pos_w: { shape: [frames, bodies.length, 3], data: picked(library.bodyPosW, 3) },
    body_quat_w: { shape: [frames, bodies.length, 4], data: picked(library.bodyQuatW, 4) },
  };
  const node = (
    op: string,
    inputs: string[],
    outputs: string[],
    attributes: OnnxNode['attributes'] = new Map(),
  ): OnnxNode => ({
    name: outputs[0]!,
    op,
    inputs,
    outputs,
    attributes,
  });
  return writeOnnx({
    nodes: [
      ...base.nodes,
      node('Cast', ['time_step'], ['whole'], new Map([['to', { int: 7 }]])),
      node('Squeeze', ['whole', 'axis'], ['row']),
      node('Min', ['row', 'last'], ['clamped']),
      ...Object.keys(tables).map((name) =>
        node('Gather', [`table_${name}`, 'clamped'], [name], new Map([['axis', { int: 0 }]])),
      ),
    ],
    initializers: new Map<string, OnnxTensor>([
      ...base.initializers,
      ...Object.entries(tables).map(([name, tensor]): [string, OnnxTensor] => [`table_${name}`, tensor]),
      ['last', { shape: [], data: BigInt64Array.of(BigInt(frames - 1)) }],
      ['axis', { shape: [1], data: BigInt64Array.of(1n) }],
    ]),
    inputs: [...base.inputs, { name: 'time_step', shape: [1, 1] }],
    outputs: [
      ...base.outputs,
      ...Object.entries(tables).map(([name, { shape }]) => ({ name, shape: [1, ...shape.slice(1)] })),
    ],
    metadata: new Map([
      ['joint_names', names.join(',')],
      ['joint_stiffness', names.map((_, k) => 10 + k).join(',')],
      ['joint_damping', names.map(() => '1.5').join(',')],
      ['default_joint_pos', names.map((_, k) => k / 100).join(',')],
      ['action_scale', names.map((_, k) => 0.1 + k / 100).join(',')],
      ['command_names', 'motion'],
      [
        'observation_names',
        'command,motion_anchor_pos_b,motion_anchor_ori_b,base_lin_vel,base_ang_vel,joint_pos,joint_vel,actions',
      ],
      ['anchor_body_name', facts.wiring.anchor],
      ['body_names', bodies.join(',')],
    ]),
  });
}

beforeAll(async () => {
  const robot = await humanoidClipRobot();
  ({ facts } = await preparedHumanoid());
  names = facts.joints.map(({ name }) => name).reverse();
  bodies = [facts.bodies[0]!.name, ...facts.wiring.keybodies.filter((name) => name !== facts.bodies[0]!.name)];
  const { motion } = convertClip(robot, someClip(robot.nq), { outputFps: 50, debiasZ: false });
  library = stackMotions([{ name: 'clip', motion }], facts);
  folder = mkdtempSync(path.join(os.tmpdir(), 'tracking-'));
  mkdirSync(path.join(folder, 'exported'));
  writeFileSync(path.join(folder, 'exported/policy.onnx'), exportTracking(5 * facts.joints.length + 15));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('an ONNX file of whole_body_tracking', () => {
  test('an ONNX file of whole_body_tracking states its robot and the length of its clip', async () => {
    expect(await readRunIdentity(folder)).toMatchObject({
      jointNames: names,
      joints: facts.joints.length,
      embeddedFrames: library.frames,
      embeddedFps: 50,
    });
  });

  test("the clip of the ONNX file becomes a library: joints in the robot's order, other bodies by forward kinematics", async () => {
    const read = await readEmbeddedLibrary(folder, clipSource(await preparedHumanoid()));
    expect(read).toMatchObject({ fps: 50, frames: library.frames, joints: library.joints, bodies: library.bodies });
    expect(read.clips).toEqual([{ name: 'embedded', first: 0, frames: library.frames }]);
    expect(read.jointPos).toEqual(library.jointPos);
    expect(read.jointVel).toEqual(library.jointVel);
    const worst = (a: Float32Array, b: Float32Array) =>
      a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k]!)), 0);
    expect(worst(read.bodyPosW, library.bodyPosW)).toBeLessThan(1e-5);
    expect(worst(read.bodyQuatW, library.bodyQuatW)).toBeLessThan(1e-5);
    // Velocities are differences of positions that were rounded to float32. Their error is 1e-7 m times 25/s.
    expect(worst(read.bodyLinVelW, library.bodyLinVelW)).toBeLessThan(1e-3);
    expect(read.bodyPosW.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  test('an ONNX file plays without deploy.yaml, with names, gains, scales and pose from its metadata', async () => {
    const { config, policy } = await readRunSetup({ folder, format: 'deploy', checkpoint: 'policy.onnx', facts });
    expect(Object.values(config.observations['actor']!.terms).map(({ func }) => func)).toEqual([
      'command',
      'motion_anchor_pos_b',
      'motion_anchor_ori_b',
      'base_lin_vel',
      'base_ang_vel',
      'joint_pos',
      'joint_vel',
      'actions',
    ]);
    const last = names.length - 1;
    expect(config.robot).toMatchObject({ stiffness: names.map((_, k) => 10 + last - k) });
    expect(config.robot?.default_joint_pos?.[0]).toBeCloseTo(last / 100, 9);
    expect(config.actions.joint_pos.scale?.[0]).toBeCloseTo(0.1 + last / 100, 9);
    expect(config.commands.motion).toMatchObject({ anchor_body: facts.wiring.anchor, body_names: bodies });
    const plain = someWeights([5 * facts.joints.length + 15, 8, facts.joints.length], 4, false);
    expect(policy!.layers[0]!.weight[0]).toBe(plain.layers[0]!.weight[last]);
    expect(policy!.layers[1]!.bias[0]).toBe(plain.layers[1]!.bias[last]);
  });

  test('beside a deploy.yaml, the clip has the control rate, and gains are in the order of the motors', async () => {
    const copy = mkdtempSync(path.join(os.tmpdir(), 'tracking-'));
    cpSync(folder, copy, { recursive: true });
    mkdirSync(path.join(copy, 'params'));
    // given motors in another order than the joints of the policy, and than those of the robot
    const motors = names.map((_, joint) => (joint + 5) % names.length);
    const stiffness = names.map((_, motor) => 100 + motor);
    writeFileSync(
      path.join(copy, 'params/deploy.yaml'),
      formatYaml({ step_dt: 0.01, joint_ids_map: motors, stiffness, damping: 2 }),
    );
    const { config } = await readRunSetup({ folder: copy, format: 'deploy', checkpoint: 'policy.onnx', facts });
    const joints = facts.joints.map(({ name }) => name);
    expect(config.robot?.stiffness).toEqual(joints.map((name) => 100 + motors[names.indexOf(name)]!));
    expect(config).toMatchObject({ decimation: 2, robot: { damping: joints.map(() => 2) } });
    expect(await readRunIdentity(copy)).toMatchObject({ embeddedFps: 100 });
    const read = await readEmbeddedLibrary(copy, clipSource(await preparedHumanoid()));
    expect(read).toMatchObject({ fps: 100, frames: library.frames });
    rmSync(copy, { recursive: true });
  });

  test('an ONNX file whose clip lacks the root body is refused by name', async () => {
    const kept = bodies;
    bodies = bodies.slice(1);
    const other = mkdtempSync(path.join(os.tmpdir(), 'tracking-'));
    mkdirSync(path.join(other, 'exported'));
    writeFileSync(path.join(other, 'exported/policy.onnx'), exportTracking(8));
    bodies = kept;
    const source = clipSource(await preparedHumanoid());
    await expect(readEmbeddedLibrary(other, source)).rejects.toThrow(/do not include the root body/);
    rmSync(other, { recursive: true });
  });
});
