import type { Run } from '../../../../src/protocol/schemas/jobs.ts';

/** Returns the latest checkpoint of the run if it is newer than the played one. Returns null otherwise, and if no
 *  checkpoint is played. */
export function newerCheckpoint(run: Pick<Run, 'checkpoints' | 'latest'>, playing: string): string | null {
  const iterationOf = (name: string | null) => run.checkpoints.find((one) => one.name === name)?.iteration ?? null;
  const [now, latest] = [iterationOf(playing), iterationOf(run.latest)];
  return now !== null && latest !== null && latest > now ? run.latest : null;
}
