import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT_FILE, PROCESS_FILE } from './process-record.ts';

/** A runner does not start the command of a job whose folder contains this file. */
const STOP_FILE = 'stop';
/** All files that a runner reads or writes in a job's folder. */
const RUNNER_FILES = [PROCESS_FILE, `${PROCESS_FILE}.tmp`, EXIT_FILE, `${EXIT_FILE}.tmp`, STOP_FILE] as const;

/** Removes files with the names of runner files before a runner is started, because they cannot belong to this job. */
export async function clearRunnerFiles(folder: string): Promise<void> {
  for (const name of RUNNER_FILES) await rm(path.join(folder, name), { force: true }).catch(() => {}); // A folder of this name is kept.
}

/** Creates the stop file. If the job's command has not started yet, this prevents its start. */
export async function leaveStopFile(folder: string): Promise<void> {
  // `wx` never writes through a link. Errors are ignored: a full disk must not prevent the signal.
  await writeFile(path.join(folder, STOP_FILE), '', { flag: 'wx' }).catch(() => {});
}
