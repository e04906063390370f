import { jointFindings } from '../../../../src/protocol/joint-findings.ts';
import type { JointMargin, Summary } from '../../../../src/protocol/schemas/evaluation.ts';
import { Icon } from '../../ui/icon.tsx';
import { checkpointTitle } from './metric-words.ts';

export interface JointFindingsProps {
  /** the joints under one checkpoint and condition */
  readonly joints: readonly JointMargin[];
  readonly summary: Summary | undefined;
  /** the checkpoint to name; null where it is clear */
  readonly checkpoint: string | null;
}

/** Warnings about joints that do not follow their references. */
export function JointFindings({ joints, summary, checkpoint }: JointFindingsProps) {
  return jointFindings(joints, summary).map((finding) => (
    <p key={finding} class="note note-err">
      <Icon name="warn" />
      <span>
        {checkpoint !== null && <span class="mono">{checkpointTitle(checkpoint)}: </span>}
        {finding}
      </span>
    </p>
  ));
}
