import path from 'node:path';
import type { StudioError } from '../core/errors.ts';
import { createFolderAtomic, LEFTOVER_MS, sweepTemps, writeAtomic } from '../core/files/atomic-file.ts';
import { exists } from '../core/files/exists.ts';
import { makeFolders } from '../core/files/make-folders.ts';
import { readRegularFile } from '../core/files/read-regular-file.ts';
import type { Logger } from '../core/logger.ts';
import { WorkspaceHold } from './workspace-hold.ts';
import { workspaceProblem } from './workspace-problem.ts';

/** Version of the layout of folders and records. Increase it when older versions cannot read the new layout, or this
 *  version cannot read the old one. */
const LAYOUT = 1;
const LAYOUT_BYTES = 100;

/** Absolute paths of the workspace's folders and files. */
interface Layout {
  readonly root: string;
  readonly robots: string;
  readonly data: string;
  readonly config: string;
  readonly runs: string;
  readonly jobs: string;
  readonly recordings: string;
  /** folder of cached data, all of which can be computed again */
  readonly cache: string;
  /** state.json, which survives a restart */
  readonly state: string;
}

/** The folder that the service uses. Only this process may use it until `close`. */
export interface Workspace extends Layout {
  /** Writes the clips of the built-in robot when the workspace is first used. Clips that a user deletes later are not
   * written again.
   *  @param folder dataset folder, relative to `data`  @param clips returns file name → CSV text; called only if needed
   *  */
  writeSamples(folder: string, clips: () => Promise<ReadonlyMap<string, string>>): Promise<void>;
  /** Returns why nothing can be written now (the folder is missing, or another service holds its lock); null if it can
   *  be written. */
  problem(): StudioError | null;
  close(): void;
}

/** Opens the workspace at `root` and creates missing folders.
 *  @throws unavailable if it cannot be used, or if another process uses it; the message names that process */
export async function openWorkspace(root: string, logger: Logger): Promise<Workspace> {
  const own = path.join(root, '.studio');
  const layout: Layout = {
    root,
    robots: path.join(root, 'robots'),
    data: path.join(root, 'data'),
    config: path.join(root, 'config'),
    runs: path.join(root, 'logs', 'rsl_rl'),
    jobs: path.join(root, 'jobs'),
    recordings: path.join(root, 'recordings'),
    cache: path.join(own, 'cache'),
    state: path.join(own, 'state.json'),
  };
  const hold = await prepare(layout, own, logger);
  // Not awaited: listings do not show unfinished files, and removing them takes a while in a large workspace.
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

async function prepare(layout: Layout, own: string, logger: Logger): Promise<WorkspaceHold> {
  try {
    const { root: _, state: _state, ...folders } = layout;
    for (const folder of Object.values(folders)) await makeFolders(folder, Number.POSITIVE_INFINITY);
    // Check the layout before taking the lock: an error in between would leave the lock behind.
    await checkLayout(path.join(own, 'layout'));
    return await WorkspaceHold.take(layout.root, own, logger);
  } catch (error) {
    throw workspaceProblem(layout.root, error);
  }
}

/** Writes the version of the layout. @throws for the layout of a newer version of the service */
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
  const { robots, data, config, jobs, recordings, runs, state } = layout;
  const own = [robots, data, config, jobs, recordings, path.dirname(state)].map((folder) => sweepTemps(folder));
  // Trainings outlive the service, so a new file in the runs may belong to one that is writing it.
  Promise.all([...own, sweepTemps(runs, Date.now() - LEFTOVER_MS)]).then(
    (counts) => {
      const removed = counts.reduce((sum, count) => sum + count, 0);
      if (removed > 0) logger.info(`removed ${removed} unfinished files of an earlier run of the service`);
    },
    (error: unknown) =>
      logger.warn({ err: error }, 'unfinished files of an earlier run of the service could not be removed'),
  );
}
