import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JointLoads } from '../../src/evaluate/episode-result.ts';
import { planEpisodes } from '../../src/evaluate/episodes.ts';
import { evaluationTask, runUnit, type UnitParts } from '../../src/evaluate/run-unit.ts';
import { marginsOf, metricsOf } from '../../src/evaluate/summarise.ts';
import { readOnnxFile } from '../../src/formats/onnx/read-onnx-file.ts';
import { withCondition } from '../../src/mdp/conditions/with-condition.ts';
import type { TaskConfig } from '../../src/mdp/task-config.ts';
import { createPolicy } from '../../src/policy/create-policy.ts';
import { onnxPolicy } from '../../src/policy/onnx/onnx-policy.ts';
import type { PolicyWeights } from '../../src/policy/policy.ts';
import type { Condition } from '../../src/protocol/schemas/evaluation.ts';
import { PREPARED_FILES } from '../../src/robots/prepared-robot.ts';
import { loadMujoco } from '../../src/sim/mujoco.ts';
import { kitClip } from '../support/clips.ts';
import { hasKit, KIT } from '../support/kit.ts';
import { preparedG1 } from '../support/robots.ts';
import { deployConfig, libraryOf } from '../support/tracking.ts';

const FOLDER = `${KIT}/policies/dance1_subject2`;

