import { writeAtomic } from '../core/files/atomic-file.ts';
import { readRegularFile } from '../core/files/read-regular-file.ts';

/** Maximum size of state.json, bytes. The service writes less than 100 bytes. */
const MAX_BYTES = 4096;

/** Content of state.json, which survives a restart. */
export interface SavedState {
  readonly robot?: string;
}

/** Reads the saved state. A missing or damaged file is read as empty, because the service can start without it. */
export async function readState(file: string): Promise<SavedState> {
  try {
    const state = JSON.parse((await readRegularFile(file, MAX_BYTES)).toString('utf8')) as unknown;
    return state instanceof Object && 'robot' in state && typeof state.robot === 'string' ? { robot: state.robot } : {};
  } catch {
    return {};
  }
}

export function writeState(file: string, state: SavedState): Promise<void> {
  return writeAtomic(file, `${JSON.stringify(state)}\n`);
}
