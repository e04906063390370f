import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { StudioError } from '../core/errors.ts';
import { createFolderAtomic, sweepTemps, writeAtomic } from '../core/files/atomic-file.ts';
import { makeFolders } from '../core/files/make-folders.ts';
import { readRegularFile } from '../core/files/read-regular-file.ts';
import type { Logger } from '../core/logger.ts';
import { WorkspaceHold } from './workspace-hold.ts';
import { workspaceProblem } from './workspace-problem.ts';

/** Number of the arrangement of folders and records below; a version that changes it without being able to read the old
 *  one, or that older versions cannot read, raises it. */
const LAYOUT = 1;
const LAYOUT_BYTES = 100;

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
  /** File of what the service remembers over a restart. */
  readonly state: string;
}

/** The folder that the service works in, held by this process alone until `close`. */
export interface Workspace extends Layout {
  /** Writes the clips of the built-in robot once in the life of the workspace: what a user deletes stays deleted.
   *  @param folder dataset folder, relative to `data`  @param clips file name → CSV text, asked for only if needed */
  writeSamples(folder: string, clips: () => Promise<ReadonlyMap<string, string>>): Promise<void>;
  /** Why nothing can be written now: its folder is gone, or another service has it. Null: all is well. */
  problem(): StudioError | null;
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
    state: path.join(own, 'state.json'),
  };
  const hold = await prepare(layout, own, logger);
  // Not waited for: unfinished files are invisible to every listing, and a large workspace takes a while.
  sweep(layout, logger);
  return {
    ...layout,
    async writeSamples(folder, clips) {
      const written = path.join(own, 'samples-written');
      const target = path.join(layout.data, folder);
      if (await exists(written)) return;
      if (!(await exists(target))) {
        await makeFolders(path.dirname(target), 2);
        const texts = await clips();
        await createFolderAtomic(target, async (unseen) => {
          for (const [name, text] of texts) await writeAtomic(path.join(unseen, name), text);
        });
      }
      await writeAtomic(written, `${new Date().toISOString()}\n`);
    },
    problem: () => hold.problem(),
    close: () => hold.release(),
  };
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

async function prepare(layout: Layout, own: string, logger: Logger): Promise<WorkspaceHold> {
  try {
    const { root: _, state: _state, ...folders } = layout;
    for (const folder of Object.values(folders)) await makeFolders(folder, Number.POSITIVE_INFINITY);
    // Before the lock: a stop that comes in between would leave it behind.
    await checkLayout(path.join(own, 'layout'));
    return await WorkspaceHold.take(layout.root, own, logger);
  } catch (error) {
    throw workspaceProblem(layout.root, error);
  }
}

/** Notes the layout of the workspace's folders, and refuses one that only a newer version of the service knows. */
async function checkLayout(file: string): Promise<void> {
  const found = await readRegularFile(file, LAYOUT_BYTES).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const number = Number(found?.toString('utf8') ?? LAYOUT);
  if (number > LAYOUT)
    throw new Error(
      `a newer motion-studio wrote it (layout ${number}, this version knows ${LAYOUT}). Install the newer version`,
    );
  if (number !== LAYOUT || found === null) await writeAtomic(file, `${LAYOUT}\n`);
}

function sweep(layout: Layout, logger: Logger): void {
  const { robots, data, config, jobs, state } = layout;
  Promise.all([robots, data, config, jobs, path.dirname(state)].map((folder) => sweepTemps(folder))).then(
    (counts) => {
      const removed = counts.reduce((sum, count) => sum + count, 0);
      if (removed > 0) logger.info(`removed ${removed} unfinished files of an earlier run`);
    },
    (error: unknown) => logger.warn({ err: error }, 'unfinished files of an earlier run could not be removed'),
  );
}
