import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { planEpisodes } from '../../src/evaluate/episodes.ts';
import { evaluationTask, runUnit } from '../../src/evaluate/run-unit.ts';
import { metricsOf } from '../../src/evaluate/summarise.ts';
import { readOnnxFile } from '../../src/formats/onnx/read-onnx-file.ts';
import { withCondition } from '../../src/mdp/conditions/with-condition.ts';
import { createPolicy } from '../../src/policy/create-policy.ts';
import { onnxPolicy } from '../../src/policy/onnx/onnx-policy.ts';
import { PREPARED_FILES } from '../../src/robots/prepared-robot.ts';
import { loadMujoco } from '../../src/sim/mujoco.ts';
import { kitClip } from '../support/clips.ts';
import { hasKit, KIT } from '../support/kit.ts';
import { preparedG1 } from '../support/robots.ts';
import { deployConfig, libraryOf } from '../support/tracking.ts';

const FOLDER = `${KIT}/policies/dance1_subject2`;

test.skipIf(!hasKit)(
  "the kit's policy over the whole dance from frame 0 has the kit's figures",
  async () => {
    const prepared = await preparedG1();
    const { facts, folder } = prepared;
    const library = await libraryOf(prepared, { dance: kitClip('dance1_subject2') });
    const config = evaluationTask(withCondition(deployConfig(facts), { name: 'nominal' }, facts));
    const parts = {
      mj: await loadMujoco(),
      physics: readFileSync(path.join(folder, PREPARED_FILES.physics)),
      facts,
      library,
      seed: 0,
    };
    const policy = createPolicy(onnxPolicy(readOnnxFile(`${FOLDER}/policy.onnx`)), 1);
    const { episodes } = runUnit(parts, { config, policy, episodes: planEpisodes(library, 1, null), first: 0 });
    const { success, tracked_s: tracked, errors } = metricsOf(episodes, library.fps);
    expect(success).toBe(1);
    expect(tracked).toBeCloseTo(131.46, 2);
    // Figures of the kit's README for the whole clip: 0.0318 m, 0.055 rad, 0.133 rad, 0.47 m.
    expect(Math.abs(errors.body_pos_local / 0.0318 - 1)).toBeLessThan(0.1);
    expect(Math.abs(errors.anchor_rot / 0.055 - 1)).toBeLessThan(0.1);
    expect(Math.abs(errors.joint_pos / 0.133 - 1)).toBeLessThan(0.1);
  },
  300_000,
);
