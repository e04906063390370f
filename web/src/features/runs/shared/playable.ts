import type { Run } from '../../../../../src/protocol/schemas/jobs.ts';

export function playable(run: Run): boolean {
  return run.unplayable === null;
}
