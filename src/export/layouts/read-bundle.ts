import { badInput } from '../../core/errors.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { Bundle } from './bundle.ts';
import type { BundleArchive } from './bundle-archive.ts';
import { readUnitree } from './read-unitree.ts';
import { readWbcG1Deploy } from './read-wbc-g1-deploy.ts';
import { readWholeBodyTracking } from './read-whole-body-tracking.ts';

/** Reads a bundle of any layout as its controller does. The layout is recognised by its files.
 *  @param facts the robot whose motors the bundle drives  @throws StudioError bad_input naming file and field */
export async function readBundle(archive: BundleArchive, facts: RobotFacts): Promise<Bundle> {
  const deploy = archive.only('params/deploy.yaml');
  if (deploy !== null) return readUnitree(archive, deploy, facts);
  const config = archive.only('params/config.yaml');
  if (config !== null) return readWbcG1Deploy(archive, config, facts);
  const onnx = archive.only('.onnx');
  if (onnx !== null) return readWholeBodyTracking(archive, onnx);
  throw badInput(
    'this is not a bundle: it has neither params/deploy.yaml (unitree), nor params/config.yaml (wbc-g1-deploy), nor an ONNX file (whole_body_tracking)',
  );
}
