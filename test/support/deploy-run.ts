import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { KIT } from './kit.ts';

/** Writes the kit's policy as a `deploy` run. @param runs `logs/rsl_rl` of a workspace @returns the run's folder */
export function addKitRun(runs: string, run = 'wbc_g1/dance1_subject2'): string {
  const folder = path.join(runs, run);
  const from = path.join(KIT, 'policies/dance1_subject2');
  mkdirSync(path.join(folder, 'exported'), { recursive: true });
  mkdirSync(path.join(folder, 'params'));
  for (const file of ['policy.onnx', 'policy.onnx.data'])
    cpSync(path.join(from, file), path.join(folder, 'exported', file));
  cpSync(path.join(from, 'deploy.yaml'), path.join(folder, 'params/deploy.yaml'));
  return folder;
}
