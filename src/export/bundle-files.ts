import type { MotionLibrary } from '../motion/library/motion-library.ts';
import type { PolicyWeights } from '../policy/policy.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import type { ExportPlan } from './export-plan.ts';
import type { RunPolicy } from './run-policy.ts';

/** Files of a bundle: content by path in the bundle. */
export type BundleFiles = ReadonlyMap<string, readonly Uint8Array[]>;

/** The inputs from which the files of a bundle are written. */
export interface BundleParts {
  readonly policy: RunPolicy;
  readonly plan: ExportPlan;
  readonly weights: PolicyWeights;
  /** a motion library that contains only the exported clip, with all its frames */
  readonly clip: MotionLibrary;
  /** (frames, columns) observations that depend only on the clip */
  readonly table: Float32Array;
  readonly facts: RobotFacts;
  /** `<run_dir>/<run>` */
  readonly run: string;
  readonly checkpoint: string;
}
