import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as ort from 'onnxruntime-web';
import { beforeAll, describe, expect, test } from 'vitest';
import { framesOf, withStanding } from '../../src/export/clip-data.ts';
import { BundleArchive } from '../../src/export/layouts/bundle-archive.ts';
import { readBundle } from '../../src/export/layouts/read-bundle.ts';
import { type BundleSource, bundleParts, writeLayout } from '../../src/export/make-bundle.ts';
import { bundleReadme } from '../../src/export/readme/bundle-readme.ts';
import { type TestParts, testBundle } from '../../src/export/selftest/self-test.ts';
import { LIBRARY } from '../../src/mdp/library.ts';
import type { TaskConfig } from '../../src/mdp/task-config.ts';
import { baseTasks } from '../../src/mdp/tasks/base-tasks.ts';
import type { MotionLibrary } from '../../src/motion/library/motion-library.ts';
import { embeddedMotion } from '../../src/policy/onnx/embedded-motion.ts';
import { OnnxGraph } from '../../src/policy/onnx/graph/onnx-graph.ts';
import { taskEffect } from '../../src/presets/task-effect.ts';
import type { ExportFormat } from '../../src/protocol/schemas/exports.ts';
import { PREPARED_FILES, type PreparedRobot } from '../../src/robots/prepared-robot.ts';
import { loadMujoco } from '../../src/sim/mujoco.ts';
import { builtinClip, cutClip } from '../support/clips.ts';
import { someWeights } from '../support/networks.ts';
import { randomFrom } from '../support/random.ts';
import { clipSource, preparedHumanoid } from '../support/robots.ts';
import { libraryOf, plainObservation } from '../support/tracking.ts';

ort.env.wasm.numThreads = 1;

const FORMATS = ['whole_body_tracking', 'unitree', 'wbc-g1-deploy'] as const;

let prepared: PreparedRobot;
let clip: MotionLibrary;
let parts: TestParts;
let plain: TaskConfig;

beforeAll(async () => {
  prepared = await preparedHumanoid();
  const { facts, folder } = prepared;
  clip = framesOf(await libraryOf(prepared, { squat: cutClip(builtinClip('squat'), 0, 40) }));
  plain = baseTasks(facts)[0]!.config;
  parts = {
    mj: await loadMujoco(),
    physics: readFileSync(path.join(folder, PREPARED_FILES.physics)),
    facts,
    library: clip,
    seconds: 0.6,
  };
}, 60_000);

/** A policy with weights that are all different, for a task of the built-in robot. */
function sourceOf(task: TaskConfig): BundleSource {
  const { facts } = prepared;
  const { observations, action } = taskEffect(task, facts, LIBRARY);
  const weights = someWeights([observations['actor']!, 24, 16, action], 5);
  return { run: 'a/b', checkpoint: 'model_1.pt', task, weights, clip, facts };
}

/** The plain task with other observations of the actor. */
function withTerms(terms: Readonly<Record<string, Partial<TaskConfig['observations'][string]['terms'][string]>>>) {
  const { actor } = plain.observations;
  const made = Object.entries(terms).map(([name, more]) => [name, { ...plainObservation(name), ...more }] as const);
  return {
    ...plain,
    observations: {
      ...plain.observations,
      actor: { ...actor!, history_length: null, terms: Object.fromEntries(made) },
    },
  };
}

async function bundleOf(source: BundleSource, format: ExportFormat) {
  const made = bundleParts(source, format);
  const archive = BundleArchive.of(writeLayout(made));
  return { made, archive, bundle: await readBundle(archive, prepared.facts) };
}

const policyFile = (archive: BundleArchive) => archive.paths.find((file) => file.endsWith('.onnx'))!;

