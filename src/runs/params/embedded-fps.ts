import { EMBEDDED_FPS } from '../store/run-record.ts';
import { type ParamsMap, valueAt } from './params-file.ts';

/** Returns the frame rate of the clip inside a policy file, Hz. Controllers replay one frame per control step.
 *  @param deploy `deploy.yaml` of the policy, or null */
export function embeddedFps(deploy: ParamsMap | null): number {
  const stepS = valueAt(deploy, 'step_dt');
  return typeof stepS === 'number' && Number.isFinite(stepS) && stepS > 0 ? 1 / stepS : EMBEDDED_FPS;
}
