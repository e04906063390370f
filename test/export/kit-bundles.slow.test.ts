import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { framesOf } from '../../src/export/clip-data.ts';
import { BundleArchive } from '../../src/export/layouts/bundle-archive.ts';
import { readBundle } from '../../src/export/layouts/read-bundle.ts';
import { type BundleSource, bundleParts, writeLayout } from '../../src/export/make-bundle.ts';
import { type TestParts, testBundle } from '../../src/export/selftest/self-test.ts';
import { readOnnxFile } from '../../src/formats/onnx/read-onnx-file.ts';
import { onnxPolicy } from '../../src/policy/onnx/onnx-policy.ts';
import { PREPARED_FILES } from '../../src/robots/prepared-robot.ts';
import { loadMujoco } from '../../src/sim/mujoco.ts';
import { kitClip } from '../support/clips.ts';
import { hasKit, KIT } from '../support/kit.ts';
import { preparedG1 } from '../support/robots.ts';
import { deployConfig, libraryOf } from '../support/tracking.ts';

describe.skipIf(!hasKit)("bundles of the kit's policy", () => {
  let source: BundleSource;
  let parts: TestParts;

  beforeAll(async () => {
    const prepared = await preparedG1();
    const { facts, folder } = prepared;
    const clip = framesOf(await libraryOf(prepared, { dance: kitClip('dance1_subject2') }));
    source = {
      run: 'wbc_g1/dance',
      checkpoint: 'policy.onnx',
      task: deployConfig(facts),
      weights: onnxPolicy(readOnnxFile(`${KIT}/policies/dance1_subject2/policy.onnx`)),
      clip,
      facts,
    };
    parts = {
      mj: await loadMujoco(),
      physics: readFileSync(path.join(folder, PREPARED_FILES.physics)),
      facts,
      library: clip,
      seconds: 10,
    };
  }, 60_000);

  // The whole clip takes 15 s: differences of rounding that grow show only after two minutes.
  test.each([
    ['whole_body_tracking', 10, 10],
    ['unitree', null, 131.46],
  ] as const)(
    "the bundle of the kit's policy as %s passes its self-test (length %s s)",
    async (format, seconds, tracked) => {
      const files = writeLayout(bundleParts(source, format));
      const bundle = await readBundle(BundleArchive.of(files), parts.facts);
      const result = testBundle({ ...parts, seconds }, bundle, source);
      expect(result.text).toContain('29 joints');
      expect(result).toMatchObject({ ok: true, tracked_s: tracked, run_tracked_s: tracked });
      expect(result.max_action_difference).toBeLessThan(1e-5);
    },
    240_000,
  );
});
