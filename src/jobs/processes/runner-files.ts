import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT_FILE, PROCESS_FILE } from './process-record.ts';

/** A job whose folder holds it does not start any more. */
const STOP_FILE = 'stop';
/** All that a runner reads or writes in a job's folder. */
const RUNNER_FILES = [PROCESS_FILE, `${PROCESS_FILE}.tmp`, EXIT_FILE, `${EXIT_FILE}.tmp`, STOP_FILE] as const;

/** Removes what a runner writes, before one is started: nothing of it can be this job's yet. */
export async function clearRunnerFiles(folder: string): Promise<void> {
  for (const name of RUNNER_FILES) await rm(path.join(folder, name), { force: true }).catch(() => {}); // A folder stays.
}

/** Keeps the command of a job from starting, where it has not yet. */
export async function leaveStopFile(folder: string): Promise<void> {
  // Never through a link: the file would be emptied. A full disk stops no signal.
  await writeFile(path.join(folder, STOP_FILE), '', { flag: 'wx' }).catch(() => {});
}