describe.skipIf(!hasKit)("the kit's policy", () => {
  let parts: UnitParts;
  let task: TaskConfig;
  let weights: PolicyWeights;

  beforeAll(async () => {
    const prepared = await preparedG1();
    const { facts, folder } = prepared;
    parts = {
      mj: await loadMujoco(),
      physics: readFileSync(path.join(folder, PREPARED_FILES.physics)),
      facts,
      library: await libraryOf(prepared, { dance: kitClip('dance1_subject2') }),
      seed: 0,
    };
    task = deployConfig(facts);
    weights = onnxPolicy(readOnnxFile(`${FOLDER}/policy.onnx`));
  }, 60_000);

  /** Plays the dance. @param starts number of starts @param horizonS null: to the end */
  function played(condition: Condition, starts: number, horizonS: number | null, policy = weights, of = task) {
    const { facts, library } = parts;
    const config = evaluationTask(withCondition(of, condition, facts));
    const episodes = planEpisodes(library, starts, horizonS);
    const unit = { config, policy: createPolicy(policy, starts), episodes, first: 0 };
    const { episodes: results, loads } = runUnit(parts, unit);
    return { results, loads, ...metricsOf(results, library.fps) };
  }

  /** The joints, those that follow their reference least first. */
  function followed(loads: JointLoads) {
    const { facts, library } = parts;
    return marginsOf({ checkpoint: '', condition: '' }, loads, facts, library.fps).sort(
      (a, b) => a.follows! - b.follows!,
    );
  }

  /** The policy with the action of each joint as `of` gives it: the joint whose action it gets, and its sign. */
  function rewired(of: (joint: number) => { readonly from: number; readonly sign: number }): PolicyWeights {
    const last = weights.layers.at(-1)!;
    const [weight, bias] = [new Float32Array(last.weight.length), new Float32Array(last.bias.length)];
    for (let joint = 0; joint < bias.length; joint++) {
      const { from, sign } = of(joint);
      for (let k = 0; k < last.inputs; k++)
        weight[joint * last.inputs + k] = sign * last.weight[from * last.inputs + k]!;
      bias[joint] = sign * last.bias[from]!;
    }
    return { ...weights, layers: [...weights.layers.slice(0, -1), { ...last, weight, bias }] };
  }

  const indexOf = (name: string) => parts.facts.joints.findIndex((joint) => joint.name === name);

  /** The policy with the sign of one joint's action turned. */
  function turned(name: string): PolicyWeights {
    const joint = indexOf(name);
    return rewired((own) => ({ from: own, sign: own === joint ? -1 : 1 }));
  }

  /** The policy with the actions of two joints exchanged. */
  function swapped(a: string, b: string): PolicyWeights {
    const [one, two] = [indexOf(a), indexOf(b)];
    return rewired((own) => ({ from: own === one ? two : own === two ? one : own, sign: 1 }));
  }

  /** The task of a robot whose gains are too low by a factor. */
  const weak = () => withCondition(task, { name: 'weak', stiffness_scale: 0.7, damping_scale: 0.7 }, parts.facts);

  test("the kit's policy over the whole dance from frame 0 has the metrics measured by the kit", () => {
    const { success, tracked_s: tracked, errors, loads } = played({ name: 'nominal' }, 1, null);
    expect(success).toBe(1);
    expect(tracked).toBeCloseTo(131.46, 2);
    // Figures of the kit's README for the whole clip: 0.0318 m, 0.055 rad, 0.133 rad, 0.47 m.
    expect(Math.abs(errors.body_pos_local / 0.0318 - 1)).toBeLessThan(0.1);
    expect(Math.abs(errors.anchor_rot / 0.055 - 1)).toBeLessThan(0.1);
    expect(Math.abs(errors.joint_pos / 0.133 - 1)).toBeLessThan(0.1);
    expect(Math.abs(errors.anchor_pos / 0.47 - 1)).toBeLessThan(0.1);
    expect(followed(loads)[0]!.follows!).toBeGreaterThan(0.5);
  }, 300_000);

  test.each([
    ['turned', ['left_knee_joint']],
    ['turned', ['waist_yaw_joint']],
    ['turned', ['right_ankle_pitch_joint']],
    ['turned', ['left_ankle_roll_joint']],
    ['turned', ['right_hip_roll_joint']],
    ['turned', ['left_wrist_roll_joint']],
    ['exchanged', ['left_hip_pitch_joint', 'left_knee_joint']],
  ] as const)(
    "the kit's policy with the actions of joints %s: %j is found, because it follows its reference least",
    (_, names) => {
      const [one, two] = names as readonly string[];
      const { loads } = played({ name: 'nominal' }, 8, 10, two === undefined ? turned(one!) : swapped(one!, two));
      const [least, next] = followed(loads);
      expect(names).toContain(least!.joint);
      if (two === undefined) expect(least!.follows!).toBeLessThan(next!.follows! - 0.1);
    },
    120_000,
  );

  test.each([
    ['left_shoulder_pitch_joint', 'right_shoulder_pitch_joint'],
    ['left_hip_yaw_joint', 'right_hip_yaw_joint'],
    ['left_shoulder_yaw_joint', 'left_elbow_joint'],
  ])(
    'with the actions of %s and %s exchanged: these two are named, also if no episode fails',
    (one, two) => {
      const { loads } = played({ name: 'nominal' }, 8, 10, swapped(one, two));
      const exchanged = followed(loads).filter(({ exchanged_with: other }) => other !== null);
      expect(new Set(exchanged.map(({ joint }) => joint))).toEqual(new Set([one, two]));
    },
    120_000,
  );

  test('as it is has no exchanged joints', () => {
    const { loads } = played({ name: 'nominal' }, 8, 10);
    expect(followed(loads).filter(({ exchanged_with: other }) => other !== null)).toEqual([]);
  }, 120_000);

  test.each(['left_knee_joint', 'left_hip_pitch_joint', 'waist_yaw_joint'])(
    "the kit's policy with the sign of %s inverted fails, and in most failures that joint diverges first",
    (name) => {
      const { success, results } = played({ name: 'nominal' }, 4, 10, turned(name));
      expect(success).toBeLessThan(0.9);
      const subjects = results.flatMap(({ failure }) => failure?.subject ?? []);
      expect(subjects.filter((subject) => subject === name).length).toBeGreaterThan(subjects.length / 2);
    },
    120_000,
  );

  test("the kit's policy falls with a delay of 3 control steps", () => {
    expect(played({ name: 'delay_steps=3', delay_steps: 3 }, 4, 10).success).toBeLessThan(0.9);
  }, 120_000);

  test("the kit's policy with gains × 0.7 tracks, but fails at gains that it survives with its own gains", () => {
    const mild = { name: 'stiffness_scale=0.85', stiffness_scale: 0.85 };
    expect(played(mild, 4, 15).success).toBe(1);
    expect(played(mild, 4, 15, weights, weak()).success).toBeLessThan(0.9);
  }, 120_000);
});