describe.each(FORMATS)('%s', (format) => {
  test('a bundle expresses the built-in task, whose actions are relative to the reference, and passes its self-test', async () => {
    const source = sourceOf(plain);
    const { bundle } = await bundleOf(source, format);
    const result = testBundle(parts, bundle, source);
    expect(result.text).toContain('21 joints compared');
    expect(result.ok).toBe(true);
    expect(result.max_action_difference).toBeLessThan(1e-5);
  });

  test('a bundle gives the same actions in onnxruntime, and the ONNX checker accepts it', async () => {
    const { made, archive } = await bundleOf(sourceOf(plain), format);
    const content = archive.bytes(policyFile(archive));
    const model = archive.onnx(policyFile(archive));
    const names = model.outputs.map(({ name }) => name);
    const graph = new OnnxGraph(model, names);
    const session = await ort.InferenceSession.create(content, { executionProviders: ['wasm'] });
    const random = randomFrom(4);
    const command = made.plan.observations.find(({ reading }) => reading === 'command');
    for (const frame of [0, 7, clip.frames - 1, clip.frames + 3]) {
      const obs = Float32Array.from({ length: made.plan.inputs }, () => 2 * random() - 1);
      const row = Math.min(frame, clip.frames - 1) * clip.joints;
      if (command) {
        obs.set(clip.jointPos.subarray(row, row + clip.joints), command.offset);
        obs.set(clip.jointVel.subarray(row, row + clip.joints), command.offset + clip.joints);
      }
      const step = Float32Array.of(frame);
      const own = graph.run({ obs: { shape: [1, obs.length], data: obs }, time_step: { shape: [1, 1], data: step } });
      const inputs = {
        obs: new ort.Tensor('float32', obs, [1, obs.length]),
        ...(names.length > 1 ? { time_step: new ort.Tensor('float32', step, [1, 1]) } : {}),
      };
      const wanted = await session.run(inputs);
      for (const name of names) {
        const [a, b] = [own[name]!.data, wanted[name]!.data as Float32Array];
        expect([name, a.length]).toEqual([name, b.length]);
        const worst = a.reduce(
          (most, value, k) => Math.max(most, Math.abs(value - b[k]!) / Math.max(1, Math.abs(value))),
          0,
        );
        expect(worst).toBeLessThan(1e-5);
      }
    }
    await session.release();
    checkWithPython(content);
  });

  test('a bundle keeps histories, limits and scales of observations and actions', async () => {
    const task = withTerms({
      ref_joint_pos: { history_length: 1 },
      joint_pos_rel: { history_length: 3, clip: [-0.1, 0.05], scale: 2 },
      base_ang_vel: { history_length: 2, scale: [0.5, 0.25, 1] },
      last_action: { history_length: 2 },
    });
    const source = sourceOf({
      ...task,
      actions: { joint_pos: { ...task.actions.joint_pos, clip: [-0.4, 0.3], scale_factor: 0.5 } },
    });
    const { bundle } = await bundleOf(source, format);
    const result = testBundle(parts, bundle, source);
    expect(result.text).toContain('actions differ by at most');
    expect(result.ok).toBe(true);
  });

  test('a bundle keeps actions relative to the default pose', async () => {
    const task = withTerms({ generated_commands: {}, projected_gravity: {}, joint_vel_rel: {}, last_action: {} });
    const source = sourceOf({
      ...task,
      actions: { joint_pos: { ...task.actions.joint_pos, action_mode: 'default_relative' } },
    });
    const { bundle } = await bundleOf(source, format);
    expect(testBundle(parts, bundle, source)).toMatchObject({ ok: true });
  });
});

describe('parts that a layout cannot express are refused by name:', () => {
  test.each([
    ['wbc-g1-deploy', { motion_anchor_ori_b: {} }, /wbc-g1-deploy cannot express the observation motion_anchor_ori_b/],
    ['unitree', { motion_anchor_pos_error_w: {} }, /unitree cannot express the observation motion_anchor_pos_error_w/],
    ['unitree', { base_lin_vel: {} }, /unitree cannot express the observation base_lin_vel/],
    ['whole_body_tracking', { torso_ang_vel: {} }, /cannot express the observation torso_ang_vel/],
    ['unitree', { ref_base_height: { history_length: 3 } }, /ref_base_height with a history of 3 values/],
    ['unitree', { joint_pos_rel: { delay_min_lag: 2, delay_max_lag: 3 } }, /joint_pos_rel has a delay of 2 steps/],
  ] as const)('a layout that cannot express the task refuses it by name: %s with %j', (format, terms, message) => {
    const task = withTerms(terms);
    expect(() => bundleParts({ ...sourceOf(plain), task }, format)).toThrow(message);
  });
});

describe('a bundle changed by hand fails its self-test and names the joint:', () => {
  /** Replaces texts in a YAML file of a bundle. */
  async function changed(format: ExportFormat, ending: string, edit: (text: string) => string) {
    const source = sourceOf(plain);
    const files = new Map(writeLayout(bundleParts(source, format)));
    const file = [...files.keys()].find((name) => name.endsWith(ending))!;
    const before = Buffer.concat([...files.get(file)!]).toString();
    const after = edit(before);
    expect(after).not.toBe(before);
    files.set(file, [Buffer.from(after)]);
    return testBundle(parts, await readBundle(BundleArchive.of(files), prepared.facts), source);
  }
  const line = (text: string, key: string, index: number) => {
    const lines = text.split('\n');
    return lines.findIndex((row) => row.trim() === `${key}:`) + 1 + index;
  };
  const setLine = (text: string, at: number, value: string) =>
    text
      .split('\n')
      .map((row, k) => (k === at ? row.replace(/- .*/, `- ${value}`) : row))
      .join('\n');

  test('a changed stiffness fails the self-test, which names the joint', async () => {
    const result = await changed('unitree', 'deploy.yaml', (text) => setLine(text, line(text, 'stiffness', 3), '1'));
    expect(result.ok).toBe(false);
    expect(result.text).toContain(`${prepared.facts.joints[3]!.name}: stiffness differs`);
  });

  test('a changed action scale fails the self-test, which names the joint', async () => {
    const result = await changed('unitree', 'deploy.yaml', (text) => setLine(text, line(text, 'scale', 5), '0.9'));
    expect(result.ok).toBe(false);
    expect(result.text).toContain(`${prepared.facts.joints[5]!.name}: action scale differs`);
  });

  test('two motors exchanged in joint_ids_map fail the self-test, which names the joints', async () => {
    const exchange = (text: string) => {
      const at = line(text, 'joint_ids_map', 0);
      return setLine(setLine(text, at + 2, '4'), at + 4, '2').replace(
        /joint_names:\n( +- .*\n)+/,
        'joint_names: [.*]\n',
      );
    };
    const result = await changed('unitree', 'deploy.yaml', exchange);
    expect(result.ok).toBe(false);
    for (const joint of [2, 4]) expect(result.text).toContain(prepared.facts.joints[joint]!.name);
  });

  test('two motors exchanged in joint_ids_map, against the names in the file, fail the self-test', async () => {
    const exchange = (text: string) => {
      const at = line(text, 'joint_ids_map', 0);
      return setLine(setLine(text, at + 2, '4'), at + 4, '2');
    };
    const { joints } = prepared.facts;
    await expect(changed('unitree', 'deploy.yaml', exchange)).rejects.toThrow(
      `number 2 is ${joints[2]!.name}, but joint_ids_map refers to the motor of ${joints[4]!.name}`,
    );
  });
});

