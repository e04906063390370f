import type { MotionLibrary } from '../motion/library/motion-library.ts';
import type { PolicyWeights } from '../policy/policy.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import type { ExportPlan } from './export-plan.ts';
import type { RunPolicy } from './run-policy.ts';

/** Content of files by path in the bundle. */
export type BundleFiles = ReadonlyMap<string, readonly Uint8Array[]>;

/** Everything that the files of a bundle are made from. */
export interface BundleParts {
  readonly policy: RunPolicy;
  readonly plan: ExportPlan;
  readonly weights: PolicyWeights;
  /** a library of one clip, which has all frames */
  readonly clip: MotionLibrary;
  /** (frames, columns) observations that follow from the clip */
  readonly table: Float32Array;
  readonly facts: RobotFacts;
  /** `<run_dir>/<run>` */
  readonly run: string;
  readonly checkpoint: string;
}
