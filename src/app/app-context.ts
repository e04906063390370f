import path from 'node:path';
import { messageOf } from '../core/errors.ts';
import type { RootLogger } from '../core/logger.ts';
import { addMarks, renameInDatasetFile } from '../data/dataset-file.ts';
import { TrashStore } from '../trash/trash-store.ts';
import { WorkPool } from '../workers/pool/pool.ts';
import { SimClient } from '../workers/sim/sim-client.ts';
import { AppEvents } from './app-events.ts';
import { BusyTasks } from './busy-tasks.ts';
import { EventHub } from './event-hub.ts';
import { SelectedRobot } from './robots/selected-robot.ts';
import { modelVersions } from './robots/staged-robot.ts';
import { OwnerStack } from './scene-owner.ts';
import { TaskStory } from './story/task-story.ts';
import { Trash } from './trash/trash.ts';
import { Uses } from './uses.ts';

/** Folders and files of a workspace that the application uses; all of them exist. */
export interface Places {
  readonly robots: string;
  readonly data: string;
  readonly jobs: string;
  readonly recordings: string;
  /** presets and modules, one folder per robot */
  readonly config: string;
  /** `logs/rsl_rl` */
  readonly runs: string;
  readonly cache: string;
  /** state.json, which survives a restart */
  readonly state: string;
}

/** What every module of the application receives. The context knows none of the modules. */
export interface AppContext {
  readonly places: Places;
  /** the folder of the workspace */
  readonly root: string;
  readonly logger: RootLogger;
  /** events for clients */
  readonly hub: EventHub;
  /** events between modules; clients do not see them */
  readonly events: AppEvents;
  readonly busy: BusyTasks;
  readonly owner: OwnerStack;
  readonly selected: SelectedRobot;
  readonly uses: Uses;
  readonly trash: Trash;
  readonly sim: SimClient;
  /** threads for long work */
  readonly pool: WorkPool;
  /** a single thread for requests whose reply a client waits for, so that these requests do not queue behind
   *  conversions */
  readonly listing: WorkPool;
  /** Returns the next version number for models and grounds that viewers fetch. */
  nextVersion(): number;
}

export interface ContextOptions {
  readonly places: Places;
  /** frames per second while the scene moves */
  readonly streamFps: number;
  /** number of threads in the pool; 0: one thread per CPU core */
  readonly poolThreads: number;
  /** age at which items of the trash are removed permanently, days */
  readonly trashDays: number;
  readonly logger: RootLogger;
}

/** The context as its owner sees it. */
export interface OpenContext extends AppContext {
  /** Ends the threads and the story of the log. Close the application first. */
  close(): Promise<void>;
}

/** Starts the threads and creates what the modules share. */
export function createContext({ places, logger, poolThreads, streamFps, trashDays }: ContextOptions): OpenContext {
  const hub = new EventHub();
  const events = new AppEvents();
  const endLogEvents = logger.subscribe((line) => hub.publish('log', line));
  const tasks = new TaskStory(logger);
  const onError = (error: Error) =>
    logger.warn({ err: error }, `a thread for work on files died and is replaced: ${error.message}`);
  const root = path.dirname(places.data);
  const listing = new WorkPool({ threads: 1, least: 1, onError, priority: 'normal' });
  const pool = new WorkPool({ threads: poolThreads, onError });
  const trash = createTrash(root, trashDays, logger, listing);
  const sim = new SimClient(streamFps, {
    playedOut: (transport) => void events.emit('preview-ended', transport),
    warning: (message) => logger.warn(message),
    crashed: (error) => {
      logger.warn({ err: error }, `the simulation thread died and is replaced: ${error.message}`);
      void events.emit('sim-crashed', error);
    },
  });
  return {
    places,
    root,
    logger,
    hub,
    events,
    busy: new BusyTasks(hub, tasks.ended),
    owner: new OwnerStack(hub),
    selected: new SelectedRobot(),
    uses: new Uses(),
    trash,
    sim,
    pool,
    listing,
    nextVersion: modelVersions(),
    async close() {
      await Promise.all([sim.close(), pool.close(), listing.close()]);
      trash.close();
      tasks.close();
      endLogEvents();
    },
  };
}

function createTrash(root: string, days: number, logger: RootLogger, listing: WorkPool): Trash {
  const onError = (error: unknown) => logger.warn({ err: error }, `the trash: ${messageOf(error)}`);
  return new Trash({
    store: new TrashStore({ root, renameMarks: renameInDatasetFile, addMarks, onError }),
    days,
    logger,
    bytes: (entries) => listing.run('treeBytes', entries),
  });
}

/** Returns a listener that logs errors of folder watches. */
export function logWatchErrors({ logger }: AppContext): (error: unknown) => void {
  return (error) => logger.warn({ err: error }, `watching the workspace: ${messageOf(error)}`);
}
