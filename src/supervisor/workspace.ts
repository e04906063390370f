import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Static, Type } from 'typebox';
import { messageOf, StudioError } from '../core/errors.ts';
import { createFolderAtomic, fileError, sweepTemps, writeAtomic } from '../core/files/atomic-file.ts';
import { LockedError, type PidLock, takeLock } from '../core/files/pid-lock.ts';
import type { Logger } from '../core/logger.ts';
import { check } from '../core/validation.ts';

/** What the service remembers over a restart. */
const State = Type.Object({
  selected_robot: Type.Optional(Type.String()),
  samples_written: Type.Optional(Type.Boolean()),
});
export type State = Static<typeof State>;

/** Where things are, all absolute. */
export interface Layout {
  readonly root: string;
  readonly robots: string;
  readonly data: string;
  readonly config: string;
  readonly runs: string;
  readonly jobs: string;
  /** Anything here can be made again. */
  readonly cache: string;
}

/** The folder that the service works in, held by this process alone until `close`. */
export interface Workspace extends Layout {
  readonly state: State;
  /** Keeps `change` over a restart. @throws disk_full */
  remember(change: State): Promise<void>;
  /** Writes the clips of the built-in robot once in the life of the workspace: what a user deletes stays deleted.
   *  @param folder dataset folder, relative to `data`  @param clips file name → CSV text, asked for only if needed */
  writeSamples(folder: string, clips: () => Promise<ReadonlyMap<string, string>>): Promise<void>;
  close(): void;
}

/** Opens the workspace at `root`, creating what is missing.
 *  @throws unavailable when it cannot be used, or is in use by another process, which the message names */
export async function openWorkspace(root: string, logger: Logger): Promise<Workspace> {
  const own = path.join(root, '.studio');
  const layout: Layout = {
    root,
    robots: path.join(root, 'robots'),
    data: path.join(root, 'data'),
    config: path.join(root, 'config'),
    runs: path.join(root, 'logs', 'rsl_rl'),
    jobs: path.join(root, 'jobs'),
    cache: path.join(own, 'cache'),
  };
  const lock = await prepare(layout, own);
  let state: State;
  const stateFile = path.join(own, 'state.json');
  try {
    state = await readState(stateFile, logger);
  } catch (error) {
    lock.release();
    throw unusable(root, `cannot be used: ${messageOf(error)}`, error);
  }
  // Not waited for: unfinished files are invisible to every listing, and a large workspace takes a while.
  sweep(layout, logger);
  let written: Promise<void> = Promise.resolve();
  const remember = (change: State): Promise<void> => {
    state = { ...state, ...change };
    const write = written.then(() => writeAtomic(stateFile, `${JSON.stringify(state, null, 2)}\n`));
    written = write.catch(() => {}); // The caller hears of it; the next write stands on its own.
    return write;
  };
  return {
    ...layout,
    get state() {
      return state;
    },
    remember,
    async writeSamples(folder, clips) {
      const target = path.join(layout.data, folder);
      if (state.samples_written || (await exists(target))) return;
      await mkdir(path.dirname(target), { recursive: true });
      const texts = await clips();
      await createFolderAtomic(target, async (unseen) => {
        for (const [name, text] of texts) await writeAtomic(path.join(unseen, name), text);
      });
      await remember({ samples_written: true });
    },
    close: () => lock.release(),
  };
}

/** An unreadable state is told and forgotten: everything in `.studio` may be deleted. */
async function readState(file: string, logger: Logger): Promise<State> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    return check(State, JSON.parse(text), 'state');
  } catch (error) {
    logger.warn({ err: error }, 'state.json is unreadable; the service starts without what it remembered');
    return {};
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function prepare(layout: Layout, own: string): Promise<PidLock> {
  try {
    const { root: _, ...folders } = layout;
    for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
    return await takeLock(path.join(own, 'lock'));
  } catch (error) {
    if (error instanceof LockedError) throw unusable(layout.root, `is ${error.message}`, error);
    throw unusable(layout.root, `cannot be used: ${messageOf(fileError(error))}`, error);
  }
}

function unusable(root: string, why: string, cause: unknown): StudioError {
  return new StudioError('unavailable', `the workspace ${root} ${why}`, { cause });
}

function sweep(layout: Layout, logger: Logger): void {
  const { root: _, runs: _runs, ...folders } = layout;
  Promise.all(Object.values(folders).map((folder) => sweepTemps(folder))).then(
    (counts) => {
      const removed = counts.reduce((sum, count) => sum + count, 0);
      if (removed > 0) logger.info(`removed ${removed} unfinished files of an earlier run`);
    },
    (error: unknown) => logger.warn({ err: error }, 'unfinished files of an earlier run could not be removed'),
  );
}
