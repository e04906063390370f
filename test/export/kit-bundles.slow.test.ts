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

  test.each(['whole_body_tracking', 'unitree'] as const)(
    '%s passes its self-test',
    async (format) => {
      const files = writeLayout(bundleParts(source, format));
      const bundle = await readBundle(BundleArchive.of(files), parts.facts);
      const result = testBundle(parts, bundle, source);
      expect(result.text).toContain('29 joints');
      expect(result).toMatchObject({ ok: true, run_tracked_s: 10 });
    },
    60_000,
  );
});
