import type { CheckKind } from '../protocol/check-kinds.ts';
import type { CheckedClip } from './clip/checked-clip.ts';
import type { ClipIssue } from './clip/issue.ts';
import type { Limits, Thresholds } from './threshold.ts';

/** A kind of issue and the version of the code that reports it. */
export interface CheckVersion {
  readonly kind: CheckKind;
  /** Version of the check. Increase it whenever the check reports something else for the same clip. Stored results are
   *  then computed again. */
  readonly version: number;
}

/** A check of a clip. The title of its kind is in `protocol/check-kinds.ts`. */
export interface CheckSpec<T extends Thresholds = Thresholds> extends CheckVersion {
  readonly thresholds: T;
  /** @param limits values of `thresholds`  @returns the issues, in any order */
  run(clip: CheckedClip, limits: Limits<T>): readonly ClipIssue[];
}

/** Declares a check. Returns its argument unchanged; TypeScript infers the names of the thresholds. */
export function clipCheck<const T extends Thresholds>(spec: CheckSpec<T>): CheckSpec<T> {
  return spec;
}
