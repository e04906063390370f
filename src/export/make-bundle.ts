import { badInput } from '../core/errors.ts';
import type { TaskConfig } from '../mdp/task-config.ts';
import type { MotionLibrary } from '../motion/library/motion-library.ts';
import type { PolicyWeights } from '../policy/policy.ts';
import type { ExportFormat } from '../protocol/schemas/exports.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import type { BundleFiles, BundleParts } from './bundle-files.ts';
import { planExport } from './export-plan.ts';
import { LAYOUTS } from './layouts/layout.ts';
import { writeUnitree } from './layouts/write-unitree.ts';
import { writeWbcG1Deploy } from './layouts/write-wbc-g1-deploy.ts';
import { writeWholeBodyTracking } from './layouts/write-whole-body-tracking.ts';
import { referenceTable } from './reference-table.ts';
import { runPolicy } from './run-policy.ts';

/** The inputs of a bundle. */
export interface BundleSource {
  readonly run: string;
  readonly checkpoint: string;
  /** the task as it was trained */
  readonly task: TaskConfig;
  readonly weights: PolicyWeights;
  /** a motion library that contains only the exported clip, with all its frames */
  readonly clip: MotionLibrary;
  readonly facts: RobotFacts;
}

/** Expresses a policy and a clip in a layout. @throws StudioError bad_input naming the part that the layout cannot
 *  express */
export function bundleParts(source: BundleSource, format: ExportFormat): BundleParts {
  const { task, facts, clip } = source;
  const policy = runPolicy(task, facts);
  const plan = planExport(policy, LAYOUTS[format]);
  const table = referenceTable(plan.tables, clip, task, facts);
  if (plan.tables.length > 0 || plan.foldsReference) refuseTwins(clip, table, format);
  return { ...source, policy, plan, table };
}

const WRITERS: Readonly<Record<ExportFormat, (parts: BundleParts) => BundleFiles>> = {
  whole_body_tracking: writeWholeBodyTracking,
  unitree: writeUnitree,
  'wbc-g1-deploy': writeWbcG1Deploy,
};

/** Returns the files that a controller reads. */
export function writeLayout(parts: BundleParts): BundleFiles {
  return WRITERS[parts.plan.layout.format](parts);
}

/** Maximum difference between the observations of two frames with the same command at which they are considered
 *  equal. */
const SAME = 1e-4;

/** Refuses a clip in which two frames have the same joints and velocities but different observations, because the graph
 *  could not distinguish them. */
function refuseTwins({ jointPos, jointVel, joints, frames }: MotionLibrary, table: Float32Array, format: string): void {
  const columns = table.length / frames;
  const seen = new Map<string, number>();
  for (let frame = 0; frame < frames; frame += 1) {
    const row = (values: Float32Array) => values.subarray(frame * joints, (frame + 1) * joints);
    const key = `${row(jointPos).join()} ${row(jointVel).join()}`;
    const twin = seen.get(key);
    if (twin === undefined) seen.set(key, frame);
    else
      for (let k = 0; k < columns; k += 1)
        if (Math.abs(table[twin * columns + k]! - table[frame * columns + k]!) > SAME)
          throw badInput(
            `clip: frames ${twin} and ${frame} have the same joints and velocities, but another pose of the root, which ${format} cannot express. Trim the clip, or use wbc-g1-deploy.`,
          );
  }
}