describe('a whole_body_tracking file', () => {
  /** The bundle of the plain task with one text of its ONNX file replaced by another of the same length. */
  async function edited(before: string, after: string) {
    const source = sourceOf(plain);
    const files = new Map(writeLayout(bundleParts(source, 'whole_body_tracking')));
    const [file] = [...files.keys()].filter((name) => name.endsWith('.onnx'));
    const content = Buffer.concat([...files.get(file!)!]);
    const at = content.indexOf(before);
    expect([at > 0, after.length]).toEqual([true, before.length]);
    content.write(after, at);
    files.set(file!, [content]);
    return testBundle(parts, await readBundle(BundleArchive.of(files), prepared.facts), source);
  }

  test('a whole_body_tracking file with two joints exchanged in its metadata fails its self-test, which names both', async () => {
    const names = prepared.facts.joints.map(({ name }) => name);
    const wrong = names.map((name, k) => (k === 2 ? names[4] : k === 4 ? names[2] : name));
    const { ok, text } = await edited(names.join(','), wrong.join(','));
    expect(ok).toBe(false);
    for (const joint of [2, 4]) expect(text).toContain(names[joint]);
  });
});

test('the bundle includes standing before and after the clip, and begins in the default pose', async () => {
  const long = await withStanding(clip, clipSource(prepared), 0.5, 0.4);
  expect(long.frames).toBe(clip.frames + 25 + 20);
  for (const [j, joint] of prepared.facts.joints.entries()) {
    expect(long.jointPos[j]).toBeCloseTo(joint.default, 5);
    expect(long.jointPos[(long.frames - 1) * long.joints + j]).toBeCloseTo(joint.default, 5);
  }
  const middle = long.jointPos.subarray(25 * long.joints, 26 * long.joints);
  for (const [j, value] of middle.entries()) expect(value).toBeCloseTo(clip.jointPos[j]!, 5);
  const source = { ...sourceOf(plain), clip: long };
  const { bundle } = await bundleOf(source, 'unitree');
  expect(testBundle({ ...parts, library: long }, bundle, source)).toMatchObject({ ok: true });
});

test('the reader of played policies reads the clip inside a whole_body_tracking file', async () => {
  const { archive, made } = await bundleOf(sourceOf(plain), 'whole_body_tracking');
  const motion = embeddedMotion(archive.onnx('policy.onnx'))!;
  expect([motion.frames, motion.joints, motion.bodies]).toEqual([clip.frames, clip.joints, made.policy.bodies.length]);
  expect(motion.jointPos).toEqual(new Float32Array(clip.jointPos));
});

test('the README has one row for each value of the input, with joint, unit and frame', () => {
  const made = bundleParts(sourceOf(plain), 'unitree');
  const readme = bundleReadme(made, { standInS: 1, standOutS: 0 });
  const rows = [...readme.matchAll(/^\| (\d+) \| (\w+) \| (\w+) \| ([^|]+) \| ([^|]+) \|/gm)];
  const inputs = rows.filter(([, , name]) => made.plan.observations.some((one) => one.name === name));
  expect(inputs.map(([, index]) => Number(index))).toEqual(Array.from({ length: made.plan.inputs }, (_, k) => k));
  const { name } = prepared.facts.joints[0]!;
  expect(inputs[0]!.slice(2, 6)).toEqual(['motion_command', name, 'rad', 'joint']);
});

/** Checks a model with the package onnx of a Python on this machine; without one, says so once. */
function checkWithPython(content: Uint8Array): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'onnx-'));
  const file = path.join(folder, 'policy.onnx');
  writeFileSync(file, content);
  const script = `
import sys
try:
  import onnx
except ImportError:
  sys.exit(3)
onnx.checker.check_model(onnx.load(sys.argv[1]), full_check=True)`;
  const { status, stderr, error } = spawnSync('/usr/bin/python3', ['-c', script, file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  if (status === 3 || error) console.warn('no python3-onnx: exported graphs are not checked by the package onnx');
  else expect([status, stderr]).toEqual([0, '']);
}
