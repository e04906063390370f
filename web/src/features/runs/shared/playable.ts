import type { Run } from '../../../../../src/protocol/schemas/jobs.ts';

/** Whether a run can be played: it was read without an error and has a checkpoint. */
export function playable(run: Run): boolean {
  return run.error === null && run.checkpoints.length > 0;
}
