import path from 'node:path';
import { messageOf } from '../../core/errors.ts';
import type { KeepFormer } from '../../robot-import/uploads/install-robot.ts';
import { sweepPrepared } from '../../robots/prepared-robot.ts';
import { RobotRegistry } from '../../robots/robot-registry.ts';
import { checkInThread, inspectInThread } from '../../workers/robots/import-robot.ts';
import { prepareInThread } from '../../workers/robots/prepare-robot.ts';
import type { AppContext } from '../app-context.ts';
import type { DatasetStores } from '../data/dataset-stores.ts';
import type { PlaySessions } from '../play/play-sessions.ts';
import type { Presets } from '../presets/presets.ts';
import type { Runs } from '../runs/runs.ts';
import { writeState } from '../saved-state.ts';
import { RobotStory } from '../story/robot-story.ts';
import { DraftScene } from './draft-scene.ts';
import { RobotImport } from './robot-import.ts';
import { Robots } from './robots.ts';

/** Returns the folder of compiled robots. Its subfolders are named by a hash of their content. */
function cacheOf({ places }: AppContext): string {
  return path.join(places.cache, 'robots');
}

/** Creates the list of the workspace's robots. The list is empty until the first `refresh`. */
export function createRegistry(context: AppContext): RobotRegistry {
  const { places, events, listing } = context;
  const cache = cacheOf(context);
  sweepPrepared(cache);
  return new RobotRegistry(
    places.robots,
    (source) => prepareInThread({ source, cache }),
    (id) => events.emit('robot-changed', id),
    (source) => listing.run('findPrepared', source, cache),
  );
}

/** The modules that complete the description of a robot in listings. */
export interface RobotsParts {
  readonly registry: RobotRegistry;
  readonly stores: DatasetStores;
  readonly presets: Presets;
  readonly runs: Runs;
  readonly play: PlaySessions;
}

/** Creates the modules for the selection, pose and model of robots, and for the import of new robots. */
export function createRobots(context: AppContext, { registry, stores, presets, runs, play }: RobotsParts) {
  const { places, events } = context;
  const logger = context.logger.child('robots');
  const story = new RobotStory(logger, (id) => (registry.has(id) ? registry.find(id) : null));
  const draft = new DraftScene(context);
  const robots = new Robots({
    ...context,
    logger,
    registry,
    draft: () => draft.viewer,
    ground: () => play.ground,
    datasetsOf: (robot) => stores.of(robot).datasets(),
    tasksOf: (facts) => presets.tasksOf(facts),
    loadTasks: (robot) => presets.load(robot),
    runsByRobot: () => runs.pathsByRobot(),
    rememberSelected: (robot) => writeState(places.state, { robot }),
    onSelected: (facts) => void events.emit('robot-selected', facts),
  });
  events.on('tasks-changed', () => robots.tasksChanged());
  events.on('robot-changed', async (id) => {
    story.changed(id);
    await robots
      .changedOnDisk(id)
      .catch((error: unknown) => logger.error({ err: error }, `robot ${id} was not reloaded: ${messageOf(error)}`));
  });
  const imports = createImport(context, { registry, story, draft, robots });
  return { robots, imports, draft, story };
}

interface ImportParts {
  readonly registry: RobotRegistry;
  readonly story: RobotStory;
  readonly draft: DraftScene;
  readonly robots: Robots;
}

function createImport(context: AppContext, { registry, story, draft, robots }: ImportParts): RobotImport {
  const { places, hub, listing, uses, trash } = context;
  const cache = cacheOf(context);
  const subjectOf = (id: string) => ({ kind: 'robot' as const, robot: id, name: id });
  const imports = new RobotImport({
    folder: places.robots,
    hub,
    logger: context.logger.child('robots'),
    story,
    registry,
    files: {
      survey: (folder) => listing.run('surveyUpload', folder),
      surveyAll: (root) => listing.run('surveyUploads', root),
      rank: (folder) => listing.run('rankUpload', folder),
    },
    scene: draft,
    gains: (order) => listing.run('readGainsFile', order),
    inspect: (folder, robot, signal) => inspectInThread({ folder, draft: robot, cache }, signal),
    check: checkInThread,
    prepare: (source, signal) => prepareInThread({ source, cache }, signal),
    uses,
    keepFormer: keepFormerRobot(context),
    keepFile: (id, file, put) => trash.replace(subjectOf(id), [file], put),
    discard: (id, folder) => trash.take(subjectOf(id), [folder]),
    retreatFrom: (robot) => robots.retreatFrom(robot),
  });
  trash.connect('robot', ({ name }, put) => imports.putBack(name, put));
  return imports;
}

/** Returns the function that moves the previous version of a replaced robot to the trash. */
export function keepFormerRobot({ trash }: AppContext): KeepFormer {
  return (robot, former) => {
    const id = path.basename(robot);
    return trash.takeReplaced({ kind: 'robot', robot: id, name: id }, robot, former);
  };
}
